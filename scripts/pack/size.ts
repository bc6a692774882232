import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** All JavaScript of a folder as one file. */
export function gzippedBytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const texts = files
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  return gzipSync(texts.join('\n'), { level: 9 }).length;
}
