/** Adjustments of a balance (contract §2, §4, §6), which operators make. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Json } from '../delivery-fixture.ts';
import { adjust, entriesOf } from '../ledger-fixture.ts';
import { rowsOf } from '../organization-rows.ts';
import { openTestService, type OrgClient, type TestService } from '../test-service.ts';

const holdId = 'hld_01h455vb4pex5vsknk084sn02q';

describe('adjustments', () => {
  let service: TestService;
  let partner: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-16T09:00:00Z' });
    partner = await service.givenOrganization();
  });
  after(() => service.close());

  const list = async (query = '', caller = partner): Promise<Json> => {
    const reply = await caller.call('GET', `/v1/adjustments${query}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.json;
  };
  const idsOf = ({ data }: Json): string[] => data.map(({ id }: Json) => id);

  test('contract §2: the amount is the gross amount less fee and tax; the list shows what the operator made', async () => {
    const caller = await service.givenOrganization();
    const made = await adjust(service, caller, '100', {
      type: 'correction',
      fee: '15',
      tax: '4.25',
      reason: 'The store reported March twice.',
      'refers-to': holdId,
    });
    const { id, ...rest } = made;
    assert.match(id, /^adj_/);
    assert.deepEqual(rest, {
      type: 'correction',
      gross_amount: '100.000000',
      fee_amount: '15.000000',
      tax_amount: '4.250000',
      amount: '80.750000',
      currency: 'EUR',
      reason: 'The store reported March twice.',
      refers_to: holdId,
      created_at: '2026-11-16T09:00:00.000Z',
    });
    assert.deepEqual((await list('', caller)).data, [made]);
    assert.deepEqual(await entriesOf(service, caller), [
      posted('fee_income', '15.000000'),
      posted('payable', '80.750000'),
      posted('store_receivable', '-100.000000'),
      posted('withholding_payable', '4.250000'),
    ]);
  });

  const posted = (account: string, amount: string) => ({
    currency: 'EUR',
    account,
    version: '1',
    amount,
    balance_after: amount,
  });

  test('an amount of zero posts no entry: a refunded tax concerns two accounts', async () => {
    const caller = await service.givenOrganization();
    const { amount } = await adjust(service, caller, '0', { type: 'tax', tax: '-30' });
    assert.equal(amount, '30.000000');
    assert.deepEqual(await entriesOf(service, caller), [
      posted('payable', '30.000000'),
      posted('withholding_payable', '-30.000000'),
    ]);
  });

  test('contract §6: each is an event with the adjustment, and has an audit row', async () => {
    const caller = await service.givenOrganization();
    const made = await adjust(service, caller, '-5', { type: 'chargeback' });
    await service.sequenceEvents();
    const { json } = await caller.call('GET', '/v1/events?type=adjustment.created');
    assert.deepEqual(json.data[0].data, made);
    const audit = await caller.call('GET', '/v1/audit_log?action=adjustments.create');
    assert.equal(audit.json.data[0].resource_id ?? audit.json.data[0].audited_id, made.id);
  });

  test('contract §1: newest first, in pages, filtered by currency and type', async () => {
    const made = [];
    for (const [i, type] of ['manual', 'penalty', 'manual'].entries()) {
      await service.clock.set(`2026-11-16T10:00:0${i}Z`);
      made.push(await adjust(service, partner, '1', { type, currency: i === 2 ? 'USD' : 'EUR' }));
    }
    const [first, second, third] = made.map(({ id }) => id);
    assert.deepEqual(idsOf(await list()), [third, second, first]);
    assert.deepEqual(idsOf(await list('?currency=EUR')), [second, first]);
    assert.deepEqual(idsOf(await list('?type=penalty')), [second]);
    assert.deepEqual(idsOf(await list('?type=penalty&currency=USD')), []);
    const page = await list('?limit=2');
    assert.deepEqual([idsOf(page), page.has_more], [[third, second], true]);
    const rest = await list(`?limit=2&cursor=${page.next_cursor}`);
    assert.deepEqual([idsOf(rest), rest.has_more], [[first], false]);
    const other = await partner.call('GET', `/v1/adjustments?type=tax&cursor=${page.next_cursor}`);
    assert.deepEqual([other.status, other.json.error.code], [400, 'invalid_cursor']);
  });

  test('contract §5: needs statements:read; another organization sees none of them', async () => {
    const stranger = await service.givenOrganization({ scopes: 'statements:read' });
    assert.deepEqual((await list('', stranger)).data, []);
    const other = await service.givenOrganization({ scopes: 'payouts:read' });
    const { status, json } = await other.call('GET', '/v1/adjustments');
    assert.deepEqual([status, json.error.code], [403, 'insufficient_scope']);
  });

  const refused: readonly [
    what: string,
    amount: string,
    fields: Readonly<Record<string, string>>,
    message: RegExp,
  ][] = [
    ['nothing is left after the fee', '10', { fee: '10' }, /must not be zero/],
    ['it is too large', '1000000000000.000001', {}, /at most 1000000000000/],
    ['its tax is too large', '1', { tax: '-1000000000001' }, /at most 1000000000000/],
    ['it has seven decimals', '1.0000001', {}, /--amount must be an amount/],
    ['it is no number', 'ten', {}, /--amount must be an amount/],
    ['its type is unknown', '1', { type: 'gift' }, /--type must be one of: penalty/],
    ['its currency is unknown', '1', { currency: 'XBT' }, /--currency must be an ISO 4217 code/],
    ['its reason is too long', '1', { reason: 'x'.repeat(501) }, /at most 500 characters/],
    ['its reason is empty', '1', { reason: '' }, /--reason is required/],
    ['it refers to a release', '1', { 'refers-to': 'rel_01h455vb4pex5vsknk084sn02q' }, /refers_to/],
    ['there is no such organization', '1', { org: 'org_01h455vb4pex5vsknk084sn02q' }, /no organiz/],
  ];
  test('an adjustment with a wrong value is refused, and leaves no trace', async () => {
    const rows = await rowsOf(service, partner.orgId);
    for (const [what, amount, fields, message] of refused) {
      await assert.rejects(adjust(service, partner, amount, fields), message, what);
    }
    assert.deepEqual(await rowsOf(service, partner.orgId), rows);
  });
});
