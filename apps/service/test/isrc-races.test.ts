/**
 * Two transactions that reserve and allocate ISRCs, in every order of statements: no ISRC is allocated twice, and none
 * that another transaction has named before is allocated. No order needs a retry: there are no deadlocks.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../scripts/servers/server.ts';
import { allocateIsrcs } from '../src/catalog/store/isrcs.ts';
import type { OrgId } from '../src/kernel/ids.ts';
import type { Isrc } from '../src/kernel/isrc.ts';
import type { Tx } from '../src/platform/db/database.ts';
import { interleave, openLockMonitor } from './interleavings.ts';
import { runConcurrently } from './proofs/client.ts';
import { databaseUrl, openTestService, type TestService } from './test-service.ts';

/** What a transaction reserves and allocates; `isRolledBack` if it fails at its end. */
type IsrcRequest = {
  readonly wanted?: number;
  readonly named?: readonly Isrc[];
  readonly now?: Date;
  readonly isRolledBack?: boolean;
};

const concurrency = 8;
const transactionsMin = 400;

/** Of two turns each: the call and the commit. A turn of a session that waits for the other one is left out. */
const orders = [
  [0, 0, 1, 1],
  [0, 1, 0, 1],
  [0, 1, 1, 0],
  [1, 0, 0, 1],
  [1, 0, 1, 0],
  [1, 1, 0, 0],
];
const isFirst = (session: number, order: readonly number[]): boolean => order[0] === session;

