/** `--dry-run` of the commands that move money or music, and the flags that a command does not have. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid, toWire } from '../src/kernel/ids.ts';
import { systemOrgId } from '../src/kernel/system-organization.ts';
import { blockedReview } from '../src/royalties/domain/run-review.ts';
import { openDeliveryFixture, type DeliveryFixture, type Json } from './delivery-fixture.ts';
import { tryThenRun } from './dry-run-fixture.ts';
import { holdEarnings } from './ledger-fixture.ts';
import { givenReport } from './paid-report-fixture.ts';
import { openPayoutFixture, type PayoutFixture } from './payout-fixture.ts';
import type { OrgClient } from './test-service.ts';

describe('commands that move money', () => {
  let fixture: PayoutFixture;
  let partner: OrgClient;
  let storeId: string;
  before(async () => {
    fixture = await openPayoutFixture('2026-12-16T09:00:00.000Z');
    partner = await fixture.givenPayee();
    [storeId = ''] = ((await fixture.service.admin('stores', 'seed')) as Json).stores;
  });
  after(() => fixture.close());

  const run = (...argv: string[]): Promise<Json> => fixture.service.admin(...argv);
  const tryOut = (...argv: string[]): Promise<Json> => tryThenRun(fixture.service, ...argv);
  const given = (fields: Readonly<Record<string, string>>): string[] =>
    Object.entries(fields).map(([name, value]) => `--${name}=${value}`);
  const ofPartner = () => ['--org', partner.orgId];

  test('earnings release --amount is refused: it would release the whole hold', async () => {
    const { id } = await holdEarnings(fixture.service, partner, '20');
    const release = ['earnings', 'release', ...ofPartner(), '--hold', id];
    await assert.rejects(run(...release, '--amount', '5'), /This command has no flag --amount\./);
    const [{ held }] = await fixture.service.query(
      `select count(*)::int as held from earning_holds where status = 'held'`,
    );
    assert.equal(held, 1);
    await run(...release);
  });

  test('an unknown flag is answered with the usage of the command', async () => {
    await assert.rejects(
      run('fx', 'seed', '--org', partner.orgId),
      /Usage: .* fx seed \[--dry-run\]/,
    );
    await assert.rejects(run('fx', 'sett'), /Did you mean `fx set`\?[^]*fx seed/);
  });

  test('a dry run names the rows and the audit entries that the command would write', async () => {
    const flags = { type: 'manual', currency: 'EUR', amount: '5', reason: 'Test' };
    const trial = await run('adjustments', 'create', ...ofPartner(), ...given(flags), '--dry-run');
    const { id } = trial.answer;
    assert.deepEqual(trial.changes.audit, [{ audited_id: id, before: null, after: trial.answer }]);
    const inserted = (table: string) =>
      trial.changes.rows.find((row: Json) => row.table === table)?.inserted;
    assert.deepEqual(
      ['adjustments', 'audit', 'ledger_transactions', 'ledger_entries'].map(inserted),
      [1, 1, 1, 2],
    );
  });

  test('a dry run is refused as the command is', async () => {
    const hold = 'hld_01h455vb4pex5vsknk084sn02q';
    await assert.rejects(run('earnings', 'release', ...ofPartner(), '--hold', hold, '--dry-run'), {
      code: 'resource_not_found',
    });
  });

  test('a dry run is refused by what is checked only at the commit', async () => {
    const { query } = fixture.service;
    await query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'at the commit'; end $$`,
    );
    await query(
      `create constraint trigger refuse after insert on adjustments deferrable initially deferred
       for each row execute function refuse()`,
    );
    const flags = { type: 'manual', currency: 'EUR', amount: '5', reason: 'Test' };
    const create = ['adjustments', 'create', ...ofPartner(), ...given(flags)];
    try {
      await assert.rejects(run(...create, '--dry-run'), /at the commit/);
      await assert.rejects(run(...create), /at the commit/);
    } finally {
      await query('drop trigger refuse on adjustments');
    }
  });

  test('adjustments, earnings and the ledger', async () => {
    const adjustment = { type: 'manual', currency: 'EUR', amount: '5', fee: '1', reason: 'Test' };
    await tryOut('adjustments', 'create', ...ofPartner(), ...given(adjustment));
    const content = { currency: 'EUR', amount: '4', reason: 'store_dispute', store: storeId };
    for (const verb of ['release', 'forfeit']) {
      const { id } = await tryOut('earnings', 'hold', ...ofPartner(), ...given(content));
      await tryOut('earnings', verb, ...ofPartner(), '--hold', id);
    }
    await tryOut('ledger', 'verify');
  });

  test('payouts', async () => {
    const payout = async (): Promise<string[]> => {
      const { json } = await fixture.create(partner, { amount: '50.00' });
      return [...ofPartner(), '--payout', json.id];
    };
    const [released, rejected] = [await payout(), await payout()];
    for (const [verb, flags] of [
      ['release', released],
      ['reject', rejected],
    ] as const) {
      const requirement = ['--requirement', 'call_us:Call support.'];
      await tryOut('payouts', 'hold', ...flags, '--reason', 'manual', ...requirement);
      await tryOut('payouts', verb, ...flags, '--reason', 'manual');
    }
    await tryOut('payouts', 'dual-control', ...ofPartner(), '--switch', 'on');
    await tryOut('payouts', 'dual-control', ...ofPartner(), '--switch', 'off');
  });

  test('rates and rules', async () => {
    await tryOut('fx', 'seed');
    await tryOut('fx', 'set', '--from', 'USD', '--to', 'EUR', '--rate', '0.93');
    const percent = ['--basis-points', '1500', '--from', '2026-01'];
    const { id } = await tryOut('fee-rules', 'set', '--org', 'platform', ...percent);
    const end = ['--org', 'platform', '--rule', id, '--to', '2026-12'];
    await tryOut('fee-rules', 'end', ...end);
    const royalties = ['--source', 'US', '--income', 'royalty'];
    await tryOut('withholding-rules', 'set', ...royalties, ...percent);
    await tryOut('stores', 'pay-on', '--store', storeId, '--on', 'remittance');
    await tryOut('stores', 'report-due', '--store', storeId, '--days', '45');
    const currency = ['--currency', 'USD'];
    await tryOut('org', 'set-statement-currency', ...ofPartner(), ...currency);
  });

  test('reports, remittances and runs', async () => {
    const report = () =>
      givenReport(fixture.service, { storeId, shares: { [partner.orgId]: '100' } });
    const of = { store: storeId, currency: 'EUR', amount: '90', 'value-date': '2026-11-15' };
    const paid = await report();
    const payment = given({ ...of, reference: '4711', reports: paid });
    const { id: remittance } = await tryOut('remittances', 'record', ...payment);
    await tryOut('remittances', 'decide', '--remittance', remittance, '--as', 'prorate');
    const set = ['--name', 'dry', '--as-of', '2026-10-31', '--rate', 'EUR/USD=1.08'];
    const { id: fxSet } = await tryOut('fx-rate-sets', 'create', ...set);
    const create = ['runs', 'create', '--month', '2026-10', '--fx-set', fxSet];
    const { id } = await tryOut(...create);
    for (const verb of ['cancel', 'start', 'discard']) {
      await tryOut('runs', verb, '--run', id);
    }
    await fixture.service.query('delete from royalty_runs');
    const reviewed = await givenReviewedRun(fxSet);
    await tryOut('runs', 'approve', '--run', reviewed);
    await tryOut('runs', 'close', '--run', reviewed);
  });

  test('a report of a partner, in the sandbox', async () => {
    const report = { storeId, orgId: partner.orgId, shares: {} };
    const id = await givenReport(fixture.service, report);
    await tryOut('reports', 'reject', ...ofPartner(), '--report', id, '--reason', 'Withdrawn.');
  });

  /** Which another operator has created. */
  async function givenReviewedRun(fxSet: string): Promise<string> {
    const id = randomUUID();
    const row = {
      org_id: toUuid(systemOrgId),
      id,
      status: 'review',
      statement_month: '2026-10',
      fx_set_id: toUuid(fxSet as Id<'fxs'>),
      rules_version: '1',
      row_count: 0,
      plan: {},
      input_digest: `\\x${'00'.repeat(32)}`,
      started_at: fixture.service.clock.now(),
      review: blockedReview([]),
      created_by: 'creator',
      created_at: fixture.service.clock.now(),
      updated_at: fixture.service.clock.now(),
      actor_type: 'workflow',
      actor_id: 'test',
    };
    await fixture.service.query(
      'insert into royalty_runs select * from jsonb_populate_record(null::royalty_runs, $1)',
      [JSON.stringify(row)],
    );
    return toWire('run', id);
  }
});

