/**
 * Files that a store's transfer job puts on the object store:
 *
 *   reports/incoming/{store_id}/{format}/{batch}/{file}…
 *
 * The last object of a batch is named `BatchComplete`, as DDEX calls it: it is the semaphore, and its content is not
 * read. A batch without it is still being transferred. A batch that cannot be registered gets `BatchRefused` instead, and
 * stays until the semaphore is put there again.
 */

import type { ReportFormat } from './report.ts';
import { reportFormats } from './report.ts';

export const incomingPrefix = 'reports/incoming/';
const completeName = 'BatchComplete';
const refusedName = 'BatchRefused';

/** The schema of `report_files` allows as many; a store that needs more sends several reports. */
const filesMax = 1_000;

export type IncomingBatch = {
  /** Ends with a slash. */
  readonly prefix: string;
  readonly storeId: string;
  readonly format: string;
  readonly files: readonly { readonly name: string; readonly objectKey: string }[];
};

export const semaphoreKey = ({ prefix }: IncomingBatch): string => `${prefix}${completeName}`;
export const refusedKey = ({ prefix }: IncomingBatch): string => `${prefix}${refusedName}`;

/** The batches that are complete, of all keys below `incomingPrefix`. */
export function completeBatches(keys: readonly string[]): readonly IncomingBatch[] {
  const complete = keys.flatMap((key) => {
    const [, prefix, storeId, format] =
      /^(reports\/incoming\/([^/]+)\/([^/]+)\/[^/]+\/)BatchComplete$/.exec(key) ?? [];
    return prefix === undefined || storeId === undefined || format === undefined
      ? []
      : [{ prefix, storeId, format }];
  });
  return complete.map((batch) => ({ ...batch, files: filesOf(batch.prefix, keys) }));
}

const filesOf = (prefix: string, keys: readonly string[]): IncomingBatch['files'] =>
  keys
    .filter((key) => key.startsWith(prefix))
    .map((objectKey) => ({ name: objectKey.slice(prefix.length), objectKey }))
    .filter(({ name }) => name !== completeName && name !== refusedName && name !== '');

/** How many batches wait for the operator, of all keys below `incomingPrefix`. */
export const countRefused = (keys: readonly string[]): number =>
  keys.filter((key) => key.endsWith(`/${refusedName}`)).length;

/** What is wrong with a batch before its files are read. */
export function batchProblem({ format, files }: IncomingBatch): string | undefined {
  if (formatOf(format) === undefined) {
    return `"${format}" is not a format. Use one of ${reportFormats.join(', ')}.`;
  }
  if (files.length === 0) return 'The batch has no files.';
  return files.length > filesMax
    ? `The batch has ${files.length} files; at most ${filesMax} are allowed.`
    : undefined;
}

export const formatOf = (text: string): ReportFormat | undefined =>
  reportFormats.find((format) => format === text);
