/** Copies the chosen lines of a data file: rows that stay with their source. */

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { csvLine } from './duckdb.ts';
import { lineBlocks, newline } from './line-blocks.ts';

export type LineChoice = {
  readonly dataPath: string;
  readonly rows: number;
  /** Lines `row,kind`: kind 1 is copied with its cells, kind 2 as one text. */
  readonly chosenPath: string;
  readonly delimiter: string;
  readonly cellsPath: string;
  readonly textsPath: string;
};

const withCells = 1;

export async function extractLines(choice: LineChoice): Promise<void> {
  const kinds = await readKinds(choice);
  const [cells, texts] = [await open(choice.cellsPath, 'w'), await open(choice.textsPath, 'w')];
  try {
    let row = 0;
    for await (const block of lineBlocks(createReadStream(choice.dataPath))) {
      const chosen = { cells: '', texts: '' };
      for (let from = 0; from < block.length; row++) {
        const to = block.indexOf(newline, from);
        const kind = kinds[row] ?? 0;
        if (kind === withCells) {
          chosen.cells += `${row}${choice.delimiter}${block.toString('utf8', from, to)}\n`;
        } else if (kind > 0) chosen.texts += csvLine([row, block.toString('utf8', from, to)]);
        from = to + 1;
      }
      if (chosen.cells !== '') await cells.write(chosen.cells);
      if (chosen.texts !== '') await texts.write(chosen.texts);
    }
  } finally {
    await cells.close();
    await texts.close();
  }
}

async function readKinds({ rows, chosenPath }: LineChoice): Promise<Uint8Array> {
  const kinds = new Uint8Array(rows);
  for await (const block of lineBlocks(createReadStream(chosenPath))) {
    for (const line of block.toString('latin1').split('\n')) {
      const [row = '', kind = ''] = line.split(',');
      if (kind !== '') kinds[Number(row)] = Number(kind);
    }
  }
  return kinds;
}
