import { addMs } from '../../kernel/duration.ts';
import { parseId } from '../../kernel/ids.ts';
import { enforce, toProblem } from '../../kernel/problem.ts';
import { type QuotaPolicy, refuseBeyond } from '../../kernel/quota.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import { setTimer } from '../../platform/engine/timers.ts';
import type { Screening } from '../connectors/screening.ts';
import { nextCutOff } from '../domain/cut-off.ts';
import { payoutLifetimeMs } from '../domain/payout-check.ts';
import { type PayoutMethod, toDestination } from '../domain/payout-method.ts';
import { minimumOf } from '../domain/payout-minimum.ts';
import { type PayoutTerms, type Sum, termsOf } from '../domain/payout-terms.ts';
import { entriesOfCreation, type Payout, type PayoutId } from '../domain/payout.ts';
import type { PayoutWithHolds } from '../domain/present-payout.ts';
import {
  methodMissing,
  rateMissing,
  refuseBelowMinimum,
  refuseDecimals,
  refuseEmpty,
  refuseNamedMethod,
  refuseOverdraft,
  refuseRetry,
  taxProfileMissing,
} from '../domain/refuse-payout.ts';
import { payoutStatusChanged } from '../events.ts';
import { wakePayout } from '../messages.ts';
import { findFxRate } from '../store/fx-rates.ts';
import { findBalance, lockLedger, post } from '../store/ledger.ts';
import { findActiveMethods, findPayoutMethod } from '../store/payout-methods.ts';
import { findPayoutSettings } from '../store/payout-settings.ts';
import {
  countOpenPayouts,
  findPayout,
  findRetryOf,
  insertPayout,
  insertTransition,
} from '../store/payouts.ts';
import { findTaxProfile } from '../store/tax-profiles.ts';
import { findHoldsToOpen } from './check-payout.ts';
import { openHolds } from './payout-holds.ts';

export type PayoutRequest = Sum & {
  /** As sent. Undefined: the newest active method, if possible one of the same currency. */
  readonly payoutMethodId?: string | undefined;
  /** As sent. */
  readonly retryOf?: string | undefined;
};

/**
 * Reserves the amount, and schedules the cut-off and the expiry. The ledger is locked before the balance is read, so
 * concurrent payouts cannot spend the same money. Without `quotas`: a payout of the organization's schedule.
 */
export async function createPayout(
  tx: Tx,
  request: PayoutRequest,
  { screen, quotas }: { readonly screen: Screening; readonly quotas?: QuotaPolicy },
): Promise<PayoutWithHolds> {
  const sum: Sum = { amount: request.amount, currency: request.currency };
  enforce(refuseDecimals(sum));
  lockLedger(tx);
  if (quotas !== undefined)
    enforce(refuseBeyond(quotas, 'open_payouts', (await countOpenPayouts(tx)) + 1));
  const { method, retryOf } = await findReferences(tx, request);
  await enforceBalance(tx, sum);
  const terms = await findTerms(tx, sum, method);
  enforce(refuseEmpty(terms));
  const payout = newPayout(tx, { sum, method, terms, retryOf });
  insertPayout(tx, payout);
  insertTransition(tx, payout.id, { from: null, to: payout.status, cause: 'created' });
  post(tx, [{ key: `payout.created:${payout.id}`, entries: entriesOfCreation(payout) }]);
  appendEvent(tx, payoutStatusChanged(null, { payout, holds: [] }));
  setTimer(tx, payout.expiresAt, wakePayout(tx.orgId, payout.id, 'expire'));
  const holds = await findHoldsToOpen(tx, payout, { stage: 'created', screen });
  if (holds.length > 0) return openHolds(tx, payout, holds);
  setTimer(tx, payout.cutOffAt, wakePayout(tx.orgId, payout.id, 'cutOff'));
  return { payout, holds: [] };
}

type References = { readonly method: PayoutMethod; readonly retryOf: PayoutId | null };

/** The method and the retried payout; refuses ids that name none, and an organization without method or tax profile. */
async function findReferences(tx: Tx, request: PayoutRequest): Promise<References> {
  const [named, retryOf] = [await findNamedMethod(tx, request), await findRetried(tx, request)];
  const [active, taxProfile] = await Promise.all([
    findActiveMethods(tx, tx.orgId),
    findTaxProfile(tx, tx.orgId),
  ]);
  const usual = active.find(({ currency }) => currency === request.currency) ?? active[0];
  const method = named ?? usual;
  if (method === undefined) throw toProblem(methodMissing);
  if (taxProfile === undefined) throw toProblem(taxProfileMissing);
  return { method, retryOf };
}

async function findNamedMethod(
  tx: Tx,
  { payoutMethodId: sent }: PayoutRequest,
): Promise<PayoutMethod | undefined> {
  if (sent === undefined) return undefined;
  const id = parseId('pm', sent);
  const method = id && (await findPayoutMethod(tx, tx.orgId, id));
  enforce(refuseNamedMethod(method));
  return method;
}

async function findRetried(tx: Tx, { retryOf: sent }: PayoutRequest): Promise<PayoutId | null> {
  if (sent === undefined) return null;
  const id = parseId('pay', sent);
  const [retried, retry] = await Promise.all([
    id && findPayout(tx, tx.orgId, id),
    id && findRetryOf(tx, id),
  ]);
  enforce(refuseRetry(retried, retry));
  return id ?? null;
}

async function findTerms(tx: Tx, sum: Sum, { currency: to }: PayoutMethod): Promise<PayoutTerms> {
  if (to === sum.currency) return termsOf(sum, undefined);
  const rate = await findFxRate(tx, sum.currency, to);
  if (rate === undefined) throw toProblem(rateMissing(sum.currency, to));
  return termsOf(sum, { to, rate });
}

async function enforceBalance(tx: Tx, sum: Sum): Promise<void> {
  const [settings, available] = await Promise.all([
    findPayoutSettings(tx, tx.orgId),
    findBalance(tx, tx.orgId, sum.currency, 'payable'),
  ]);
  enforce(
    refuseBelowMinimum(sum, minimumOf(settings, sum.currency)) ?? refuseOverdraft(sum, available),
  );
}

function newPayout(
  tx: Tx,
  { sum, method, terms, retryOf }: References & { readonly sum: Sum; readonly terms: PayoutTerms },
): Payout {
  return {
    id: tx.newId('pay'),
    status: 'pending',
    ...sum,
    ...terms,
    payoutMethodId: method.id,
    destination: toDestination(method),
    retryOf,
    statementIds: [],
    failureCode: null,
    railReference: null,
    arrivesOn: null,
    cutOffAt: nextCutOff(tx.now),
    expiresAt: addMs(tx.now, payoutLifetimeMs),
    createdAt: tx.now,
    updatedAt: tx.now,
  };
}
