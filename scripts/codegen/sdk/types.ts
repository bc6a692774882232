/** The types of the SDK: one exported type for each schema of the document. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from '../tools.ts';
import { type Document, schemasOnly } from './document.ts';
import { openAnswers, withOpenTypes } from './open-enums.ts';

export async function generateTypes(document: Document): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-types-'));
  try {
    const input = join(folder, 'openapi.json');
    const output = join(folder, 'schema.ts');
    await writeFile(input, JSON.stringify(schemasOnly(openAnswers(document))));
    const { code, stdout, stderr } = await runTool('openapi-typescript', [
      input,
      `--output=${output}`,
      '--default-non-nullable=false',
    ]);
    if (code !== 0) throw new Error(`openapi-typescript failed: ${stdout}${stderr}`);
    return withOpenTypes(exportEachSchema(await readFile(output, 'utf8')));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const begin = '    schemas: {\n';
const end = '\n    };\n    responses: never;';

/** `components['schemas']['Release']` becomes a type `Release`: that is what editors and error messages show. */
function exportEachSchema(generated: string): string {
  const from = generated.indexOf(begin);
  const to = generated.indexOf(end);
  if (from === -1 || to === -1) throw new Error('openapi-typescript wrote an unknown layout.');
  return generated
    .slice(from + begin.length, to)
    .replaceAll(/^ {8}/gm, '')
    .replaceAll(/^(\w+): /gm, 'export type $1 = ')
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1')
    .replaceAll(/^ *\/\*\* \w+ \*\/\n/gm, '') // the title, which is the name again
    .replaceAll(/^ *\* (@enum \{string\}|\w+)\n/gm, '')
    .replaceAll(' (enum property replaced by openapi-typescript)', '')
    .replaceAll('@description ', '');
}
