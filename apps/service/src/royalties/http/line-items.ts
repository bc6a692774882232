/** Pages of the line items of a statement (spec §4.2, contract §1: by their position). */

import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { read } from '../../platform/http/read.ts';
import type { ParquetReader } from '../connectors/parquet-reader.ts';
import { lineItemColumns, presentLineItem } from '../domain/line-item.ts';
import { positionIds } from '../domain/position-id.ts';
import { pageOfRows, pageStart } from '../domain/position-page.ts';
import { statementNotFound } from '../domain/statement.ts';
import { findStatementFiles } from '../store/statement-files.ts';
import { lineItemExamples } from './line-item-examples.ts';
import { LineItemPage, LineItemQuery } from './line-item-schemas.ts';
import { StatementPath, statementIdOf } from './statement-path.ts';

type Deps = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly parquet: ParquetReader;
};

export function lineItemRoutes(server: Server, { db, keyring, parquet }: Deps): void {
  read(
    server,
    db,
    {
      id: 'listLineItems',
      tag: 'Statements',
      summary: 'List line items',
      description:
        'Returns a page of the line items of a statement, in an order that never changes. A statement that is `open` has none yet. To read millions of them, use an export: `/line-items.jsonl` or `/line-items.csv`.',
      method: 'GET',
      path: '/v1/statements/:statement_id/line-items',
      scope: 'statements:read',
      params: StatementPath,
      query: LineItemQuery,
      answers: { 200: LineItemPage },
      examples: lineItemExamples.listLineItems,
      problems: ['resource_not_found', 'invalid_cursor'],
    },
    async (ask, { caller: { orgId }, params, query }) => {
      const id = statementIdOf(params);
      const list = openList(keyring, orgId, `line_items/${id}`, query);
      const found = await ask((tenant) => findStatementFiles(tenant, orgId, id, 'items'));
      if (found === undefined) throw statementNotFound();
      const start = pageStart(list.page);
      const range = { from: start, toExclusive: start + list.page.limit };
      const rows = await parquet.readRows(orgId, found.files, range, lineItemColumns);
      const { idAt } = positionIds('sli', id);
      return list.answer(pageOfRows(rows, start, found.rowCount), ({ row, position }) =>
        presentLineItem(row, idAt(position), found.currency),
      );
    },
  );
}