describe('commands that move music', () => {
  let fixture: DeliveryFixture;
  let label: OrgClient;
  before(async () => {
    fixture = await openDeliveryFixture();
    ({ label } = fixture);
  });
  after(() => fixture.close());

  const tryOut = (...argv: string[]): Promise<Json> => tryThenRun(fixture.service, ...argv);
  const ofLabel = () => ['--org', label.orgId];

  test('stores', async () => {
    await tryOut('stores', 'seed');
    await tryOut('stores', 'pause', '--store', 'driftwood');
    await tryOut('stores', 'resume', '--store', 'driftwood');
  });

  test('deliveries and legal holds', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['indigo'], simulate: '' });
    await fixture.advanceTime(5_000);
    await tryOut('deliveries', 'backfill', ...ofLabel(), '--store', 'driftwood');
    const { upc } = await fixture.releaseOf(delivery.release_id);
    const order = ['--upc', upc, '--reason', 'Court order 14/2026'];
    const { organizations } = await tryOut('legal', 'takedown', ...order);
    assert.deepEqual(organizations[0].releases[0].deliveries_taken_down, [delivery.id]);
    await tryOut('legal', 'lift', ...ofLabel(), '--release', delivery.release_id);
  });

  test('reviews and organizations', async () => {
    await tryOut('review', 'manual', ...ofLabel(), '--switch', 'on');
    const id = await fixture.givenApprovedRelease();
    const { pending }: Json = await fixture.service.admin('review', 'list', ...ofLabel());
    const [{ submission_id, release_id }] = pending;
    assert.equal(release_id, id);
    const decision = ['--submission', submission_id, '--decision', 'approve'];
    await tryOut('review', 'decide', ...ofLabel(), ...decision);
    await tryOut('org', 'suspend', ...ofLabel());
    await tryOut('org', 'resume', ...ofLabel());
    await tryOut('org', 'set-tier', ...ofLabel(), '--tier', 'enterprise');
    await tryOut('org', 'verify', ...ofLabel(), '--status', 'rejected');
  });
});