describe('ISRCs, in every order of statements', () => {
  let service: TestService;
  let locks: Awaited<ReturnType<typeof openLockMonitor>>;
  let registrants = 0;
  before(async () => {
    service = await openTestService({ now: '2026-12-31T23:59:59Z' });
    locks = await openLockMonitor(databaseUrl(service.database));
  });
  after(async () => {
    await locks.close();
    await service.close();
  });

  const givenRegistrant = async (orgId: string): Promise<string> => {
    const code = `QZR${String(registrants++).padStart(2, '0')}`;
    await service.admin('isrc', 'add-registrant', '--org', orgId, '--code', code);
    return code;
  };
  const ownerOf = (orgId: string) =>
    ({ orgId: orgId as OrgId, actor: { type: 'api_key', id: 'key_test' } }) as const;

  /** Runs both in this order, with a new organization; returns the ISRCs that each allocated. */
  async function run(
    order: readonly number[],
    requestsFor: (code: string) => readonly [IsrcRequest, IsrcRequest],
  ): Promise<{ readonly code: string; readonly allocated: readonly (readonly Isrc[])[] }> {
    const { orgId } = await service.givenOrganization({ prefix: null });
    const code = await givenRegistrant(orgId);
    const allocated: (readonly Isrc[])[] = [];
    let attempts = 0;
    const work = (request: IsrcRequest, session: number) => async (tx: Tx) => {
      attempts++;
      const { wanted = 0, named = [], now = tx.now } = request;
      allocated[session] = await allocateIsrcs({ ...tx, now }, wanted, named);
      if (request.isRolledBack === true) throw new Error('refused');
    };
    const sessions = requestsFor(code).map((request, i) => ({
      db: service.db,
      owner: ownerOf(orgId),
      work: work(request, i),
    }));
    await interleave(locks.isWaiting, sessions, order);
    assert.equal(attempts, sessions.length, `${order.join('')} needed a retry`);
    return { code, allocated };
  }

  test('two that allocate get different ISRCs', async () => {
    for (const order of orders) {
      const { allocated } = await run(order, () => [{ wanted: 2 }, { wanted: 2 }]);
      assert.equal(new Set(allocated.flat()).size, 4, order.join(''));
    }
  });

  test('an ISRC that is named first is not allocated', async () => {
    for (const order of orders) {
      const { code, allocated } = await run(order, (registrant) => [
        { named: [`${registrant}2600001`] },
        { wanted: 1 },
      ]);
      const expected = isFirst(0, order) ? `${code}2600002` : `${code}2600001`;
      assert.deepEqual(allocated[1], [expected], order.join(''));
    }
  });

  test('an ISRC whose naming is rolled back is allocated', async () => {
    for (const order of orders) {
      const { code, allocated } = await run(order, (registrant) => [
        { named: [`${registrant}2600001`], isRolledBack: true },
        { wanted: 1 },
      ]);
      assert.deepEqual(allocated[1], [`${code}2600001`], order.join(''));
    }
  });

  test('an ISRC of the next year that is named first is not allocated when that year begins', async () => {
    const now = new Date('2027-01-01T00:00:00Z');
    for (const order of orders) {
      const { code, allocated } = await run(order, (registrant) => [
        { named: [`${registrant}2700001`] },
        { wanted: 1, now },
      ]);
      const expected = isFirst(0, order) ? `${code}2700002` : `${code}2700001`;
      assert.deepEqual(allocated[1], [expected], order.join(''));
    }
  });

  test('two that name and allocate in one request', async () => {
    for (const order of orders) {
      const { code, allocated } = await run(order, (registrant) => [
        { wanted: 2, named: [`${registrant}2600003`, `${registrant}2700001`, 'ZZZZZ2600002'] },
        { wanted: 2, named: [`${registrant}2500001`, 'ZZZZZ2600002', `${registrant}2600001`] },
      ]);
      const expected = isFirst(0, order)
        ? { 0: ['2600001', '2600002'], 1: ['2600004', '2600005'] }
        : { 0: ['2600004', '2600005'], 1: ['2600002', '2600003'] };
      const designations = allocated.map((isrcs) => isrcs.map((isrc) => isrc.slice(code.length)));
      assert.deepEqual(designations, [expected[0], expected[1]], order.join(''));
    }
  });

  test('hundreds at once, that name and allocate around each other, do not deadlock', async () => {
    const { orgId } = await service.givenOrganization({ prefix: null });
    const code = await givenRegistrant(orgId);
    const allocated: Isrc[] = [];
    let transactions = 0;
    await runConcurrently(concurrency, async (loop) => {
      // Those that the others are about to allocate, of another year and of another registrant; every other loop only
      // names, in another order.
      const next = allocated.length + transactions;
      const near = [3, 1, 2].map((more) => `${code}26${String(next + more).padStart(5, '0')}`);
      const named = [...near, `${code}2700001`, 'ZZZZZ2600001', 'AAAAA2600001'];
      const isNaming = loop % 2 === 0;
      // transact() does not retry: a deadlock rejects.
      const isrcs = await service.db.transact(ownerOf(orgId), (tx) =>
        isNaming ? allocateIsrcs(tx, 0, named) : allocateIsrcs(tx, 2, named.toReversed()),
      );
      allocated.push(...isrcs);
      return ++transactions < transactionsMin;
    });
    assert.ok(transactions >= transactionsMin);
    assert.ok(allocated.length >= transactionsMin / 4);
    assert.equal(new Set(allocated).size, allocated.length);
  });

  test('an ISRC that is named before its registrant code is added is not allocated', async () => {
    const { orgId } = await service.givenOrganization({ prefix: null });
    const owner = ownerOf(orgId);
    const { allocating, code } = await service.db.transact(owner, async (tx) => {
      const next = `QZR${String(registrants).padStart(2, '0')}`;
      await allocateIsrcs(tx, 0, [`${next}2600001`]);
      assert.equal(await givenRegistrant(orgId), next);
      const other = service.db.transact(owner, (otherTx) => allocateIsrcs(otherTx, 1, []));
      const isWaiting = async () =>
        (
          await service.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length === 1;
      await until('the other transaction waits', isWaiting);
      return { allocating: [other], code: next };
    });
    assert.deepEqual(await allocating[0], [`${code}2600002`]);
  });
});
