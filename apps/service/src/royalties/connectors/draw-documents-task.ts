/** Draws the documents of statements, in a process of its own: fonts and layout would freeze a worker. */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Task } from '../../platform/process/child-task.ts';
import type { StatementDocument } from '../domain/statement-document.ts';
import { drawStatement } from './draw-statement.ts';

export type DrawInput = {
  readonly documents: readonly { readonly path: string; readonly content: StatementDocument }[];
};

/** The number of pages of each, in the order of the input. The files are complete. */
export const run: Task<DrawInput, readonly number[]> = async ({ documents }) => {
  const pageCounts: number[] = [];
  for (const { path, content } of documents) {
    const { pdf, pageCount } = drawStatement(content);
    await once(pdf.pipe(createWriteStream(path)), 'finish');
    pageCounts.push(pageCount);
  }
  return pageCounts;
};
