/** The PDFs of statements: drawn together, because most of the time is starting a process and reading the fonts. */

import { join } from 'node:path';
import { minuteMs } from '../../kernel/duration.ts';
import { runTask } from '../../platform/process/child-task.ts';
import { uploadWithDigest } from '../../platform/storage/transfer.ts';
import type { RunId } from '../domain/run-plan.ts';
import { runFolder } from '../domain/run.ts';
import type { StatementDocument } from '../domain/statement-document.ts';
import type { StatementFile } from '../domain/statement-proof.ts';
import type { DrawInput } from './draw-documents-task.ts';
import { type RunFileDeps, storeEach, withFolder } from './run-files.ts';

/** Fifty take seconds. */
const timeoutMs = 10 * minuteMs;

/** The stored file of each, in the order of the contents. The same content is the same file under the same key. */
export const storeDocuments = (
  deps: RunFileDeps,
  runId: RunId,
  contents: readonly StatementDocument[],
  signal: AbortSignal,
): Promise<readonly StatementFile[]> =>
  withFolder(deps, async (folder) => {
    const documents = contents.map((content) => ({
      path: join(folder, `${content.statementId}.pdf`),
      content,
    }));
    const input: DrawInput = { documents };
    const task = new URL('./draw-documents-task.ts', import.meta.url);
    const pageCounts = await runTask<readonly number[]>(task, input, { signal, timeoutMs });
    return storeEach([...documents.entries()], async ([index, { path, content }]) => {
      const key = `${runFolder(runId)}${content.statementId}/statement.pdf`;
      const { sizeBytes, sha256 } = await uploadWithDigest(deps.storage, path, key, signal);
      return {
        kind: 'document' as const,
        part: 1,
        objectKey: key,
        sizeBytes,
        sha256,
        rowCount: pageCounts[index] ?? 0,
        amount: '0.000000',
        firstPosition: 1,
      };
    });
  });
