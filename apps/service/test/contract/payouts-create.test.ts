/** Creating payouts (contract §2, §4, §7; ADR 0036). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toUuid, type Id } from '../../src/kernel/ids.ts';
import { codeOf, fieldsOf, type Json } from '../delivery-fixture.ts';
import { germanAccount } from '../money-fixture.ts';
import {
  addEarnings,
  addMethod,
  addTaxProfile,
  balancesOf,
  openPayoutFixture,
  type PayoutFixture,
} from '../payout-fixture.ts';
import type { OrgClient, Reply } from '../test-service.ts';

const unknownPayout = 'pay_01h455vb4pex5vsknk084sn02q';
const unknownMethod = 'pm_01h455vb4pex5vsknk084sn02q';

describe('creating payouts', () => {
  let fixture: PayoutFixture;
  before(async () => {
    fixture = await openPayoutFixture();
  });
  after(() => fixture.close());

  const create = (caller: OrgClient, fields: object = {}): Promise<Reply> =>
    fixture.create(caller, fields);
  /** Rows that a refusal must not leave. */
  const traceOf = async ({ orgId }: OrgClient): Promise<Json> => {
    const [counts] = await fixture.service.query(
      `select (select count(*) from payouts where org_id = $1) as payouts,
              (select count(*) from ledger_transactions where org_id = $1) as postings,
              (select count(*) from timers where org_id = $1) as timers,
              (select count(*) from events where org_id = $1) as events`,
      [toUuid(orgId as Id<'org'>)],
    );
    return counts;
  };
  const setRate = (from: string, to: string, rate: string) =>
    fixture.service.query(
      `insert into fx_rates (from_currency, to_currency, rate) values ($1, $2, $3)
       on conflict (from_currency, to_currency) do update set rate = excluded.rate`,
      [from, to, rate],
    );

  test('contract §2, §4: POST answers 201 with the payout and reserves its amount', async () => {
    const caller = await fixture.givenPayee();
    const reply = await create(caller, { amount: '100.5' });
    assert.equal(reply.status, 201, reply.text);
    const { id, created_at, updated_at, destination, ...payout } = reply.json;
    assert.equal(reply.headers.get('location'), `/v1/payouts/${id}`);
    assert.equal(created_at, updated_at);
    assert.deepEqual(payout, {
      status: 'pending',
      amount: '100.50',
      currency: 'EUR',
      fee_amount: '0.00',
      fee_bearer: 'house',
      fx_rate: null,
      destination_amount: '100.50',
      holds: [],
      retry_of: null,
      statement_ids: [],
      failure_code: null,
      arrives_on: null,
    });
    const { payout_method_id, ...method } = destination;
    assert.match(payout_method_id, /^pm_/);
    assert.deepEqual(method, {
      type: 'bank_account',
      country: 'DE',
      currency: 'EUR',
      last_four: '3000',
    });
    assert.deepEqual(await fixture.get(caller, id), reply.json);
    assert.deepEqual(await balancesOf(fixture.service, caller), {
      'EUR payable': '150.250000',
      'EUR payout_reserved': '100.500000',
      'EUR store_receivable': '-250.750000',
    });
  });

  test('contract §6: the creation is announced with previous_status null', async () => {
    const caller = await fixture.givenPayee();
    const { json } = await create(caller);
    await fixture.service.sequenceEvents();
    const { data } = (await caller.call('GET', '/v1/events?type=payout.status.changed')).json;
    assert.deepEqual(
      data.map((event: Json) => event.data),
      [{ previous_status: null, payout: json }],
    );
  });

  test('contract §4: the cut-off is at 12:00 UTC of a business day, the expiry after 30 days', async () => {
    const caller = await fixture.givenPayee();
    const { json } = await create(caller);
    const [row] = await fixture.service.query(
      'select cut_off_at, expires_at from payouts where id = $1',
      [toUuid(json.id)],
    );
    assert.equal(row.cut_off_at.toISOString(), '2026-11-16T12:00:00.000Z');
    assert.equal(row.expires_at.toISOString(), '2026-12-16T09:00:00.000Z');
    const timers = await fixture.service.query(
      `select handler, due_at from timers where service = 'payouts' and key like $1 order by due_at`,
      [`%${json.id}`],
    );
    assert.deepEqual(
      timers.map(({ handler, due_at }) => [handler, due_at.toISOString()]),
      [
        ['cutOff', '2026-11-16T12:00:00.000Z'],
        ['expire', '2026-12-16T09:00:00.000Z'],
      ],
    );
  });

  test('contract §7: refusals come in this order, and leave no trace', async () => {
    const caller = await fixture.service.givenOrganization();
    const trace = await traceOf(caller);
    const refused = async (
      fields: object,
      status: number,
      code: string,
      ...fieldNames: string[]
    ) => {
      const reply = await create(caller, fields);
      assert.deepEqual(codeOf(reply), [status, code], reply.text);
      if (fieldNames.length > 0) assert.deepEqual(fieldsOf(reply), fieldNames);
      return reply.json.error.message as string;
    };
    await refused({ amount: '-1' }, 422, 'invalid_field', 'amount');
    await refused({ amount: '1e3' }, 422, 'invalid_field', 'amount');
    await refused({ amount: 100 }, 422, 'invalid_field', 'amount');
    await refused({ amount: '1.234' }, 422, 'invalid_field', 'amount');
    await refused({ amount: '1.5', currency: 'JPY' }, 422, 'invalid_field', 'amount');
    await refused({ amount: '1.2345', currency: 'KWD' }, 422, 'invalid_field', 'amount');
    await refused({ currency: 'EURO' }, 422, 'invalid_field', 'currency');
    await refused({ payout_method_id: unknownMethod }, 422, 'invalid_field', 'payout_method_id');
    await refused({ payout_method_id: 'x' }, 422, 'invalid_field', 'payout_method_id');
    await refused({ retry_of: unknownPayout }, 422, 'invalid_field', 'retry_of');
    await refused({}, 422, 'payout_method_missing');
    await addMethod(fixture.service, caller);
    await refused({}, 422, 'tax_profile_missing');
    await addTaxProfile(fixture.service, caller);
    const minimum = await refused({ amount: '9.99' }, 422, 'below_minimum', 'amount');
    assert.match(minimum, /\b10\.00\b/);
    await refused({ amount: '0' }, 422, 'below_minimum');
    const none = await refused({ amount: '10.00' }, 422, 'insufficient_balance', 'amount');
    assert.match(none, /\b0\.00 EUR\b/);
    await refused({ currency: 'USD' }, 422, 'insufficient_balance', 'amount');
    assert.deepEqual(await traceOf(caller), trace);
    await addEarnings(fixture.service, caller, '100', 'USD');
    const withoutRate = await traceOf(caller);
    await refused({ currency: 'USD' }, 422, 'invalid_field', 'currency');
    assert.deepEqual(await traceOf(caller), withoutRate);
    await addEarnings(fixture.service, caller, '10.006');
    const some = await refused({ amount: '10.01' }, 422, 'insufficient_balance');
    assert.match(some, /\b10\.00 EUR\b/);
    assert.equal((await create(caller, { amount: '10.00' })).status, 201);
    assert.equal((await balancesOf(fixture.service, caller))['EUR payable'], '0.006000');
  });

  test('contract §5: the payout method and the payout of another organization are unknown', async () => {
    const [caller, stranger] = [await fixture.givenPayee(), await fixture.givenPayee()];
    const theirs = (await create(stranger)).json;
    await stranger.call('POST', `/v1/payouts/${theirs.id}/cancel`);
    for (const [field, id, unknown] of [
      ['payout_method_id', theirs.destination.payout_method_id, unknownMethod],
      ['retry_of', theirs.id, unknownPayout],
    ]) {
      const foreign = await create(caller, { [field]: id });
      const absent = await create(caller, { [field]: unknown });
      assert.deepEqual([...codeOf(foreign), ...fieldsOf(foreign)], [422, 'invalid_field', field]);
      assert.equal(foreign.json.error.message, absent.json.error.message);
    }
  });

  test('money with 0 and 3 decimals: the amount has those of its currency', async () => {
    for (const [currency, balance, amount, shown] of [
      ['JPY', '5000', '1000', '1000'],
      ['KWD', '50', '5.125', '5.125'],
    ] as const) {
      const caller = await fixture.givenPayee({ currency, balance });
      const { json } = await create(caller, { amount, currency });
      assert.deepEqual(
        [json.amount, json.fee_amount, json.destination_amount],
        [shown, currency === 'JPY' ? '0' : '0.000', shown],
      );
    }
  });

  test('ADR 0036: a payout in another currency is converted, floored, and costs the payee 50 basis points', async () => {
    const caller = await fixture.givenPayee();
    const dollars = await addMethod(fixture.service, caller, { currency: 'USD' });
    await setRate('EUR', 'USD', '1.0857');
    const { json } = await create(caller, { amount: '99.99', payout_method_id: dollars });
    // 0.49995 floors to 0.49; 99.50 × 1.0857 = 108.02715.
    assert.deepEqual(
      [json.fee_amount, json.fee_bearer, json.fx_rate, json.destination_amount],
      ['0.49', 'payee', '1.0857000000', '108.02'],
    );
    assert.equal(json.destination.currency, 'USD');
  });

  test('ADR 0036: without a rate, or with nothing left after the conversion, a payout is refused', async () => {
    const caller = await fixture.givenPayee();
    const kuwait = await addMethod(fixture.service, caller, { currency: 'SEK' });
    const missing = await create(caller, { payout_method_id: kuwait });
    assert.deepEqual(
      [...codeOf(missing), ...fieldsOf(missing)],
      [422, 'invalid_field', 'currency'],
    );
    assert.match(missing.json.error.message, /payout_method_id/);
    await setRate('EUR', 'SEK', '0.0000001');
    const empty = await create(caller, { payout_method_id: kuwait });
    assert.deepEqual([...codeOf(empty), ...fieldsOf(empty)], [422, 'invalid_field', 'amount']);
  });

  test('contract §4: without payout_method_id, the newest active method in the currency is used', async () => {
    const caller = await fixture.givenPayee();
    const newest = await addMethod(fixture.service, caller, { addedAt: new Date(1_000) });
    await addMethod(fixture.service, caller, { currency: 'USD', addedAt: new Date(2_000) });
    const removed = await addMethod(fixture.service, caller, { addedAt: new Date(3_000) });
    await fixture.service.query(`update payout_methods set status = 'removed' where id = $1`, [
      toUuid(removed),
    ]);
    const { json } = await create(caller);
    assert.equal(json.destination.payout_method_id, newest);
    const named = await create(caller, { payout_method_id: removed });
    assert.deepEqual(fieldsOf(named), ['payout_method_id']);
  });

  test('contract §4: retry_of names a payout that ended without paying, once', async () => {
    const caller = await fixture.givenPayee();
    const first = (await create(caller)).json;
    const early = await create(caller, { retry_of: first.id });
    assert.deepEqual(codeOf(early), [409, 'invalid_state']);
    assert.match(early.json.error.message, /pending/);
    await caller.call('POST', `/v1/payouts/${first.id}/cancel`);
    const retry = await create(caller, { retry_of: first.id });
    assert.deepEqual([retry.status, retry.json.retry_of], [201, first.id]);
    const again = await create(caller, { retry_of: first.id });
    assert.deepEqual(codeOf(again), [409, 'invalid_state']);
    assert.ok(again.json.error.message.includes(retry.json.id));
  });

  test('contract §8: the same Idempotency-Key creates one payout', async () => {
    const caller = await fixture.givenPayee();
    const key = { 'idempotency-key': '0b7c1b1e-6f0e-4c43-9d2c-0c4f2a1d9d5e' };
    const body = { amount: '100.00', currency: 'EUR' };
    const first = await caller.call('POST', '/v1/payouts', body, key);
    const second = await caller.call('POST', '/v1/payouts', body, key);
    assert.equal(first.text, second.text);
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
    assert.equal((await balancesOf(fixture.service, caller))['EUR payable'], '150.750000');
  });

  test('contract §7: at most 100 payouts are open; a canceled one frees a place, and a new method holds all of them', async () => {
    const [caller, other] = [
      await fixture.givenPayee({ balance: '3000' }),
      await fixture.givenPayee(),
    ];
    const pay = (by = caller) => fixture.create(by, { amount: '20.00' });
    const made = await Promise.all(Array.from({ length: 100 }, () => pay()));
    assert.deepEqual([...new Set(made.map(({ status }) => status))], [201]);
    const refused = await pay();
    assert.deepEqual(
      [refused.status, refused.json.error.code, refused.json.error.details[0].field],
      [429, 'quota_exceeded', 'open_payouts'],
    );
    assert.match(refused.json.error.message, /at most 100 payouts/);
    assert.equal(refused.headers.get('retry-after'), '3600');
    assert.equal((await pay(other)).status, 201);

    const first = made[0]?.json.id;
    assert.equal((await caller.call('POST', `/v1/payouts/${first}/cancel`)).status, 200);
    const replaced = await pay();
    assert.equal(replaced.status, 201);
    const added = await caller.call('POST', '/v1/payout_methods', germanAccount);
    assert.equal(added.status, 201, added.text);
    for (const status of ['pending', 'on_hold']) {
      const { json } = await caller.call('GET', `/v1/payouts?status=${status}&limit=100`);
      assert.equal(json.data.length, status === 'pending' ? 0 : 100);
      for (const { holds } of json.data) assert.equal(holds[0].reason, 'payout_method_changed');
    }
    assert.deepEqual(await fixture.transitionsOf(caller, replaced.json.id), [
      '→pending created',
      'pending→on_hold hold_opened',
    ]);
  });
});
