/** Runs of royalties on a real database and object store, with calculations in child processes. */

import assert from 'node:assert/strict';
import { after, before as beforeAll, describe, test } from 'node:test';
import { workflowOwner } from '../src/kernel/actor.ts';
import { type Id, type OrgId, toUuid } from '../src/kernel/ids.ts';
import { toMicros } from '../src/kernel/money.ts';
import { systemOrgId } from '../src/kernel/system-organization.ts';
import { transfer } from '../src/money/domain/ledger.ts';
import { post } from '../src/money/store/ledger.ts';
import { type RunHandler, wakeRun } from '../src/royalties/messages.ts';
import { findUnmovedSince } from '../src/royalties/store/runs.ts';
import type { Json } from './delivery-fixture.ts';
import { adjust } from './ledger-fixture.ts';
import { checkLedger } from './payout-fixture.ts';
import { openRunFixture, type RunFixture } from './run-fixture.ts';
import type { OrgClient } from './test-service.ts';

const partnerTables = [
  'statements',
  'statement_artifacts',
  'royalty_totals',
  'royalty_market_totals',
  'royalty_track_totals',
  'royalty_label_totals',
  'royalty_sections',
  'pending_nets',
];

const balanceOf = async ({ call }: OrgClient): Promise<Json> =>
  (await call('GET', '/v1/balance')).json.data[0];

const rowsOf = async ({ service }: RunFixture, { orgId }: OrgClient) => {
  const counts: Record<string, number> = {};
  for (const table of [...partnerTables, 'ledger_entries', 'adjustments', 'events']) {
    const [row] = await service.query(`select count(*)::int as n from ${table} where org_id = $1`, [
      toUuid(orgId as Id<'org'>),
    ]);
    counts[table] = row.n;
  }
  return counts;
};

/** Reserves an amount for a payout, and pays a part of it. */
const payOut = ({ service }: RunFixture, { orgId }: OrgClient, reserved: string, paid: string) =>
  service.workerDb.transact(workflowOwner(orgId as OrgId, 'test'), async (tx) => {
    const amountOf = (text: string) => ({
      amount: toMicros(BigInt(text) * 1_000_000n),
      currency: 'EUR' as const,
    });
    post(tx, [
      {
        key: 'payout.created:1',
        entries: transfer(amountOf(reserved), 'payable', 'payout_reserved'),
      },
      { key: 'payout.in_transit:1', entries: transfer(amountOf(paid), 'payout_reserved', 'cash') },
    ]);
  });

