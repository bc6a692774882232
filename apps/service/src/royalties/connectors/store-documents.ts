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
const batchTimeoutMs = 10 * minuteMs;
const aloneTimeoutMs = minuteMs;

/** `drawTask`: in tests, one that some documents break. */
export type DocumentDeps = RunFileDeps & { readonly drawTask?: URL };

/** Why a document cannot be drawn. */
type Undrawable = { readonly error: string };

/**
 * The stored file of each, in the order of the contents. The same content is the same file under the same key. A file that
 * cannot be stored is an error of all: the store is away.
 */
export const storeDocuments = (
  deps: DocumentDeps,
  runId: RunId,
  contents: readonly StatementDocument[],
  signal: AbortSignal,
): Promise<readonly (StatementFile | Undrawable)[]> =>
  withFolder(deps, async (folder) => {
    const documents = contents.map((content) => ({
      path: join(folder, `${content.statementId}.pdf`),
      content,
    }));
    const drawn = await drawTogether(deps, documents, signal);
    return storeEach([...documents.entries()], async ([index, { path, content }]) => {
      const pageCount = drawn[index];
      if (pageCount === undefined) throw new TypeError(`${path} was not drawn`);
      if (typeof pageCount !== 'number') return pageCount;
      const key = `${runFolder(runId)}${content.statementId}/statement.pdf`;
      const { sizeBytes, sha256 } = await uploadWithDigest(deps.storage, path, key, signal);
      return {
        kind: 'document' as const,
        part: 1,
        objectKey: key,
        sizeBytes,
        sha256,
        rowCount: pageCount,
        amount: '0.000000',
        firstPosition: 1,
      };
    });
  });

type Documents = DrawInput['documents'];

/** If the process fails, each is drawn by a process of its own: one bad document must not take the others with it. */
async function drawTogether(
  deps: DocumentDeps,
  documents: Documents,
  signal: AbortSignal,
): Promise<readonly (number | Undrawable)[]> {
  try {
    return await draw(deps, documents, batchTimeoutMs, signal);
  } catch {
    const drawn: (number | Undrawable)[] = [];
    for (const document of documents) drawn.push(await drawAlone(deps, document, signal));
    return drawn;
  }
}

async function drawAlone(
  deps: DocumentDeps,
  document: Documents[number],
  signal: AbortSignal,
): Promise<number | Undrawable> {
  try {
    const [pageCount] = await draw(deps, [document], aloneTimeoutMs, signal);
    return pageCount ?? { error: 'the task has drawn nothing' };
  } catch (error) {
    // A worker that ends has killed the process.
    signal.throwIfAborted();
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

const standardTask = new URL('./draw-documents-task.ts', import.meta.url);

/** The number of pages of each. */
function draw(
  { drawTask = standardTask }: DocumentDeps,
  documents: Documents,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const input: DrawInput = { documents };
  return runTask<readonly number[]>(drawTask, input, { signal, timeoutMs });
}
