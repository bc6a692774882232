/** Reports of fictional stores, and months that the clock closes: contract §4, ADR 0044. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { workflowOwner } from '../../src/kernel/actor.ts';
import { type OrgId, toUuid } from '../../src/kernel/ids.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { setClockBack } from '../../src/sandbox/commands/seed-clock.ts';
import { seedReports } from '../../src/sandbox/commands/seed-royalties.ts';
import { royaltyHistoryDays } from '../../src/sandbox/domain/seed-royalties.ts';
import { codeOf, type Json } from '../delivery-fixture.ts';
import { givenHoldings } from '../holding-rows.ts';
import { openSandboxFixture, type DrivenPartner, type SandboxFixture } from '../sandbox-fixture.ts';
import type { Reply } from '../test-service.ts';

const period = '2026-10';
/** Three days before October closes. */
const now = '2026-11-12T12:00:00.000Z';
const closing = '2026-11-15T09:00:00.000Z';
const nextClosing = '2026-12-15T09:00:00.000Z';

const micros = (amount: string): bigint => BigInt(amount.replace('.', ''));
const sum = (amounts: readonly string[]): bigint =>
  amounts.reduce((total, amount) => total + micros(amount), 0n);

describe('reports of stores in the sandbox', () => {
  let sandbox: SandboxFixture;
  before(async () => {
    sandbox = await openSandboxFixture(now);
  });
  after(() => sandbox.close());

  const isrcs = ['QZSRP2600001', 'QZSRP2600002'];
  /** Its statements are in euros. The stores have two of its recordings. */
  const givenPartner = async (...stores: readonly string[]): Promise<DrivenPartner> => {
    const partner = await sandbox.newPartner();
    const { orgId } = partner.caller;
    const flags = ['--org', orgId, '--currency', 'EUR'];
    await sandbox.service.admin('org', 'set-statement-currency', ...flags);
    for (const store of stores) {
      await givenHoldings(sandbox.service, store, partner.caller, ...isrcs);
    }
    return partner;
  };
  const request = ({ caller }: DrivenPartner, body: object): Promise<Reply> =>
    caller.call('POST', '/v1/sandbox/reports', {
      store_id: 'aurora',
      period,
      kind: 'normal',
      ...body,
    });
  /** It has arrived, unless it is late. */
  const givenReport = async (partner: DrivenPartner, body: object = {}): Promise<string> => {
    const { status, json, text } = await request(partner, body);
    assert.equal(status, 201, text);
    await sandbox.runUntilIdle();
    return json.id;
  };
  const report = (partner: DrivenPartner, id: string): Promise<Json> =>
    partner.ask('GET', `/v1/sandbox/reports/${id}`);
  const list = async (partner: DrivenPartner, resource: string): Promise<Json[]> =>
    (await partner.ask('GET', `/v1/${resource}`)).data;
  const statementsOf = async (partner: DrivenPartner): Promise<Json[]> =>
    (await partner.events())
      .filter(({ type }) => type === 'statement.published')
      .map(({ data }) => data);

  describe('what every kind does', () => {
    const stores = {
      normal: 'aurora',
      penalty: 'beatlane',
      returns: 'cascade',
      unmatched: 'driftwood',
      short_paid: 'emberline',
      late: 'firefly',
    } as const;
    type Kind = keyof typeof stores;
    let partner: DrivenPartner;
    let reports: Record<Kind, Json>;
    before(async () => {
      partner = await givenPartner(...Object.values(stores));
      // Another partner with the same recordings at the same stores: in live their rows would have two owners.
      await givenPartner(...Object.values(stores));
      const given = await Promise.all(
        Object.entries(stores).map(async ([kind, store_id]) => [
          kind,
          (await request(partner, { kind, store_id })).json.id,
        ]),
      );
      await sandbox.runUntilIdle();
      const read = await Promise.all(
        given.map(async ([kind, id]) => [kind, await report(partner, id)]),
      );
      reports = Object.fromEntries(read);
    });

    test('normal: streams in five territories, matched and paid in full', () => {
      const { status, row_count, unmatched_row_count, currency, arrives_at } = reports.normal;
      assert.deepEqual(
        [status, row_count, unmatched_row_count, currency, arrives_at],
        ['paid', 20, 0, 'EUR', now],
      );
      const { reported_amount, paid_amount } = reports.normal;
      const difference = micros(reported_amount) - micros(paid_amount);
      assert.ok(difference >= 0n && difference < 10_000n, 'less than a cent');
    });

    test('unmatched: rows about recordings that nobody delivered are counted, and paid by the store', () => {
      const { status, row_count, unmatched_row_count } = reports.unmatched;
      assert.deepEqual([status, row_count, unmatched_row_count], ['paid', 23, 3]);
    });

    test('short_paid: the store pays 80 %', () => {
      const { status, reported_amount, paid_amount } = reports.short_paid;
      assert.equal(status, 'short_paid');
      assert.equal(micros(paid_amount) / 10_000n, (micros(reported_amount) * 8n) / 100_000n);
    });

    test('late: it arrives 20 days later by the clock of the sandbox', () => {
      const { status, arrives_at, row_count, reported_amount } = reports.late;
      assert.deepEqual(
        [status, arrives_at, row_count, reported_amount],
        ['expected', '2026-12-02T12:00:00.000Z', null, null],
      );
    });

    test('nothing is paid to the partner before the month closes', async () => {
      assert.deepEqual(await list(partner, 'adjustments'), []);
      assert.deepEqual(await list(partner, 'earning_holds'), []);
      assert.deepEqual(await statementsOf(partner), []);
    });

    test('the clock closes the month: a statement, a fine, a hold and a balance', async () => {
      await partner.advance({ to: closing });
      const [statement, ...others] = await statementsOf(partner);
      assert.deepEqual(others, []);
      assert.equal(statement.published_at, closing);
      assert.deepEqual(
        [statement.period_start, statement.period_end],
        [`${period}-01`, `${period}-31`],
      );
      const kinds: Kind[] = ['normal', 'penalty', 'returns', 'unmatched', 'short_paid'];
      for (const kind of kinds) {
        assert.equal((await report(partner, reports[kind].id)).status, 'included', kind);
      }
      const [fine] = await list(partner, 'adjustments');
      assert.equal(fine.type, 'penalty');
      assert.ok(micros(fine.amount) < 0n);
      const [hold] = await list(partner, 'earning_holds');
      assert.deepEqual(
        [hold.reason, hold.store_id, hold.status],
        ['store_dispute', 'emberline', 'held'],
      );
      const short =
        micros(reports.short_paid.reported_amount) - micros(reports.short_paid.paid_amount);
      assert.ok(short - micros(hold.amount) < 10_000n && micros(hold.amount) > 0n);
      const [suspense] = await sandbox.service.query(
        `select balance_after from ledger_entries where account = 'suspense' and org_id = $1
          order by version desc limit 1`,
        [toUuid(partner.caller.orgId as OrgId)],
      );
      const reported = sum(kinds.map((kind) => reports[kind].reported_amount));
      assert.equal(
        micros(statement.gross_amount),
        reported - micros(fine.amount) - micros(suspense.balance_after),
        'every reported micro is a line item, a fine, or in suspense',
      );
      const [{ available, held, pending }] = await list(partner, 'balance');
      assert.equal(micros(available) + micros(held), micros(statement.closing_balance));
      assert.deepEqual([held, pending], [hold.amount, '0.000000']);
      const types = new Set((await partner.events()).map(({ type }) => type));
      for (const type of ['statement.published', 'adjustment.created', 'earnings.held']) {
        assert.ok(types.has(type), type);
      }
    });

    test('restated: the next statement takes the old report back; a month that is closed stays closed', async () => {
      const restated = await givenReport(partner, { kind: 'restated' });
      const { supersedes, status, reported_amount } = await report(partner, restated);
      assert.deepEqual([supersedes, status], [reports.normal.id, 'paid']);
      assert.notEqual(reported_amount, reports.normal.reported_amount);
      await partner.advance({ to: nextClosing });
      const [first, second, ...others] = await statementsOf(partner);
      assert.deepEqual(others, []);
      assert.equal(second.opening_balance, first.closing_balance);
      assert.equal(second.period_start, '2026-11-01');
      assert.equal((await report(partner, reports.normal.id)).status, 'superseded');
      assert.equal((await report(partner, restated)).status, 'included');
      const late = await report(partner, reports.late.id);
      assert.equal(
        late.status,
        'included',
        'the late report is in the statement after its arrival',
      );
      assert.equal(
        micros(second.gross_amount),
        micros(reported_amount) + micros(late.reported_amount),
      );
      const [correction] = await list(partner, 'adjustments?type=correction');
      assert.equal(correction.amount, `-${reports.normal.reported_amount}`);
      assert.equal(correction.refers_to, first.id);
    });

    test('ADR 0035: the ledger of the partner adds up', async () => {
      const { organizations, wrong_totals }: Json = await sandbox.service.admin('ledger', 'verify');
      assert.ok(organizations.length > 0);
      assert.ok(organizations.every(({ intact }: Json) => intact));
      assert.deepEqual(wrong_totals, {});
    });

    test('a reset removes reports, payments, statements and their files, and the clock closes no month', async () => {
      const { orgId } = partner.caller;
      const uuid = toUuid(orgId as OrgId);
      const keys: Json[] = await sandbox.service.query(
        `select object_key from statement_artifacts where org_id = $1
         union all select object_key from report_files where org_id = $1`,
        [uuid],
      );
      assert.ok(keys.length >= 11, `${keys.length} files`);
      await partner.ask('POST', '/v1/sandbox/reset', { seed: false });
      await sandbox.runUntilIdle();
      for (const { object_key } of keys) {
        assert.equal(await sandbox.service.storage.find(object_key), undefined, object_key);
      }
      assert.deepEqual(await list(partner, 'sandbox/reports'), []);
      assert.deepEqual(await list(partner, 'balance'), []);
      assert.equal((await partner.clock()).next_due_at, null);
    });
  });

  test('while the clock is manual, a report arrives when the clock is advanced', async () => {
    const partner = await givenPartner('aurora');
    await partner.setMode('manual');
    const id = await givenReport(partner);
    assert.equal((await report(partner, id)).status, 'expected');
    await partner.advance({ by: '0s' });
    assert.equal((await report(partner, id)).status, 'paid');
  });

  test('a second report about the same store and month is added to the first', async () => {
    const partner = await givenPartner('aurora');
    const first = await report(partner, await givenReport(partner));
    const second = await report(partner, await givenReport(partner));
    assert.deepEqual([second.status, second.supersedes], ['paid', null]);
    assert.notEqual(second.reported_amount, first.reported_amount);
    await partner.advance({ to: closing });
    const [statement] = await statementsOf(partner);
    assert.equal(
      micros(statement.gross_amount),
      sum([first.reported_amount, second.reported_amount]),
    );
  });

  test('contract §4: the same events at the same times and the same amounts in one jump or in steps', async () => {
    const [jumping, stepping] = [await givenPartner('aurora'), await givenPartner('aurora')];
    for (const partner of [jumping, stepping]) {
      await partner.setMode('manual');
      await givenReport(partner, { kind: 'penalty' });
    }
    await jumping.advance({ to: nextClosing });
    for (const to of [
      '2026-11-13T00:00:00.000Z',
      closing,
      '2026-12-14T00:00:00.000Z',
      nextClosing,
    ]) {
      await stepping.advance({ to });
    }
    const happened = async (partner: DrivenPartner) =>
      (await partner.events()).map(({ type, created_at, data }) =>
        [created_at, type, data.amount ?? data.closing_balance].join(' '),
      );
    const expected = await happened(jumping);
    assert.equal(expected.filter((line) => line.includes('statement.published')).length, 2);
    assert.deepEqual(await happened(stepping), expected);
  });

  test('ADR 0044: the seeded history has fifteen reports of twelve months, and the clock closes each on its way', async () => {
    const partner = await givenPartner('aurora', 'cascade');
    const owner = workflowOwner(partner.caller.orgId as OrgId, 'test');
    const inReset = (work: (tx: Tx) => Promise<void>) =>
      sandbox.service.workerDb.transact(owner, work);
    await inReset((tx) => setClockBack(tx, royaltyHistoryDays));
    await inReset(seedReports);
    await inReset(seedReports);
    const planned = await list(partner, 'sandbox/reports');
    assert.equal(planned.length, 15, 'repeated, it adds none');
    assert.deepEqual([planned.at(-1).period, planned[0].period], ['2025-10', '2026-09']);
    await partner.advance({ to: '2025-11-15T09:00:00.000Z' });
    const [statement, ...others] = await statementsOf(partner);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [statement.period_start, statement.published_at],
      ['2025-10-01', '2025-11-15T09:00:00.000Z'],
    );
    assert.equal((await partner.clock()).next_due_at, '2025-12-05T06:00:00.000Z');
  });

  test('royalties of a reset need the fictional catalogue', async () => {
    const { caller } = await givenPartner();
    const refused = await caller.call('POST', '/v1/sandbox/reset', {
      seed: false,
      royalties: true,
    });
    assert.deepEqual(codeOf(refused), [422, 'invalid_field']);
    assert.match(refused.json.error.message, /royalties needs the fictional catalog/);
  });

  describe('what is refused', () => {
    let partner: DrivenPartner;
    before(async () => {
      partner = await givenPartner('aurora');
    });
    const refusal = async (body: object): Promise<readonly unknown[]> => {
      const reply = await request(partner, body);
      return [...codeOf(reply), reply.json.error.message];
    };

    test('contract §1: an unknown store, with the one that was probably meant', async () => {
      const [status, code, message] = await refusal({ store_id: 'aurorra' });
      assert.deepEqual([status, code], [422, 'invalid_field']);
      assert.match(String(message), /store_id .*GET \/v1\/stores.*`aurora`/);
    });

    test('a store that had nothing of the partner in that month, with what to do', async () => {
      const [status, code, message] = await refusal({ store_id: 'beatlane' });
      assert.deepEqual([status, code], [409, 'invalid_state']);
      assert.match(String(message), /beatlane had none of your recordings in 2026-10\. Deliver a/);
      assert.match(String((await refusal({ period: '2019-12' }))[2]), /in 2019-12/);
    });

    test('a month that has not ended, by the clock of the sandbox', async () => {
      const [status, code, message] = await refusal({ period: '2026-11' });
      assert.deepEqual([status, code], [422, 'invalid_field']);
      assert.match(String(message), /month that has ended: it is 2026-11-12.*clock\/advance/);
    });

    test('a text that is no month, and an unknown kind', async () => {
      assert.match(String((await refusal({ period: '2026-13' }))[2]), /a month such as 2026-10/);
      assert.match(String((await refusal({ kind: 'huge' }))[2]), /must be one of: normal, late/);
    });

    test('a restated report without an earlier one, with what to do', async () => {
      const [status, code, message] = await refusal({ kind: 'restated' });
      assert.deepEqual([status, code], [409, 'invalid_state']);
      assert.match(String(message), /aurora has sent no report about 2026-10.*kind normal first/);
    });

    test('another partner finds no report of this one, and cannot restate it', async () => {
      const id = await givenReport(partner, { kind: 'late' });
      const other = await givenPartner('aurora');
      const found = await other.caller.call('GET', `/v1/sandbox/reports/${id}`);
      assert.deepEqual(codeOf(found), [404, 'resource_not_found']);
      assert.deepEqual(await list(other, 'sandbox/reports'), []);
      assert.deepEqual(codeOf(await request(other, { kind: 'restated' })), [409, 'invalid_state']);
    });

    test('contract §1: the same Idempotency-Key makes one report', async () => {
      const body = { store_id: 'aurora', period, kind: 'late' };
      const headers = { 'idempotency-key': randomUUID() };
      const send = () => partner.caller.call('POST', '/v1/sandbox/reports', body, headers);
      assert.equal((await send()).json.id, (await send()).json.id);
    });

    test('more than 200 reports, until a reset', async () => {
      await sandbox.service.query(
        `insert into sandbox_reports (org_id, id, store_id, period, kind, number, status, arrives_at, created_at,
                                      updated_at, actor_type, actor_id)
         select $1, gen_random_uuid(), 'aurora', '2026-09', 'normal', n, 'paid', now(), now(), now(), 'workflow', 'test'
           from generate_series(1, 200) n`,
        [toUuid(partner.caller.orgId as OrgId)],
      );
      const [status, code, message] = await refusal({});
      assert.deepEqual([status, code], [409, 'invalid_state']);
      assert.match(String(message), /200 reports, the maximum\. Reset it/);
    });
  });
});