describe('a royalty run', () => {
  let fixture: RunFixture;
  beforeAll(async () => {
    fixture = await openRunFixture();
  });
  after(async () => {
    await checkLedger(fixture.service);
    await fixture.close();
  });

  test('three months with adjustments between them: opening + net + adjustments − payouts = closing, to the micro', async () => {
    const [one, two] = [await fixture.givenPartner(), await fixture.givenPartner()];
    await fixture.admin(
      'fee-rules',
      'set',
      '--org',
      one.orgId,
      '--basis-points',
      '1500',
      '--from',
      '2020-01',
    );
    await fixture.givenReport({
      lines: [
        { org: one, isrc: 'QZABC2600001', amount: '100.1234565' },
        { org: one, isrc: 'QZABC2600002', amount: '-3.5', plays: -2 },
        { org: two, isrc: 'QZABC2600003', amount: '7.0000005' },
      ],
      others: [
        { org: two, type: 'penalty', amount: '-20' },
        { org: null, type: 'non_track_income', amount: '4' },
      ],
      suspense: '12.5',
    });
    await fixture.givenReport({
      currency: 'GBP',
      lines: [{ org: one, isrc: 'QZABC2600001', amount: '10' }],
    });
    const created = await fixture.create('2026-08');
    await fixture.runUntilIdle();
    const review = await fixture.run('review', created.id);
    assert.equal(review.status, 'review', JSON.stringify(review));
    assert.deepEqual(review.review.problems, []);
    assert.equal(review.review.totals[0].grossAmount, '115.123456');
    assert.deepEqual(await rowsOf(fixture, one), {
      ...Object.fromEntries(partnerTables.map((table) => [table, 0])),
      ledger_entries: 0,
      adjustments: 0,
      events: 0,
    });

    await fixture.run('approve', created.id);
    await fixture.runUntilIdle();
    assert.equal((await balanceOf(one)).pending, '91.904938');
    assert.equal((await balanceOf(one)).available, '0.000000');
    await fixture.run('close', created.id);
    await fixture.runUntilIdle();
    assert.equal((await fixture.run('show', created.id)).status, 'closed');
    assert.deepEqual(
      [(await balanceOf(one)).pending, (await balanceOf(one)).available],
      ['0.000000', '91.904938'],
    );
    assert.equal((await balanceOf(two)).available, '-13.000000');

    await adjust(fixture.service, one, '5', { type: 'correction' });
    await payOut(fixture, one, '40', '30');
    await fixture.closeMonth('2026-09');
    await adjust(fixture.service, one, '-1.25');
    await fixture.givenReport({ lines: [{ org: one, isrc: 'QZABC2600001', amount: '1' }] });
    await fixture.closeMonth('2026-10');
    const statements = await fixture.statementsOf(one);
    assert.deepEqual(
      statements.map((each) => [
        each.status,
        each.start,
        each.opening_balance,
        each.net_amount,
        each.adjustment_amount,
        each.payout_amount,
        each.closing_balance,
      ]),
      [
        ['published', '2026-08-01', '0.000000', '91.904938', '0.000000', '0.000000', '91.904938'],
        ['published', '2026-09-01', '91.904938', '0.000000', '5.000000', '30.000000', '66.904938'],
        ['published', '2026-10-01', '66.904938', '0.850000', '-1.250000', '0.000000', '66.504938'],
        ['open', '2026-11-01', '66.504938', '0.000000', '0.000000', '0.000000', '66.504938'],
      ],
    );
    assert.equal(statements[1]?.reserved_amount, '10.000000');
    const [suspense] = await fixture.service.query(
      `select balance_after from ledger_entries where org_id = $1 and account = 'suspense' order by version desc`,
      [toUuid(systemOrgId)],
    );
    assert.equal(suspense.balance_after, '12.500000');
  });

  test('a discarded run leaves no trace, and its reports are free for the next run', async () => {
    const partner = await fixture.givenPartner();
    await fixture.givenReport({ lines: [{ org: partner, isrc: 'QZABC2600009', amount: '50' }] });
    const newestStatus = async () =>
      (
        await fixture.service.query(
          'select status from store_reports order by created_at desc limit 1',
        )
      )[0].status;
    await fixture.service.clock.set('2026-12-02T09:00:00.000Z');
    const before = await rowsOf(fixture, partner);
    const { id } = await fixture.create('2026-11');
    await fixture.runUntilIdle();
    assert.equal(await newestStatus(), 'included', 'no operator can reject or replace it now');
    await fixture.run('approve', id);
    await fixture.runUntilIdle();
    assert.equal((await balanceOf(partner)).pending, '50.000000');
    await fixture.run('discard', id);
    await fixture.runUntilIdle();
    assert.deepEqual(await rowsOf(fixture, partner), before);
    assert.equal(await newestStatus(), 'matched');
    assert.deepEqual(await fixture.service.storage.list(`statements/${id}/`), []);
    for (const table of [
      'run_buckets',
      'run_statements',
      'run_totals',
      'run_market_totals',
      'run_track_totals',
    ]) {
      const rows = await fixture.service.query(`select 1 from ${table} where run_id = $1`, [
        toUuid(id),
      ]);
      assert.equal(rows.length, 0, table);
    }
    await fixture.closeMonth('2026-11');
    assert.equal((await balanceOf(partner)).available, '50.000000');
  });

  test('a missing rate blocks the run and names the pair', async () => {
    const partner = await fixture.givenPartner();
    await fixture.service.clock.set('2027-01-02T09:00:00.000Z');
    await fixture.givenReport({
      currency: 'JPY',
      lines: [{ org: partner, isrc: 'QZABC2600010', amount: '500' }],
    });
    const { id } = await fixture.create('2026-12');
    await fixture.runUntilIdle();
    assert.deepEqual((await fixture.run('show', id)).problems, ['The FX set has no rate JPY/EUR.']);
    await assert.rejects(fixture.run('approve', id), /problems that block it/);
    await assert.rejects(fixture.create('2026-12'), /not finished/);
    await fixture.run('discard', id);
    await fixture.runUntilIdle();
    await fixture.service.query(
      `update store_reports set status = 'superseded' where status = 'matched'`,
    );
  });

  test('months close in order, once, after they ended; each move needs its status', async () => {
    await assert.rejects(fixture.create('2026-09'), /is closed/);
    await assert.rejects(fixture.create('2027-03'), /ends on/);
    const { id } = await fixture.create('2026-12');
    await assert.rejects(fixture.run('approve', id), /The run is calculating/);
    await assert.rejects(fixture.run('close', id), /The run is calculating/);
    assert.equal((await fixture.run('cancel', id)).status, 'draft');
    await fixture.runUntilIdle();
    assert.equal((await fixture.run('show', id)).status, 'draft');
    await fixture.run('start', id);
    await fixture.runUntilIdle();
    await assert.rejects(fixture.run('start', id), /The run is review/);
    await fixture.run('approve', id);
    await fixture.run('close', id);
    await assert.rejects(fixture.run('discard', id), /being closed/);
    await fixture.runUntilIdle();
    await assert.rejects(fixture.run('discard', id), /The run is closed/);
  });

  test('every handler repeated, and closed by two workers at once: the money moves once', async () => {
    const partners = [await fixture.givenPartner(), await fixture.givenPartner()];
    await fixture.service.clock.set('2027-02-02T09:00:00.000Z');
    const lines = partners.map((org) => ({ org, isrc: 'QZABC2600020', amount: '2.5' }));
    await fixture.givenReport({ lines });
    const { id } = await fixture.create('2027-01');
    const handle = (handler: RunHandler) => fixture.handle(wakeRun(systemOrgId, id, handler));
    for (let unit = 0; unit < 6; unit++) await handle('calculate');
    await fixture.runUntilIdle();
    await fixture.run('approve', id);
    for (const handler of ['announce', 'announce', 'calculate', 'close', 'discard'] as const) {
      await handle(handler);
    }
    assert.equal((await fixture.run('show', id)).status, 'approved');
    await fixture.run('close', id);
    await Promise.all([handle('close'), handle('close')]);
    await fixture.runUntilIdle();
    for (const partner of partners) {
      const { available, pending } = await balanceOf(partner);
      assert.deepEqual([available, pending], ['2.500000', '0.000000']);
      assert.equal((await rowsOf(fixture, partner))['statements'], 2);
    }
  });

  test('every unit of work and every batch of statements counts as progress', async () => {
    const partner = await fixture.givenPartner();
    await fixture.service.clock.set('2027-03-02T09:00:00.000Z');
    await fixture.givenReport({ lines: [{ org: partner, isrc: 'QZABC2600022', amount: '3' }] });
    const { id } = await fixture.create('2027-02');
    const unmovedSince = () =>
      fixture.service.workerDb.transact(workflowOwner(systemOrgId, 'test'), findUnmovedSince);
    // plan, one bucket, taxes, the second pass of the bucket
    for (let minute = 1; minute <= 4; minute++) {
      const now = `2027-03-02T09:0${minute}:00.000Z`;
      await fixture.service.clock.set(now);
      await fixture.handle(wakeRun(systemOrgId, id, 'calculate'));
      assert.deepEqual(await unmovedSince(), new Date(now), String(minute));
    }
    await fixture.runUntilIdle();
    assert.equal(await unmovedSince(), null, 'operators have time to review');
    await fixture.run('approve', id);
    await fixture.runUntilIdle();
    assert.equal(await unmovedSince(), null, 'and to close');
    await fixture.run('close', id);
    assert.deepEqual(await unmovedSince(), fixture.service.clock.now());
    await fixture.runUntilIdle();
    assert.equal(await unmovedSince(), null);
  });

  test('a statement that does not reconcile is not published; the others are, and closing continues', async () => {
    const [sound, broken] = [await fixture.givenPartner(), await fixture.givenPartner()];
    await fixture.service.clock.set('2027-04-02T09:00:00.000Z');
    const lines = [sound, broken].map((org) => ({ org, isrc: 'QZABC2600021', amount: '3' }));
    await fixture.givenReport({ lines });
    const { id } = await fixture.create('2027-03');
    await fixture.runUntilIdle();
    await fixture.run('approve', id);
    await fixture.runUntilIdle();
    const one = { amount: toMicros(1_000_000n), currency: 'EUR' } as const;
    const owner = workflowOwner(broken.orgId as OrgId, 'test');
    await fixture.service.workerDb.transact(owner, async (tx) =>
      post(tx, [{ key: 'unexplained', entries: transfer(one, 'cash', 'payable') }]),
    );
    await fixture.run('close', id);
    await assert.rejects(fixture.runUntilIdle(), /does not reconcile/);
    assert.equal((await rowsOf(fixture, broken))['statements'], 0);
    assert.equal((await fixture.run('show', id)).status, 'approved');
    await fixture.service.query(
      `insert into adjustments (org_id, id, type, currency, gross_amount, fee_amount, tax_amount, amount, reason, created_at,
                                actor_type, actor_id)
       values ($1, gen_random_uuid(), 'manual', 'EUR', 1, 0, 0, 1, 'Explains the posting', now(), 'workflow', 'test')`,
      [toUuid(broken.orgId as OrgId)],
    );
    await fixture.handle(wakeRun(systemOrgId, id, 'close'));
    assert.equal((await fixture.run('show', id)).status, 'closed');
    assert.equal((await balanceOf(sound)).available, '3.000000');
    const [statement] = await fixture.statementsOf(broken);
    assert.deepEqual(
      [statement?.adjustment_amount, statement?.closing_balance],
      ['1.000000', '4.000000'],
    );
    await assert.rejects(
      fixture.service.query(`update statements set net_amount = 0 where id = $1`, [statement?.id]),
      /is published/,
    );
  });
});
