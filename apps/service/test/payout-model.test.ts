/**
 * Random orders of what partners, operators, timers and the rail do to payouts, on the database: after every operation
 * the service agrees with the model of `payout-model.ts` (contract §3; ADR 0036).
 */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { workflowOwner } from '../src/kernel/actor.ts';
import { type Id, type OrgId, toUuid } from '../src/kernel/ids.ts';
import { toMicros } from '../src/kernel/money.ts';
import { enforce, Problem } from '../src/kernel/problem.ts';
import { cancelPayout } from '../src/money/commands/cancel-payout.ts';
import { checkHolds } from '../src/money/commands/check-holds.ts';
import { createPayout } from '../src/money/commands/create-payout.ts';
import { cutOffPayout } from '../src/money/commands/cut-off-payout.ts';
import { expirePayout } from '../src/money/commands/expire-payout.ts';
import { lockPayoutWithHolds } from '../src/money/commands/lock-payout.ts';
import { openHold, rejectHold, releaseHold } from '../src/money/commands/payout-holds.ts';
import { type PaymentResult, recordPayment } from '../src/money/commands/settle-payment.ts';
import type { Screening } from '../src/money/connectors/screening.ts';
import type { PayoutWithHolds } from '../src/money/domain/present-payout.ts';
import { refuseHold } from '../src/money/domain/refuse-payout.ts';
import { findBalances } from '../src/money/store/ledger.ts';
import { findOpenHolds } from '../src/money/store/payout-holds.ts';
import { listPayouts } from '../src/money/store/payouts.ts';
import { appendAudit } from '../src/platform/db/audit.ts';
import type { Tx } from '../src/platform/db/database.ts';
import {
  addEarnings,
  mondayMorning,
  openPayoutFixture,
  type PayoutFixture,
} from './payout-fixture.ts';
import { apply, type Model, newModel, type Op, type RailAnswer } from './payout-model.ts';
import { anyOp, tours } from './payout-orders.ts';
import { databaseUrl } from './test-service.ts';

const timeLimitMs = 12_000;
const runsMin = 10;
const runsMax = 500;
const opsMax = 30;
const balance = 300;
const microsPerUnit = 1_000_000n;

/** A tax profile and a payout method. */
const payeeRows = `
  with profile as (
    insert into tax_profiles (org_id, residence, form, created_at, updated_at, actor_type, actor_id)
    values ($1, 'DE', 'none', now(), now(), 'workflow', 'test')
  )
  insert into payout_methods (org_id, id, type, country, currency, last_four, sealed_details, status, usable_from,
                              requested_by, created_at, updated_at, actor_type, actor_id)
  values ($1, $2, 'bank_account', 'DE', 'EUR', '3000', '', 'active', 'epoch', 'test', 'epoch', 'epoch', 'workflow',
          'test')`;

