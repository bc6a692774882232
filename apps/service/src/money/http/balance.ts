import type { Database } from '../../platform/db/database.ts';
import { ok } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { read } from '../../platform/http/read.ts';
import { presentBalance } from '../domain/present-ledger.ts';
import { findBalances } from '../store/ledger.ts';
import { findPayoutSettings } from '../store/payout-settings.ts';
import { findPendingNets } from '../store/pending-nets.ts';
import { ledgerExamples } from './ledger-examples.ts';
import { BalanceBody } from './ledger-schemas.ts';

export function balanceRoutes(server: Server, { db }: { readonly db: Database }): void {
  read(
    server,
    db,
    {
      id: 'getBalance',
      tag: 'Balance',
      summary: 'Get the balance',
      description:
        'Returns what you can be paid, what is reserved for payouts and what is held, for each currency. Currencies never offset each other.',
      method: 'GET',
      path: '/v1/balance',
      scope: 'payouts:read',
      answers: { 200: BalanceBody },
      examples: ledgerExamples.getBalance,
      problems: [],
    },
    async (ask, { caller }) => {
      const [balances, pendingNets, settings] = await Promise.all([
        ask((tenant) => findBalances(tenant, caller.orgId)),
        ask((tenant) => findPendingNets(tenant, caller.orgId)),
        ask((tenant) => findPayoutSettings(tenant, caller.orgId)),
      ]);
      return ok(presentBalance(balances, pendingNets, settings));
    },
  );
}
