/** The source of one line item, for the proof of its statement. */

import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Database } from '../../platform/db/database.ts';
import type { FindSourceRows } from '../connectors/find-source-rows.ts';
import type { ParquetReader } from '../connectors/parquet-reader.ts';
import { lineItemColumns, presentLineItem } from '../domain/line-item.ts';
import { positionIds } from '../domain/position-id.ts';
import { sourceKeyOf, type SourceRow } from '../domain/source-row.ts';
import type { PublishedStatement } from '../domain/statement-proof.ts';
import { findSourceParts } from '../store/statement-artifacts.ts';
import { findStatementFiles } from '../store/statement-files.ts';

export type SourceDeps = {
  readonly db: Database;
  readonly parquet: ParquetReader;
  readonly findSourceRows: FindSourceRows;
};

/** Throws a Problem for an id that no line item of the statement has. */
export async function readSource(
  { db, parquet, findSourceRows }: SourceDeps,
  orgId: OrgId,
  { id, currency }: PublishedStatement,
  lineItemId: string,
) {
  const ids = positionIds('sli', id);
  const position = ids.positionOf(lineItemId);
  if (position === undefined) throw unknownLineItem();
  const found = await db.readOnce(orgId, (tenant) =>
    findStatementFiles(tenant, orgId, id, 'items'),
  );
  const range = { from: position, toExclusive: position + 1 };
  const [item] = await parquet.readRows(orgId, found?.files ?? [], range, lineItemColumns);
  if (item === undefined) throw unknownLineItem();
  const parts = await db.readOnce(orgId, (tenant) => findSourceParts(tenant, id, item.report_id));
  const source = await findSourceRows(orgId, parts, sourceKeyOf(item, toUuid(orgId)));
  if (source.amount !== item.source_amount || BigInt(source.playCount) !== item.play_count)
    throw new Error(`${lineItemId} has ${item.source_amount}, its rows have ${source.amount}`);
  return {
    line_item: presentLineItem(item, ids.idAt(position), currency),
    report_id: toWire('rpt', item.report_id),
    parts: parts.map(({ number, sha256 }) => ({ number, sha256 })),
    row_count: source.rowCount,
    rows: source.rows.map(presentRow),
  };
}

const presentRow = ({ part, row, title, playCount, amount }: SourceRow) => ({
  part,
  row,
  title,
  play_count: playCount,
  source_amount: amount,
});

const unknownLineItem = () =>
  new Problem('invalid_parameter', 'No line item of this statement has this id.', {
    details: [{ field: 'line_item', issue: 'must be the id of a line item of this statement' }],
  });
