/** Copies the chosen lines of a report file: rows that stay with their source. */

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ReportLayout } from '../domain/report-layout.ts';
import { csvLine } from './duckdb-texts.ts';
import { scanLines } from './scan-lines.ts';
import { createTextFile } from './text-file.ts';
import { uncompress } from './uncompress.ts';

export type LineChoice = {
  readonly name: string;
  readonly path: string;
  readonly layout: ReportLayout;
  readonly rows: number;
  /** Lines `row,kind`: kind 1 is copied with its cells, kind 2 as one text. */
  readonly chosenPath: string;
  readonly cellsPath: string;
  readonly textsPath: string;
};

const withCells = 1;

/** Reads the file again only if there are chosen lines. */
export async function extractLines(choice: LineChoice): Promise<void> {
  const { name, path, layout } = choice;
  const kinds = await readKinds(choice);
  const [cells, texts] = [createTextFile(choice.cellsPath), createTextFile(choice.textsPath)];
  let row = 0;
  const addRow = (block: Buffer, from: number, to: number) => {
    const kind = kinds?.[row];
    if (kind === withCells)
      cells.write(`${row}${layout.delimiter}${block.toString('utf8', from, to)}\n`);
    else if (kind !== 0) texts.write(csvLine([row, block.toString('utf8', from, to)]));
    row += 1;
  };
  try {
    if (kinds !== undefined) await scanLines(uncompress(path, name), name, layout, () => addRow);
  } finally {
    cells.close();
    texts.close();
  }
}

/** The kind of each row, 0 for those that are not chosen; undefined if none is. */
async function readKinds({ rows, chosenPath }: LineChoice): Promise<Uint8Array | undefined> {
  const kinds = new Uint8Array(rows);
  let isChosen = false;
  for await (const line of createInterface({ input: createReadStream(chosenPath) })) {
    const [row = '', kind = ''] = line.split(',');
    kinds[Number(row)] = Number(kind);
    isChosen = true;
  }
  return isChosen ? kinds : undefined;
}
