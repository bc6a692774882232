/** Data lines in the database engine, as the store wrote them. */

import type { ReportLayout } from '../domain/report-layout.ts';
import { columnsOf, text } from './duckdb-texts.ts';

export type SourceFile = {
  readonly path: string;
  readonly columns: readonly string[];
};

/** A name of its own for each source column, so that no column of a store collides with ours. */
export const sourceColumn = (position: number): string => `c${position}`;

export function readSource(
  { path, columns }: SourceFile,
  { delimiter, isQuoted }: ReportLayout,
  extra: readonly string[] = [],
): string {
  const types = Object.fromEntries(
    [...extra, ...columns.map((_, i) => sourceColumn(i))].map((name) => [name, 'VARCHAR']),
  );
  const quote = isQuoted ? '"' : '';
  const options = `delim=${text(delimiter)}, quote='${quote}', escape='${quote}', header=false, auto_detect=false, nullstr='', new_line='\\n'`;
  return `read_csv(${text(path)}, ${options}, columns=${columnsOf(types)})`;
}
