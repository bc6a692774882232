/** What becomes of payouts from the cut-off on (contract §3, ADR 0036), with the scripted bank over a real socket. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { workflowOwner } from '../src/kernel/actor.ts';
import { type Id, type OrgId, toUuid } from '../src/kernel/ids.ts';
import { wakePayout } from '../src/money/messages.ts';
import { readProcessingSeconds } from '../src/money/store/payouts.ts';
import { createTestPayout, givenPayee, openTestRail, type TestRail } from './rail-fixture.ts';
import { partnerOf } from './sandbox-partner.ts';
import { openTestService, type TestService } from './test-service.ts';
import { openWorkerDriver, type WorkerDriver } from './worker-driver.ts';

const monday = '2026-11-16T09:00:00.000Z';

describe('payouts from the cut-off on', () => {
  let service: TestService;
  let testRail: TestRail;
  let driver: WorkerDriver;
  before(async () => {
    service = await openTestService({ now: monday });
    testRail = await openTestRail(service);
    driver = openWorkerDriver(service, undefined, undefined, testRail.rail);
  });
  after(async () => {
    await testRail.close();
    await service.close();
  });

  const newPayee = async () => {
    const partner = partnerOf(service, await service.givenOrganization());
    const { caller } = partner;
    const org = toUuid(caller.orgId as OrgId);
    await givenPayee(service, caller);
    const rowOf = async (id: Id<'pay'>) => {
      const [row] = await service.query(
        'select *, arrives_on::text as arrives_on from payouts where org_id = $1 and id = $2',
        [org, toUuid(id)],
      );
      return row;
    };
    return {
      caller,
      script: (...steps: object[]) => partner.addScenario(steps, { message: 'payout' }),
      create: (amount = '100.00') => createTestPayout(caller, amount),
      advance: async (body: object) => {
        await partner.ask('POST', '/v1/sandbox/clock/advance', body);
        await driver.runUntilIdle();
        assert.equal((await partner.clock()).status, 'idle', 'the clock has arrived');
      },
      rowOf,
      statusOf: async (id: Id<'pay'>): Promise<string> => (await rowOf(id)).status,
      /** By account, without those that are zero. */
      balances: async (): Promise<Record<string, number>> => {
        const rows = await service.query(
          `select distinct on (currency, account) account, balance_after from ledger_entries
            where org_id = $1 order by currency, account, version desc`,
          [org],
        );
        return Object.fromEntries(
          rows
            .map(({ account, balance_after }): [string, number] => [account, Number(balance_after)])
            .filter(([, balance]) => balance !== 0),
        );
      },
      transitionsOf: async (id: Id<'pay'>): Promise<string[]> => {
        const rows = await service.query(
          'select to_status, cause, at from payout_transitions where org_id = $1 and payout_id = $2 order by number',
          [org, toUuid(id)],
        );
        return rows.map(({ to_status, cause, at }) => `${to_status} ${cause} ${at.toISOString()}`);
      },
      attemptsOf: async (id: Id<'pay'>): Promise<string[]> => {
        const rows = await service.query(
          'select action, outcome from payout_attempts where org_id = $1 and payout_id = $2 order by number',
          [org, toUuid(id)],
        );
        return rows.map(({ action, outcome }) => `${action} ${outcome}`);
      },
    };
  };
  const madeFor = async (id: string) =>
    (await testRail.payments()).find(({ key }) => key === id)?.payments_made ?? 0;

  test('contract §3: pending until the cut-off, then sent, in transit, and paid on the day it arrives', async () => {
    const payee = await newPayee();
    const id = await payee.create();
    await payee.advance({ to: '2026-11-16T11:59:59.000Z' });
    assert.equal(await payee.statusOf(id), 'pending');
    assert.deepEqual(await payee.balances(), {
      payable: 900,
      payout_reserved: 100,
      store_receivable: -1000,
    });
    await payee.advance({ to: '2026-11-16T12:00:00.000Z' });
    const sent = await payee.rowOf(id);
    assert.deepEqual([sent.status, sent.arrives_on], ['in_transit', '2026-11-17']);
    assert.match(sent.rail_reference, /^BANK-/);
    assert.deepEqual(await payee.balances(), { payable: 900, cash: 100, store_receivable: -1000 });
    await payee.advance({ to: '2026-11-17T12:00:00.000Z' });
    assert.deepEqual(await payee.transitionsOf(id), [
      'pending created 2026-11-16T09:00:00.000Z',
      'processing cut_off 2026-11-16T12:00:00.000Z',
      'in_transit rail_accepted 2026-11-16T12:00:00.000Z',
      'paid rail_confirmed 2026-11-17T12:00:00.000Z',
    ]);
    assert.deepEqual(await payee.attemptsOf(id), ['send accepted', 'ask confirmed']);
    assert.equal(await madeFor(id), 1);
  });

  test('contract §3: a payout of a Friday afternoon is sent on Monday at noon', async () => {
    const payee = await newPayee();
    await payee.advance({ to: '2026-11-20T12:00:00.000Z' });
    const id = await payee.create();
    await payee.advance({ to: '2026-11-23T11:59:59.000Z' });
    assert.equal(await payee.statusOf(id), 'pending');
    await payee.advance({ by: '1s' });
    assert.equal(await payee.statusOf(id), 'in_transit');
  });

  test('contract §3: refused by the rail, it fails and the money is back', async () => {
    const payee = await newPayee();
    await payee.script({ action: 'refuse', code: 'account_closed' });
    const id = await payee.create();
    await payee.advance({ by: '1d' });
    const { status, failure_code } = await payee.rowOf(id);
    assert.deepEqual([status, failure_code], ['failed', 'account_closed']);
    assert.deepEqual(await payee.balances(), { payable: 1000, store_receivable: -1000 });
    assert.equal(await madeFor(id), 0);
  });

  test('contract §3: an unknown outcome stays processing; the rail is asked, and nothing is sent again', async () => {
    const payee = await newPayee();
    await payee.script({ action: 'unknown' });
    const id = await payee.create();
    await payee.advance({ to: '2026-11-16T12:00:59.000Z' });
    assert.equal(await payee.statusOf(id), 'processing');
    assert.equal((await payee.balances())['payout_reserved'], 100);
    await payee.advance({ by: '1s' });
    assert.equal(await payee.statusOf(id), 'in_transit');
    assert.deepEqual(await payee.attemptsOf(id), ['send unknown', 'ask in_transit']);
    await payee.advance({ by: '2d' });
    assert.equal(await payee.statusOf(id), 'paid');
    assert.equal(await madeFor(id), 1);
  });

  test('contract §3: a slow rail is waited for', async () => {
    const payee = await newPayee();
    await payee.script({ action: 'slow', after: '1s' });
    const id = await payee.create();
    await payee.advance({ by: '4h' });
    assert.equal(await payee.statusOf(id), 'in_transit');
    assert.deepEqual(await payee.attemptsOf(id), ['send accepted']);
  });

  test('contract §3: paid, and returned weeks later when it bounces; the balance is back', async () => {
    const payee = await newPayee();
    await payee.script({ action: 'bounce', after: '20d', code: 'account_closed' });
    const id = await payee.create();
    await payee.advance({ by: '15d' });
    assert.equal(await payee.statusOf(id), 'paid');
    await payee.advance({ by: '15d' });
    const { status, failure_code } = await payee.rowOf(id);
    assert.deepEqual([status, failure_code], ['returned', 'account_closed']);
    assert.deepEqual(await payee.balances(), { payable: 1000, store_receivable: -1000 });
    assert.deepEqual((await payee.attemptsOf(id)).slice(-2), ['ask confirmed', 'ask bounced']);
  });

  test('contract §3: a payment that bounces before it arrives is returned from in transit', async () => {
    const payee = await newPayee();
    await payee.script({ action: 'bounce', after: '1h' });
    const id = await payee.create();
    await payee.advance({ by: '2d' });
    assert.deepEqual(
      (await payee.transitionsOf(id)).map((line) => line.split(' ')[0]),
      ['pending', 'processing', 'in_transit', 'returned'],
    );
  });

  test('contract §3: the screening at the cut-off holds a payout that was clear when it was created', async () => {
    const payee = await newPayee();
    await payee.script({ action: 'review_at_cut_off' });
    const id = await payee.create();
    assert.equal(await payee.statusOf(id), 'pending');
    await payee.advance({ by: '60d' });
    assert.equal(await payee.statusOf(id), 'on_hold', 'it never expires by itself');
    assert.deepEqual(await payee.attemptsOf(id), []);
  });

  test('contract §4: steps are for payouts in the order of their creation; then payments are accepted', async () => {
    const payee = await newPayee();
    await payee.script(
      { action: 'refuse', code: 'a' },
      { action: 'review' },
      { action: 'unknown' },
    );
    const ids = [await payee.create(), await payee.create(), await payee.create()];
    const last = await payee.create();
    await payee.advance({ by: '1d' });
    const statuses = await Promise.all([...ids, last].map(payee.statusOf));
    assert.deepEqual(statuses, ['failed', 'on_hold', 'in_transit', 'in_transit']);
  });

  test('every message may come twice and in any order: nothing is paid, moved or asked twice', async () => {
    const payee = await newPayee();
    const id = await payee.create();
    const orgId = payee.caller.orgId as OrgId;
    const wake = (handler: Parameters<typeof wakePayout>[2]) =>
      driver.handle(wakePayout(orgId, id, handler));
    for (const handler of ['ask', 'cutOff', 'checkHolds', 'expire'] as const) await wake(handler);
    assert.equal(await payee.statusOf(id), 'pending', 'none of them is due');
    await payee.advance({ by: '4h' });
    for (const handler of ['cutOff', 'cutOff', 'expire', 'checkHolds'] as const)
      await wake(handler);
    assert.equal(await payee.statusOf(id), 'in_transit');
    assert.deepEqual(await payee.attemptsOf(id), ['send accepted']);
    await Promise.all([wake('ask'), wake('ask')]);
    await payee.advance({ by: '5d' });
    assert.equal(await payee.statusOf(id), 'paid');
    assert.equal(await madeFor(id), 1);
    assert.deepEqual(await payee.balances(), { payable: 900, cash: 100, store_receivable: -1000 });
  });
});

