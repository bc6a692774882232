/** Payout methods: what they need, what they show, and the wait after a change (contract §4). */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { openDetails } from '../../src/money/commands/open-details.ts';
import { findPayoutMethod } from '../../src/money/store/payout-methods.ts';
import { codeOf, fieldsOf, type Json } from '../delivery-fixture.ts';
import {
  germanAccount,
  germanIban,
  givenBalance,
  givenMethod,
  givenPayout,
  givenTaxProfile,
} from '../money-fixture.ts';
import { openTestService, type OrgClient, type TestService } from '../test-service.ts';

const unknownId = 'pm_01h455vb4pex5vsknk084sn02q';
const hourMs = 3_600_000;

describe('payout methods', () => {
  let service: TestService;
  let partner: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-16T09:00:00Z' });
    partner = await service.givenOrganization();
  });
  after(() => service.close());

  const post = (body: object, { call } = partner) => call('POST', '/v1/payout_methods', body);
  const get = async (id: string, { call } = partner): Promise<Json> =>
    (await call('GET', `/v1/payout_methods/${id}`)).json;
  const later = (hours: number) =>
    service.clock.set(new Date(service.clock.now().getTime() + hours * hourMs).toISOString());
  const detailsOf = async ({ orgId }: OrgClient, id: string) => {
    const owner = orgId as Id<'org'>;
    const method = await service.db.readOnce(owner, (db) =>
      findPayoutMethod(db, owner, id as Id<'pm'>),
    );
    assert.ok(method !== undefined);
    return openDetails(service.keyring, owner, method);
  };
  const holdsOf = (payoutId: Id<'pay'>) =>
    service.query(
      `select reason, due_by, status from payouts
         left join payout_holds hold on hold.org_id = payouts.org_id and hold.payout_id = payouts.id
        where payouts.id = $1 and resolution is null`,
      [toUuid(payoutId)],
    );

  test('contract §4: POST answers 201 with the last four characters; the details are sealed', async () => {
    const reply = await post({ ...germanAccount, iban: 'de89 3704 0044 0532 0130 00' });
    assert.equal(reply.status, 201, reply.text);
    const { id, created_at, updated_at, requested_by, ...method } = reply.json;
    assert.match(id, /^pm_/);
    assert.match(requested_by, /^key_/);
    assert.equal(created_at, updated_at);
    assert.equal(reply.headers.get('location'), `/v1/payout_methods/${id}`);
    assert.deepEqual(method, {
      type: 'bank_account',
      country: 'DE',
      currency: 'EUR',
      last_four: '3000',
      status: 'active',
      usable_from: '2026-11-19T09:00:00.000Z',
      approved_by: null,
    });
    assert.deepEqual(await get(id), reply.json);
    assert.ok(!reply.text.includes('Northern Lights'), 'nor the account holder');
    assert.deepEqual(await detailsOf(partner, id), {
      kind: 'iban',
      accountHolder: 'Northern Lights GmbH',
      iban: germanIban,
    });
  });

  test('contract §4: each country has its own details', async () => {
    const caller = await service.givenOrganization();
    const holder = { type: 'bank_account', account_holder: 'N. Lights' };
    const accountHolder = 'N. Lights';
    for (const [sent, details, lastFour] of [
      [
        {
          ...holder,
          country: 'US',
          currency: 'USD',
          account_number: '000123456789',
          routing_number: '021000021',
        },
        {
          kind: 'us_account',
          accountHolder,
          accountNumber: '000123456789',
          routingNumber: '021000021',
        },
        '6789',
      ],
      [
        {
          ...holder,
          country: 'GB',
          currency: 'GBP',
          account_number: '31926819',
          sort_code: '60-16-13',
        },
        { kind: 'uk_account', accountHolder, accountNumber: '31926819', sortCode: '601613' },
        '6819',
      ],
      [
        { ...holder, country: 'GB', currency: 'GBP', iban: 'GB29NWBK60161331926819' },
        { kind: 'iban', accountHolder, iban: 'GB29NWBK60161331926819' },
        '6819',
      ],
      [
        { ...holder, country: 'JP', currency: 'JPY', account_number: '1234567', bic: 'BOTKJPJT' },
        { kind: 'swift_account', accountHolder, accountNumber: '1234567', bic: 'BOTKJPJT' },
        '4567',
      ],
      [
        {
          type: 'wallet',
          country: 'DE',
          currency: 'EUR',
          provider: 'Purse',
          account: 'a@purse.example',
        },
        { kind: 'wallet', provider: 'Purse', account: 'a@purse.example' },
        'mple',
      ],
    ] as const) {
      const reply = await post(sent, caller);
      assert.equal(reply.status, 201, reply.text);
      assert.equal(reply.json.last_four, lastFour);
      assert.deepEqual(await detailsOf(caller, reply.json.id), details);
    }
  });

  test('contract §7: a detail that is missing or wrong is refused by name, and its value is not repeated', async () => {
    const us = { country: 'US', currency: 'USD', iban: undefined };
    const gb = { country: 'GB', currency: 'GBP', iban: undefined };
    const jp = { country: 'JP', currency: 'JPY', iban: undefined };
    const wallet = { type: 'wallet', iban: undefined, account_holder: undefined };
    for (const [fields, code, wrong] of [
      [{ iban: 'DE89370400440532013001' }, 'invalid_field', ['iban']],
      [{ iban: 'DE8937040044053201300' }, 'invalid_field', ['iban']],
      [{ iban: 'AT611904300234573201' }, 'invalid_field', ['iban']],
      [{ account_holder: undefined }, 'missing_required_field', ['account_holder']],
      [{ iban: undefined }, 'missing_required_field', ['iban']],
      [{ bic: 'COBADEFF' }, 'invalid_field', ['bic']],
      [us, 'missing_required_field', ['account_number', 'routing_number']],
      [
        { ...us, account_number: '123456', routing_number: '021000022' },
        'invalid_field',
        ['routing_number'],
      ],
      [
        { ...us, account_number: '12-A', routing_number: '021000021' },
        'invalid_field',
        ['account_number'],
      ],
      [{ ...gb, account_number: '31926819' }, 'missing_required_field', ['sort_code']],
      [
        { ...gb, account_number: '3192681', sort_code: '601613' },
        'invalid_field',
        ['account_number'],
      ],
      [{ ...gb, account_number: '31926819', sort_code: '60161' }, 'invalid_field', ['sort_code']],
      [{ ...jp, account_number: '1234567' }, 'missing_required_field', ['bic']],
      [{ ...jp, account_number: '1234567', bic: 'COBADEFF' }, 'invalid_field', ['bic']],
      [{ ...jp, iban: germanIban }, 'invalid_field', ['iban']],
      [wallet, 'missing_required_field', ['provider', 'account']],
      [{ ...wallet, provider: 'P', account: 'abcd', iban: germanIban }, 'invalid_field', ['iban']],
      [{ country: 'XX' }, 'invalid_field', ['country']],
      [{ currency: 'XXX' }, 'invalid_field', ['currency']],
      [{ type: 'cash' }, 'invalid_field', ['type']],
      [{ status: 'active' }, 'read_only_field', ['status']],
      [{ usable_from: '2026-11-16T09:00:00Z' }, 'read_only_field', ['usable_from']],
      [{ has_dual_control: false }, 'unknown_field', ['has_dual_control']],
    ] as const) {
      const reply = await post({ ...germanAccount, ...fields });
      const shown = JSON.stringify(fields);
      assert.deepEqual([...codeOf(reply), ...fieldsOf(reply)], [422, code, ...wrong], shown);
      const values: Readonly<Record<string, string | boolean | undefined>> = fields;
      for (const name of ['iban', 'account_number', 'routing_number', 'sort_code']) {
        const value = values[name];
        assert.ok(typeof value !== 'string' || !reply.text.includes(value), reply.text);
      }
    }
  });

  test('contract §1: the list is newest first, filtered by status, and pages', async () => {
    const caller = await service.givenOrganization();
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await givenMethod(caller)).id);
    await caller.call('DELETE', `/v1/payout_methods/${ids[1]}`);
    const listed = async (query: string): Promise<Json> =>
      (await caller.call('GET', `/v1/payout_methods?${query}`)).json;
    const idsOf = ({ data }: Json) => data.map(({ id }: Json) => id);
    assert.deepEqual(idsOf(await listed('limit=100')), ids);
    assert.deepEqual(idsOf(await listed('status=removed')), [ids[1]]);
    const first = await listed('limit=2');
    assert.deepEqual(idsOf(first), ids.slice(0, 2));
    const second = await listed(`limit=2&cursor=${encodeURIComponent(first.next_cursor)}`);
    assert.deepEqual([idsOf(second), second.has_more], [ids.slice(2), false]);
    const unknown = await caller.call('GET', '/v1/payout_methods?status=gone');
    assert.deepEqual(codeOf(unknown), [400, 'invalid_parameter']);
  });

  test('contract §5: an unknown method and one of another organization are the same 404', async () => {
    const { id } = await givenMethod(partner);
    const stranger = await service.givenOrganization();
    for (const [method, suffix] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/approve'],
    ] as const) {
      const messages = new Set<string>();
      for (const each of [id, unknownId, 'pm_1']) {
        const reply = await stranger.call(method, `/v1/payout_methods/${each}${suffix}`);
        assert.deepEqual(codeOf(reply), [404, 'resource_not_found']);
        messages.add(reply.json.error.message);
      }
      assert.equal(messages.size, 1);
    }
  });

  test('contract §4: DELETE removes a method; it can still be read, and not be removed again', async () => {
    const { id } = await givenMethod(partner);
    assert.equal((await partner.call('DELETE', `/v1/payout_methods/${id}`)).status, 204);
    assert.equal((await get(id)).status, 'removed');
    const again = await partner.call('DELETE', `/v1/payout_methods/${id}`);
    assert.deepEqual(codeOf(again), [409, 'invalid_state']);
  });

  test('an organization has at most 20 methods that are not removed, also if it adds 25 at once', async () => {
    const caller = await service.givenOrganization();
    const replies = await Promise.all(
      Array.from({ length: 25 }, () => post(germanAccount, caller)),
    );
    const created = replies.filter(({ status }) => status === 201);
    assert.equal(created.length, 20);
    const refused = replies.find(({ status }) => status !== 201);
    assert.ok(refused !== undefined);
    assert.deepEqual(codeOf(refused), [409, 'invalid_state']);
    assert.match(refused.text, /20 payout methods/);
    await caller.call('DELETE', `/v1/payout_methods/${created[0]?.json.id}`);
    await givenMethod(caller);
  });

  test('contract §8: a replay answers the stored method and adds none', async () => {
    const caller = await service.givenOrganization();
    const key = { 'idempotency-key': randomUUID() };
    const first = await caller.call('POST', '/v1/payout_methods', germanAccount, key);
    const second = await caller.call('POST', '/v1/payout_methods', germanAccount, key);
    assert.equal(second.text, first.text);
    assert.equal((await caller.call('GET', '/v1/payout_methods')).json.data.length, 1);
  });

  test('a method that is removed and added again waits 72 hours again', async () => {
    const caller = await service.givenOrganization();
    const first = await givenMethod(caller);
    await later(71);
    await caller.call('DELETE', `/v1/payout_methods/${first.id}`);
    const second = await givenMethod(caller);
    const waitMs = Date.parse(second.usable_from) - service.clock.now().getTime();
    assert.equal(waitMs, 72 * hourMs);
    assert.equal((await get(first.id, caller)).usable_from, first.usable_from);
  });

  test('a payout to a method that is not usable yet is on hold until it is', async () => {
    const caller = await service.givenOrganization();
    const { id, usable_from } = await givenMethod(caller);
    await givenTaxProfile(caller);
    await givenBalance(service, caller, '100');
    const payout = await givenPayout(service, caller, id);
    assert.deepEqual(await holdsOf(payout.id), [
      { reason: 'payout_method_changed', due_by: new Date(usable_from), status: 'on_hold' },
    ]);
  });

  for (const change of ['adding', 'removing'] as const) {
    test(`${change} a method holds every pending payout for 72 hours, and none that is sent`, async () => {
      const caller = await service.givenOrganization();
      const { id } = await givenMethod(caller);
      const other = await givenMethod(caller);
      await givenTaxProfile(caller);
      await givenBalance(service, caller, '100');
      await later(72);
      const pending = await givenPayout(service, caller, id);
      const sent = await givenPayout(service, caller, id);
      await service.query(`update payouts set status = 'processing' where id = $1`, [
        toUuid(sent.id),
      ]);
      assert.deepEqual(
        (await holdsOf(pending.id)).map(({ status }) => status),
        ['pending'],
      );
      if (change === 'adding') await givenMethod(caller);
      else await caller.call('DELETE', `/v1/payout_methods/${other.id}`);
      const dueBy = new Date(service.clock.now().getTime() + 72 * hourMs);
      assert.deepEqual(await holdsOf(pending.id), [
        { reason: 'payout_method_changed', due_by: dueBy, status: 'on_hold' },
      ]);
      assert.deepEqual(await holdsOf(sent.id), [
        { reason: null, due_by: null, status: 'processing' },
      ]);
      const audited = await service.query(
        `select 1 from audit where action = 'payout.hold' and audited_id = $1`,
        [pending.id],
      );
      assert.equal(audited.length, 1);
    });
  }

  test('a payout to a method that is removed waits for more than 72 hours: its money cannot arrive', async () => {
    const caller = await service.givenOrganization();
    const { id } = await givenMethod(caller);
    await givenTaxProfile(caller);
    await givenBalance(service, caller, '100');
    await later(72);
    const payout = await givenPayout(service, caller, id);
    await caller.call('DELETE', `/v1/payout_methods/${id}`);
    const [hold] = await holdsOf(payout.id);
    assert.deepEqual([hold.reason, hold.due_by], ['payout_method_changed', payout.expiresAt]);
  });

  test('contract §6: every change is an event payout_method.changed, without numbers', async () => {
    const caller = await service.givenOrganization();
    const { id } = await givenMethod(caller);
    await caller.call('DELETE', `/v1/payout_methods/${id}`);
    await service.sequenceEvents();
    const { json, text } = await caller.call('GET', '/v1/events?type=payout_method.changed');
    const found = json.data.map(({ data }: Json) => [data.id, data.status]);
    assert.deepEqual(found, [
      [id, 'removed'],
      [id, 'active'],
    ]);
    assert.ok(!text.includes(germanIban) && !text.includes('Northern Lights'));
  });

  test('a refused method leaves no trace', async () => {
    const caller = await service.givenOrganization();
    await post({ ...germanAccount, iban: 'DE89370400440532013001' }, caller);
    const orgId = toUuid(caller.orgId as Id<'org'>);
    for (const table of ['payout_methods', 'events']) {
      const rows = await service.query(`select 1 from ${table} where org_id = $1`, [orgId]);
      assert.deepEqual(rows, [], table);
    }
  });
});
