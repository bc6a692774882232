/** The payout schedule, and the automatic payouts of the mode monthly (contract §4). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { codeOf, fieldsOf, type Json } from '../delivery-fixture.ts';
import { givenBalance, givenMethod, givenTaxProfile } from '../money-fixture.ts';
import { openTestService, type OrgClient, type Reply, type TestService } from '../test-service.ts';
import { openWorkerDriver, type WorkerDriver } from '../worker-driver.ts';

/** A Monday. December 2026 begins on a Tuesday, January 2027 on a Friday, May 2027 on a Saturday. */
const start = '2026-11-16T09:00:00.000Z';

describe('the payout schedule', () => {
  let service: TestService;
  let driver: WorkerDriver;
  before(async () => {
    service = await openTestService({ now: start });
    driver = openWorkerDriver(service);
    await service.admin('fx', 'set', '--from', 'USD', '--to', 'EUR', '--rate', '0.92');
  });
  after(() => service.close());

  const patch = ({ call }: OrgClient, body: object, headers = {}): Promise<Reply> =>
    call('PATCH', '/v1/payout_schedule', body, headers);
  const get = async ({ call }: OrgClient): Promise<Json> =>
    (await call('GET', '/v1/payout_schedule')).json;
  const payoutsOf = ({ orgId }: OrgClient): Promise<Json[]> =>
    service.query(
      `select currency, amount, destination_currency, payout_method_id from payouts
        where org_id = $1 order by created_at, currency`,
      [toUuid(orgId as Id<'org'>)],
    );
  const runAt = async (iso: string) => {
    await service.clock.set(iso);
    await driver.runUntilIdle();
  };
  const given = async (): Promise<OrgClient> => {
    await service.clock.set(start);
    const caller = await service.givenOrganization();
    await givenTaxProfile(caller);
    await service.query(`delete from outbox`);
    return caller;
  };

  test('contract §4: without a change it is manual, with the usual minimums', async () => {
    const caller = await service.givenOrganization();
    assert.deepEqual(await get(caller), { mode: 'manual', minimum: {}, next_payout_at: null });
  });

  test('contract §4: PATCH changes what is sent; minimum replaces all amounts', async () => {
    const caller = await given();
    const minimum = { EUR: '50.00', JPY: '20000', KWD: '5.125' };
    const first = await patch(caller, { mode: 'monthly', minimum });
    assert.equal(first.status, 200, first.text);
    const next_payout_at = '2026-12-01T12:00:00.000Z';
    assert.deepEqual(first.json, { mode: 'monthly', minimum, next_payout_at });
    const second = await patch(caller, { minimum: { USD: '10' } });
    assert.deepEqual(second.json, { mode: 'monthly', minimum: { USD: '10.00' }, next_payout_at });
    await patch(caller, { mode: 'manual' });
    assert.deepEqual(await get(caller), {
      mode: 'manual',
      minimum: { USD: '10.00' },
      next_payout_at: null,
    });
  });

  test('contract §7: a minimum must be at least the usual one, in whole minor units', async () => {
    const caller = await service.givenOrganization();
    for (const [body, code, field] of [
      [{ minimum: { EUR: '9.99' } }, 'invalid_field', 'minimum.EUR'],
      [{ minimum: { EUR: '50.001' } }, 'invalid_field', 'minimum.EUR'],
      [{ minimum: { JPY: '999' } }, 'invalid_field', 'minimum.JPY'],
      [{ minimum: { JPY: '1000.5' } }, 'invalid_field', 'minimum.JPY'],
      [{ minimum: { KWD: '4.999' } }, 'invalid_field', 'minimum.KWD'],
      [{ minimum: { XXX: '50.00' } }, 'invalid_field', 'minimum.XXX'],
      [{ minimum: { EUR: '-50' } }, 'invalid_field', 'minimum.EUR'],
      [{ minimum: { EUR: 50 } }, 'invalid_field', 'minimum.EUR'],
      [{ mode: 'weekly' }, 'invalid_field', 'mode'],
      [{ next_payout_at: null }, 'read_only_field', 'next_payout_at'],
    ] as const) {
      const reply = await patch(caller, body);
      const shown = `${JSON.stringify(body)} ${reply.text}`;
      assert.deepEqual([...codeOf(reply), ...fieldsOf(reply)], [422, code, field], shown);
    }
    assert.equal((await get(caller)).mode, 'manual');
  });

  test('contract §1: If-Match with an old ETag is 412', async () => {
    const caller = await given();
    const { headers } = await caller.call('GET', '/v1/payout_schedule');
    const match = { 'if-match': headers.get('etag') ?? '' };
    assert.equal((await patch(caller, { minimum: { EUR: '20.00' } }, match)).status, 200);
    assert.equal((await patch(caller, { minimum: { EUR: '30.00' } }, match)).status, 412);
  });

  test('contract §4: on the first business day of each month the whole balance is paid out, floored', async () => {
    const caller = await given();
    const { id } = await givenMethod(caller);
    await givenBalance(service, caller, '123.456789');
    await givenBalance(service, caller, '80.5', 'USD');
    await patch(caller, { mode: 'monthly' });
    await runAt('2026-12-01T11:59:59.000Z');
    assert.deepEqual(await payoutsOf(caller), []);
    await runAt('2026-12-01T12:00:00.000Z');
    const payout_method_id = toUuid(id);
    const december = [
      { currency: 'EUR', amount: '123.450000', destination_currency: 'EUR', payout_method_id },
      { currency: 'USD', amount: '80.500000', destination_currency: 'EUR', payout_method_id },
    ];
    assert.deepEqual(await payoutsOf(caller), december);
    assert.equal((await get(caller)).next_payout_at, '2027-01-01T12:00:00.000Z');
    await driver.handle({
      service: 'payout-schedules',
      key: toUuid(caller.orgId as Id<'org'>),
      handler: 'run',
    });
    assert.deepEqual(await payoutsOf(caller), december, 'a second run of the month adds none');
  });

  test('each currency has its minimum, and its newest active method', async () => {
    const caller = await given();
    await givenMethod(caller);
    const newest = await givenMethod(caller);
    const dollars = await givenMethod(caller, {
      country: 'US',
      currency: 'USD',
      iban: undefined,
      account_number: '000123456789',
      routing_number: '021000021',
    });
    await givenBalance(service, caller, '49.99');
    await givenBalance(service, caller, '10', 'USD');
    await patch(caller, { mode: 'monthly', minimum: { EUR: '50.00' } });
    await runAt('2026-12-01T12:00:00.000Z');
    const methods = (await payoutsOf(caller)).map((row) => [row.currency, row.payout_method_id]);
    assert.deepEqual(methods, [['USD', toUuid(dollars.id)]]);
    await givenBalance(service, caller, '0.01');
    await service.query('delete from outbox where service = $1', ['payouts']);
    await runAt('2027-01-01T12:00:00.000Z');
    const [, second] = await payoutsOf(caller);
    assert.deepEqual([second.amount, second.payout_method_id], ['50.000000', toUuid(newest.id)]);
  });

  test('without a method, a rate or a tax profile nothing is created, and the next month is tried', async () => {
    const withoutMethod = await given();
    const withoutRate = await given();
    await givenMethod(withoutRate);
    const withoutTaxProfile = await service.givenOrganization();
    await givenMethod(withoutTaxProfile);
    for (const caller of [withoutMethod, withoutRate, withoutTaxProfile]) {
      await givenBalance(service, caller, '500', 'CHF');
      await patch(caller, { mode: 'monthly' });
    }
    await givenBalance(service, withoutTaxProfile, '500');
    await runAt('2026-12-01T12:00:00.000Z');
    for (const caller of [withoutMethod, withoutRate, withoutTaxProfile]) {
      assert.deepEqual(await payoutsOf(caller), []);
      assert.equal((await get(caller)).next_payout_at, '2027-01-01T12:00:00.000Z');
    }
  });

  test('after a change to manual nothing is paid, and back to monthly sets one timer', async () => {
    const caller = await given();
    await givenMethod(caller);
    await givenBalance(service, caller, '500');
    await patch(caller, { mode: 'monthly' });
    await patch(caller, { mode: 'manual' });
    await runAt('2026-12-01T12:00:00.000Z');
    assert.deepEqual(await payoutsOf(caller), []);
    await patch(caller, { mode: 'monthly' });
    await patch(caller, { mode: 'monthly' });
    const timers = await service.query(
      `select due_at from timers where org_id = $1 and service = 'payout-schedules' and state = 'waiting'`,
      [toUuid(caller.orgId as Id<'org'>)],
    );
    assert.deepEqual(timers, [{ due_at: new Date('2027-01-01T12:00:00Z') }]);
  });
});
