import { parseId } from '../../kernel/ids.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { read } from '../../platform/http/read.ts';
import { presentAdjustment } from '../domain/present-ledger.ts';
import { listAdjustments } from '../store/adjustments.ts';
import { ledgerExamples } from './ledger-examples.ts';
import { AdjustmentListQuery, AdjustmentPage } from './ledger-schemas.ts';

type Deps = { readonly db: Database; readonly keyring: Keyring };

export function adjustmentRoutes(server: Server, { db, keyring }: Deps): void {
  read(
    server,
    db,
    {
      id: 'listAdjustments',
      tag: 'Balance',
      summary: 'List adjustments',
      description:
        'Returns a page of the adjustments of your balance, newest first: fines, chargebacks, corrections and whatever else is not a royalty. An adjustment never changes; a wrong one is corrected by another one. Each one is also the event `adjustment.created`.',
      method: 'GET',
      path: '/v1/adjustments',
      scope: 'statements:read',
      query: AdjustmentListQuery,
      answers: { 200: AdjustmentPage },
      examples: ledgerExamples.listAdjustments,
      problems: ['invalid_cursor'],
    },
    async (ask, { caller, query }) => {
      const list = openList(keyring, caller.orgId, 'adjustments', query);
      const { type, currency, statement_id: id } = query;
      const statementId = id === undefined ? undefined : parseId('stm', id);
      const filters = { type, currency, statementId };
      const page = await ask((tenant) => listAdjustments(tenant, caller.orgId, filters, list.page));
      return list.answer(page, presentAdjustment);
    },
  );
}
