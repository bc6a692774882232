/** Draws documents as the worker does, but breaks at those of certain organizations, in the two ways a task can break. */

import type { Task } from '../src/platform/process/child-task.ts';
import { type DrawInput, run as draw } from '../src/royalties/connectors/draw-documents-task.ts';

export const crashingName = 'Crashes the process';
export const refusedName = 'Cannot be laid out';

export const run: Task<DrawInput, readonly number[]> = (input, report) => {
  for (const { content } of input.documents) {
    if (content.organizationName === crashingName) process.kill(process.pid, 'SIGKILL');
    if (content.organizationName === refusedName) throw new Error(`no glyph ${'x'.repeat(2_000)}`);
  }
  return draw(input, report);
};