describe('payouts while the rail is away', () => {
  test('contract §3: processing; asked after 1, 5, 15 and 60 minutes, and sent once the rail is back', async () => {
    const service = await openTestService({ now: monday });
    const testRail = await openTestRail(service);
    let isAway = true;
    const whileThere =
      <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
      async (...args: Args): Promise<T> => {
        if (isAway) throw new Error('connect ECONNREFUSED');
        return call(...args);
      };
    const { simulate, send, ask } = testRail.rail;
    const rail = { simulate, send: whileThere(send), ask: whileThere(ask) };
    const driver = openWorkerDriver(service, undefined, undefined, rail);
    const partner = partnerOf(service, await service.givenOrganization());
    await givenPayee(service, partner.caller);
    const id = await createTestPayout(partner.caller, '100.00');
    const advance = async (body: object) => {
      await partner.ask('POST', '/v1/sandbox/clock/advance', body);
      await driver.runUntilIdle();
    };
    await advance({ to: '2026-11-16T14:30:00.000Z' });
    const attempts = await service.query(
      'select outcome, detail, at from payout_attempts order by number',
    );
    assert.deepEqual(
      attempts.map(({ at }) => at.toISOString().slice(11, 19)),
      ['12:00:00', '12:01:00', '12:06:00', '12:21:00', '13:21:00', '14:21:00'],
    );
    assert.deepEqual(attempts[0].detail, 'connect ECONNREFUSED');
    const statusOf = async () => (await service.query('select status from payouts'))[0].status;
    assert.equal(await statusOf(), 'processing');
    const owner = workflowOwner(partner.caller.orgId as OrgId, 'measures');
    const seconds = await service.workerDb.transact(owner, readProcessingSeconds);
    assert.equal(seconds, 2.5 * 3_600, 'what the alert PayoutsStuck sees');
    isAway = false;
    await advance({ by: '1h' });
    assert.equal(await statusOf(), 'in_transit');
    const [payment] = await testRail.payments();
    assert.deepEqual([payment?.key, payment?.payments_made], [id, 1]);
    await testRail.close();
    await service.close();
  });
});
