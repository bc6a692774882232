/** The files of a report before it is registered. */

import type { ReportId } from './report.ts';
import type { ReportFile } from './store-report.ts';

type DigestedFile = Omit<ReportFile, 'number' | 'objectKey'>;

/** The folder of everything on the object store that belongs to a report. */
export const reportFolder = (id: ReportId): string => `reports/${id}/`;

const fileKey = (id: ReportId, number: number): string => `${reportFolder(id)}files/${number}`;

/** Numbered from 1 in the order given, with their keys on the object store. */
export const filesOfReport = (
  id: ReportId,
  files: readonly DigestedFile[],
): readonly ReportFile[] =>
  files.map(({ name, sizeBytes, sha256 }, i) => ({
    number: i + 1,
    name,
    objectKey: fileKey(id, i + 1),
    sizeBytes,
    sha256,
  }));

/** What is wrong with a set of files; a file twice in one report would be paid twice. */
export function fileSetProblem(files: readonly DigestedFile[]): string | undefined {
  const empty = files.find(({ sizeBytes }) => sizeBytes === 0);
  if (empty !== undefined) return `${empty.name} is empty. Send the complete file again.`;
  const bySha256 = Map.groupBy(files, ({ sha256 }) => sha256);
  const same = [...bySha256.values()].find(({ length }) => length > 1);
  return same === undefined
    ? undefined
    : `${same.map(({ name }) => name).join(' and ')} have the same content. Send each file once.`;
}