describe('contract §3: payouts agree with the model', () => {
  let fixture: PayoutFixture;
  const reached = new Set<string>();
  /** One connection for what the test changes directly: the clock of the sandbox, and the causes of holds. */
  let owner: pg.Client;
  before(async () => {
    fixture = await openPayoutFixture();
    owner = new pg.Client(databaseUrl(fixture.service.database));
    await owner.connect();
  });
  after(async () => {
    await owner.end();
    await fixture.close();
  });

  test('after every operation, in random orders', async (t) => {
    const endsAt = performance.now() + timeLimitMs;
    let runs = 0;
    const orders = fc.array(anyOp, { minLength: 10, maxLength: opsMax });
    const property = fc.asyncProperty(orders, async (ops) => {
      // An interrupt of fast-check would leave the transactions of the last run open.
      if (performance.now() > endsAt) return;
      await runOps(ops);
      runs++;
    });
    await fc.assert(property, {
      numRuns: runsMax,
      examples: tours.map((ops): [Op[]] => [[...ops]]),
    });
    t.diagnostic(`${runs} orders`);
    assert.ok(runs >= runsMin, `only ${runs} orders`);
    const expected =
      'canceled compliance_review failed identity_verification in_transit manual on_hold paid payout_method_changed pending processing returned tax_form_missing';
    assert.equal([...reached].toSorted().join(' '), expected);
  });

  async function runOps(ops: readonly Op[]): Promise<void> {
    const { id = '' } = await fixture.service.admin(
      'org',
      'create',
      '--name',
      'M',
      '--tier',
      'growth',
    );
    const org = { id: id as OrgId, uuid: toUuid(id as OrgId) };
    await owner.query(payeeRows, [org.uuid, randomUUID()]);
    await addEarnings(fixture.service, { orgId: id }, String(balance));
    const model = newModel(Date.parse(mondayMorning), balance);
    const ids: Id<'pay'>[] = [];
    for (const op of ops) {
      const isAccepted = apply(model, op);
      assert.equal(await execute(org, model.now, op, ids), isAccepted, JSON.stringify(op));
      await compare(org.id, model, ids, op);
    }
  }

  type Organization = { readonly id: OrgId; readonly uuid: string };

  /** False: it was refused. `now`: the business time after the operation. */
  async function execute(
    { id: orgId, uuid }: Organization,
    now: number,
    op: Op,
    ids: Id<'pay'>[],
  ): Promise<boolean> {
    switch (op.op) {
      case 'wait':
        await owner.query('update organizations set clock_offset_ms = $2 where org_id = $1', [
          uuid,
          now - Date.parse(mondayMorning),
        ]);
        return true;
      case 'verify':
        await owner.query('update organizations set verification_status = $2 where org_id = $1', [
          uuid,
          op.isVerified ? 'verified' : 'unverified',
        ]);
        return true;
      case 'taxForm':
        await owner.query('update tax_profiles set expires_on = $2 where org_id = $1', [
          uuid,
          op.isValid ? null : '2026-01-01',
        ]);
        return true;
      case 'changeMethod':
        await owner.query('update payout_methods set usable_from = $2 where org_id = $1', [
          uuid,
          new Date(now + 72 * 3_600_000),
        ]);
        return true;
      default: {
        const id = op.op === 'create' ? undefined : ids.at(-1 - op.payout);
        if (op.op !== 'create' && id === undefined) return true;
        return transact(orgId, async (tx) => {
          const created = await change(tx, op, id);
          if (created !== undefined) ids.push(created);
        });
      }
    }
  }

  async function transact(orgId: OrgId, work: (tx: Tx) => Promise<void>): Promise<boolean> {
    try {
      await fixture.service.workerDb.transact(workflowOwner(orgId, 'test'), async (tx) => {
        await work(tx);
        appendAudit(tx, { action: 'test.run', auditedId: orgId, before: undefined, after: {} });
      });
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }

  async function change(
    tx: Tx,
    op: Exclude<Op, { readonly op: 'wait' | 'verify' | 'taxForm' | 'changeMethod' }>,
    id: Id<'pay'> | undefined,
  ): Promise<Id<'pay'> | undefined> {
    if (op.op === 'create') {
      const amount = toMicros(BigInt(op.amount) * microsPerUnit);
      const request = { amount, currency: 'EUR' } as const;
      return (await createPayout(tx, request, { screen: screening(op.isReview) })).payout.id;
    }
    assert.ok(id !== undefined);
    const commands = {
      cancel: () => cancelPayout(tx, id),
      expire: () => expirePayout(tx, id),
      checkHolds: () => checkHolds(tx, id),
    };
    switch (op.op) {
      case 'hold':
      case 'release':
      case 'reject':
        await changeHold(tx, op, id);
        return undefined;
      case 'cutOff':
        await cutOffPayout(tx, id, screening(op.isReview));
        return undefined;
      case 'rail':
        await settle(tx, op.answer, id);
        return undefined;
      default:
        await commands[op.op]();
        return undefined;
    }
  }

  async function changeHold(
    tx: Tx,
    op: Extract<Op, { readonly reason: string }>,
    id: Id<'pay'>,
  ): Promise<PayoutWithHolds> {
    const held = await lockPayoutWithHolds(tx, id);
    assert.ok(held !== undefined);
    if (op.op === 'release') return releaseHold(tx, held.payout, op.reason);
    if (op.op === 'reject') return rejectHold(tx, held.payout, op.reason);
    enforce(refuseHold(held, op.reason));
    return openHold(tx, held.payout, { reason: op.reason, requirements: [], dueBy: null });
  }

  async function settle(tx: Tx, answer: RailAnswer, id: Id<'pay'>): Promise<void> {
    const held = await lockPayoutWithHolds(tx, id);
    assert.ok(held !== undefined);
    // A rail that has accepted a payment does not refuse it later.
    if (answer === 'refused' && held.payout.status !== 'processing') return;
    const sent = { reference: 'R1', arrivesOn: '2026-11-18', code: 'closed' };
    const result = {
      action: 'ask',
      answer:
        answer === 'unknown' ? { outcome: answer, why: 'test' } : { outcome: answer, ...sent },
    } as PaymentResult;
    await recordPayment(tx, { payout: held.payout } as Parameters<typeof recordPayment>[1], result);
  }

  const screening =
    (needsReview: boolean): Screening =>
    async () =>
      needsReview ? 'review' : 'clear';

  async function compare(
    org: OrgId,
    model: Model,
    ids: readonly Id<'pay'>[],
    op: Op,
  ): Promise<void> {
    const [page, holds, balances] = await fixture.service.workerDb.readTogether(org, (tenant) =>
      Promise.all([
        listPayouts(tenant, org, {}, { limit: 100, after: undefined }),
        findOpenHolds(tenant, org, ids),
        findBalances(tenant, org),
      ]),
    );
    const byId = new Map(page.items.map((each) => [each.id, each]));
    const actual = ids.map((id) => ({
      status: byId.get(id)?.status,
      holds: (holds.get(id) ?? []).map((hold) => hold.reason).toSorted(),
    }));
    const expected = model.payouts.map((each) => ({
      status: each.status,
      holds: [...each.holds.keys()].toSorted(),
    }));
    assert.deepEqual(actual, expected, JSON.stringify(op));
    for (const each of actual) {
      assert.ok(
        each.holds.length === 0 || each.status === 'on_hold',
        'only on_hold has open holds',
      );
      for (const word of [each.status, ...each.holds]) reached.add(word ?? '');
    }
    const balanceOf = (account: string) =>
      (balances.find((each) => each.account === account)?.balance ?? 0n) / microsPerUnit;
    assert.deepEqual(
      [balanceOf('payable'), balanceOf('payout_reserved'), balanceOf('cash')],
      [model.available, model.reserved, model.cash].map(BigInt),
      JSON.stringify(op),
    );
  }
});
