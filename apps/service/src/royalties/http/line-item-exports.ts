/** All line items of a statement in one answer of any length, which a caller can continue (contract §4). */

import { csvLine, csvText } from '../../kernel/csv.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import type { Places } from '../../platform/http/places.ts';
import { streamLines } from '../../platform/http/stream-lines.ts';
import { endOfGroup, type ParquetReader } from '../connectors/parquet-reader.ts';
import type { StatementId } from '../domain/calculation.ts';
import { lineItemColumns, lineItemFields, presentLineItem } from '../domain/line-item.ts';
import { positionIds } from '../domain/position-id.ts';
import { statementNotFound } from '../domain/statement.ts';
import { findStatementFiles, type StatementFiles } from '../store/statement-files.ts';
import { lineItemExamples } from './line-item-examples.ts';
import { LineItemBody, LineItemCsv, LineItemExportQuery } from './line-item-schemas.ts';
import { StatementPath, statementIdOf } from './statement-path.ts';

type Deps = {
  readonly db: Database;
  readonly parquet: ParquetReader;
  readonly openExports: Places;
};

type PresentedItem = ReturnType<typeof presentLineItem>;

type Format = {
  readonly extension: 'csv' | 'jsonl';
  readonly head: string;
  readonly lineOf: (item: PresentedItem) => string;
};

const jsonLines: Format = {
  extension: 'jsonl',
  head: '',
  lineOf: (item) => `${JSON.stringify(item)}\n`,
};

const csv: Format = {
  extension: 'csv',
  head: csvLine(lineItemFields),
  // The title is the only text that people wrote.
  lineOf: (item) =>
    csvLine(lineItemFields.map((name) => (name === 'title' ? csvText(item.title) : item[name]))),
};

const common = {
  tag: 'Statements',
  method: 'GET',
  scope: 'statements:read',
  params: StatementPath,
  query: LineItemExportQuery,
  problems: ['resource_not_found', 'quota_exceeded'],
} as const;

const resuming =
  'If the download is interrupted, drop the last line unless it is complete, and continue with `after`, the `id` of the last line you have';

export function lineItemExportRoutes(server: Server, deps: Deps): void {
  streamLines(
    server,
    deps.openExports,
    {
      ...common,
      id: 'exportLineItems',
      summary: 'Export line items as JSON lines',
      description: `Returns all line items of a statement, one JSON object for each line, in the order of the list. ${resuming}. The \`line_item_count\` of the statement says how many there are.`,
      path: '/v1/statements/:statement_id/line-items.jsonl',
      answers: { 200: LineItemBody },
      mediaType: 'application/jsonl',
      examples: lineItemExamples.exportLineItems,
    },
    ({ caller, params, query }) => exportItems(deps, caller.orgId, params, query.after, jsonLines),
  );
  streamLines(
    server,
    deps.openExports,
    {
      ...common,
      id: 'exportLineItemsCsv',
      summary: 'Export line items as CSV',
      description: `Returns all line items of a statement as CSV, in the order of the list. The first line has the names of the fields. A title that a spreadsheet would take for a formula begins with an apostrophe. ${resuming}: the names are not sent again, so the two parts fit together.`,
      path: '/v1/statements/:statement_id/line-items.csv',
      answers: { 200: LineItemCsv },
      mediaType: 'text/csv',
      examples: lineItemExamples.exportLineItemsCsv,
    },
    ({ caller, params, query }) => exportItems(deps, caller.orgId, params, query.after, csv),
  );
}

async function exportItems(
  { db, parquet }: Deps,
  orgId: OrgId,
  params: { readonly statement_id: string },
  after: string | undefined,
  format: Format,
) {
  const id = statementIdOf(params);
  const found = await db.readOnce(orgId, (tenant) =>
    findStatementFiles(tenant, orgId, id, 'items'),
  );
  if (found === undefined) throw statementNotFound();
  const last = after === undefined ? 0 : positionOf(after, id, found);
  const name = `${id}-line-items.${format.extension}`;
  return {
    headers: { 'content-disposition': `attachment; filename="${name}"` },
    lines: itemLines(parquet, { orgId, id, found, last }, format),
  };
}

function positionOf(after: string, id: StatementId, { rowCount }: StatementFiles): number {
  const position = positionIds('sli', id).positionOf(after);
  if (position !== undefined && position >= 1 && position <= rowCount) return position;
  const issue = 'must be the id of a line item of this statement';
  throw new Problem('invalid_parameter', `after ${issue}.`, {
    details: [{ field: 'after', issue: `after ${issue}.` }],
  });
}

type Export = {
  readonly orgId: OrgId;
  readonly id: StatementId;
  readonly found: StatementFiles;
  /** The position of the last line that the caller has. */
  readonly last: number;
};

/** Serialised at once; other requests are served in between. */
const linesAtOnce = 256;

/** One group of rows is in memory. The next is read when the caller has taken this one; no connection is held meanwhile. */
async function* itemLines(
  parquet: ParquetReader,
  { orgId, id, found, last }: Export,
  { head, lineOf }: Format,
): AsyncGenerator<string> {
  const { currency, files, rowCount } = found;
  const { idAt } = positionIds('sli', id);
  if (last === 0 && head !== '') yield head;
  for (let from = last + 1; from <= rowCount;) {
    const toExclusive = endOfGroup(files, from);
    const rows = await parquet.readRows(orgId, files, { from, toExclusive }, lineItemColumns);
    // A file without a row that it should have: the export ends in the middle, which the caller notices.
    if (rows.length !== toExclusive - from) throw new Error(`${id} has no row ${from}`);
    for (let at = 0; at < rows.length; at += linesAtOnce) {
      const begin = from + at;
      const some = rows.slice(at, at + linesAtOnce);
      yield some.map((row, i) => lineOf(presentLineItem(row, idAt(begin + i), currency))).join('');
    }
    from = toExclusive;
  }
}
