import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { read } from '../../platform/http/read.ts';
import { presentEarningHold } from '../domain/present-ledger.ts';
import { listEarningHolds } from '../store/earning-holds.ts';
import { ledgerExamples } from './ledger-examples.ts';
import { EarningHoldListQuery, EarningHoldPage } from './ledger-schemas.ts';

type Deps = { readonly db: Database; readonly keyring: Keyring };

export function earningHoldRoutes(server: Server, { db, keyring }: Deps): void {
  read(
    server,
    db,
    {
      id: 'listEarningHolds',
      tag: 'Balance',
      summary: 'List earning holds',
      description:
        'Returns a page of the earnings that were ever held, newest first. A hold concerns single earnings: the rest of your balance stays payable. Each change is also an event: `earnings.held`, `earnings.released` or `earnings.forfeited`.',
      method: 'GET',
      path: '/v1/earning_holds',
      scope: 'statements:read',
      query: EarningHoldListQuery,
      answers: { 200: EarningHoldPage },
      examples: ledgerExamples.listEarningHolds,
      problems: ['invalid_cursor'],
    },
    async (ask, { caller, query }) => {
      const list = openList(keyring, caller.orgId, 'earning_holds', query);
      const { status, currency } = query;
      const filters = { status, currency };
      const page = await ask((tenant) =>
        listEarningHolds(tenant, caller.orgId, filters, list.page),
      );
      return list.answer(page, presentEarningHold);
    },
  );
}
