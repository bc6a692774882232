/** The codes by which a row names a recording and its release, and the files of those whose owners must be found. */

import { join } from 'node:path';
import { createTextFile, type TextFile } from './text-file.ts';

/** Of one report. A store names about one code for each fifty rows. */
const codesMax = 1_000_000;

const isrcShape = /^[A-Z]{2}[A-Z0-9]{3}[0-9]{7}$/;
const productCodeShape = /^[0-9]{8,14}$/;
const isrcLength = 12;
const upcLength = 12;

/** Empty: the row is about a whole release. A recording that the store names by its own id only is '?'. */
export function isrcOf(cell: string, hasResourceId: boolean): string {
  if (cell.length === isrcLength) return cell.toUpperCase();
  if (cell !== '')
    return cell
      .replaceAll(/^ +| +$/g, '')
      .replaceAll('-', '')
      .toUpperCase();
  return hasResourceId ? '?' : '';
}

/** The same text for a UPC and for its EAN and GTIN-14, as `comparableCode`. */
export const productOf = (cell: string): string =>
  cell.length > upcLength && cell.startsWith('0')
    ? cell.replace(/^0+/, '').padStart(upcLength, '0')
    : cell;

/** A code may be written more than once: those that were written are forgotten when they are too many. */
export function createCodeFiles(folder: string) {
  const [codesPath, albumCodesPath] = [join(folder, 'codes'), join(folder, 'album-codes')];
  const files = [createTextFile(codesPath), createTextFile(albumCodesPath)] as const;
  const [codes, albumCodes] = [distinctLines(files[0]), distinctLines(files[1])];
  return {
    codesPath,
    albumCodesPath,
    add: (isrc: string, product: string) => {
      if (isrcShape.test(isrc)) codes(isrc);
      if (!productCodeShape.test(product)) return;
      codes(product);
      if (isrc === '') albumCodes(product);
    },
    close: () => files.forEach((file) => file.close()),
  };
}

function distinctLines(file: TextFile) {
  const written = new Set<string>();
  return (line: string) => {
    if (written.has(line)) return;
    if (written.size === codesMax) written.clear();
    written.add(line);
    file.write(`${line}\n`);
  };
}
