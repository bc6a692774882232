/** Earnings that are held by themselves (contract §2, §4, §6), while the rest of the balance stays payable. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Json } from '../delivery-fixture.ts';
import { adjust, entriesOf, holdEarnings, settleEarnings } from '../ledger-fixture.ts';
import { rowsOf } from '../organization-rows.ts';
import { openTestService, type OrgClient, type TestService } from '../test-service.ts';

const unknownHold = 'hld_01h455vb4pex5vsknk084sn02q';

describe('earning holds', () => {
  let service: TestService;
  let partner: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-16T09:00:00Z' });
    partner = await service.givenOrganization();
  });
  after(() => service.close());

  const list = async (query = '', caller = partner): Promise<Json> => {
    const reply = await caller.call('GET', `/v1/earning_holds${query}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.json;
  };
  const idsOf = ({ data }: Json): string[] => data.map(({ id }: Json) => id);
  const balanceOf = async ({ call }: OrgClient): Promise<unknown> => {
    const [{ available, held }] = (await call('GET', '/v1/balance')).json.data;
    return { available, held };
  };
  const eventsOf = async (caller: OrgClient): Promise<Json[]> => {
    await service.sequenceEvents();
    return (await caller.call('GET', '/v1/events?after=0')).json.data;
  };
  /** An organization with 100 EUR, of which 40 are held. */
  const givenHold = async (): Promise<{ caller: OrgClient; hold: Json }> => {
    const caller = await service.givenOrganization();
    await adjust(service, caller, '100');
    return { caller, hold: await holdEarnings(service, caller, '40') };
  };

  test('contract §2: a hold says what it concerns and why, and the rest stays payable', async () => {
    const caller = await service.givenOrganization();
    await adjust(service, caller, '100');
    const hold = await holdEarnings(service, caller, '12.3', {
      reason: 'artificial_streaming',
      store: 'aurora',
      isrc: 'QZABC2600001',
      'period-start': '2026-09-01',
      'period-end': '2026-09-30',
      evidence: 'The store reported 41,000 plays by 12 listeners.',
      'review-by': '2026-12-15',
    });
    const { id, ...rest } = hold;
    assert.match(id, /^hld_/);
    assert.deepEqual(rest, {
      status: 'held',
      reason: 'artificial_streaming',
      amount: '12.300000',
      currency: 'EUR',
      store_id: 'aurora',
      isrc: 'QZ-ABC-26-00001',
      period_start: '2026-09-01',
      period_end: '2026-09-30',
      evidence: 'The store reported 41,000 plays by 12 listeners.',
      review_by: '2026-12-15',
      created_at: '2026-11-16T09:00:00.000Z',
      updated_at: '2026-11-16T09:00:00.000Z',
    });
    assert.deepEqual((await list('', caller)).data, [hold]);
    assert.deepEqual(await balanceOf(caller), { available: '87.700000', held: '12.300000' });
    const held = (await eventsOf(caller)).find(({ type }) => type === 'earnings.held');
    assert.deepEqual(held?.data, hold);
  });

  test('contract §6: released earnings are payable again', async () => {
    const { caller, hold } = await givenHold();
    await service.clock.set('2026-11-16T09:30:00Z');
    const released = await settleEarnings(service, caller, 'release', hold.id);
    const updated_at = '2026-11-16T09:30:00.000Z';
    assert.deepEqual(released, { ...hold, status: 'released', updated_at });
    assert.deepEqual(await balanceOf(caller), { available: '100.000000', held: '0.000000' });
    assert.deepEqual((await eventsOf(caller)).at(-1)?.data, released);
  });

  test('contract §6: forfeited earnings are gone, and a penalty refers to the hold', async () => {
    const { caller, hold } = await givenHold();
    const { penalty, ...forfeited } = await settleEarnings(service, caller, 'forfeit', hold.id);
    assert.equal(forfeited.status, 'forfeited');
    assert.deepEqual(await balanceOf(caller), { available: '60.000000', held: '0.000000' });
    const { type, gross_amount, amount, refers_to } = penalty;
    assert.deepEqual(
      [type, gross_amount, amount, refers_to],
      ['penalty', '-40.000000', '-40.000000', hold.id],
    );
    const { json } = await caller.call('GET', '/v1/adjustments?type=penalty');
    assert.deepEqual(json.data, [penalty]);
    const events = (await eventsOf(caller)).slice(-2);
    assert.deepEqual(
      events.map((event) => [event.type, event.data]),
      [
        ['earnings.forfeited', forfeited],
        ['adjustment.created', penalty],
      ],
    );
    const ofStore = (await entriesOf(service, caller)).filter(
      ({ account }) => account === 'store_receivable',
    );
    assert.deepEqual(
      ofStore.map(({ amount: posted }) => posted),
      ['-100.000000', '40.000000'],
      'the penalty posts nothing of its own',
    );
  });

  test('contract §3: a hold is settled once; afterwards it is 409 and nothing changes', async () => {
    for (const [first, second] of [
      ['release', 'forfeit'],
      ['forfeit', 'release'],
      ['release', 'release'],
    ] as const) {
      const { caller, hold } = await givenHold();
      await settleEarnings(service, caller, first, hold.id);
      const entries = await entriesOf(service, caller);
      await assert.rejects(settleEarnings(service, caller, second, hold.id), {
        code: 'invalid_state',
      });
      assert.deepEqual(await entriesOf(service, caller), entries);
      const { data } = await list('', caller);
      assert.equal(data[0].status, first === 'release' ? 'released' : 'forfeited');
    }
  });

  test('of a release and a forfeit at the same time, one happens', async () => {
    const { caller, hold } = await givenHold();
    const outcomes = await Promise.allSettled([
      settleEarnings(service, caller, 'release', hold.id),
      settleEarnings(service, caller, 'forfeit', hold.id),
    ]);
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    const { held } = (await balanceOf(caller)) as Json;
    assert.equal(held, '0.000000');
  });

  test('an unknown hold and one of another organization are the same refusal', async () => {
    const { hold } = await givenHold();
    const messages: string[] = [];
    for (const id of [unknownHold, hold.id]) {
      await assert.rejects(settleEarnings(service, partner, 'release', id), (error: Error) => {
        messages.push(error.message);
        return 'code' in error && error.code === 'resource_not_found';
      });
    }
    assert.equal(new Set(messages).size, 1);
  });

  test('earnings that were paid already can be held: what is available becomes negative', async () => {
    const caller = await service.givenOrganization();
    await holdEarnings(service, caller, '8');
    assert.deepEqual(await balanceOf(caller), { available: '-8.000000', held: '8.000000' });
  });

  test('contract §1: newest first, in pages, filtered by status and currency', async () => {
    const holds = [];
    for (const [i, currency] of ['EUR', 'USD', 'EUR'].entries()) {
      await service.clock.set(`2026-11-16T10:00:0${i}Z`);
      holds.push(await holdEarnings(service, partner, '1', { currency }));
    }
    const [first, second, third] = holds.map(({ id }) => id);
    await settleEarnings(service, partner, 'release', first);
    assert.deepEqual(idsOf(await list()), [third, second, first]);
    assert.deepEqual(idsOf(await list('?status=held')), [third, second]);
    assert.deepEqual(idsOf(await list('?status=released&currency=EUR')), [first]);
    const page = await list('?limit=1');
    assert.deepEqual([idsOf(page), page.has_more], [[third], true]);
    const next = await list(`?limit=1&cursor=${page.next_cursor}`);
    assert.deepEqual(idsOf(next), [second]);
  });

  test('contract §5: needs statements:read; another organization sees none of them', async () => {
    const stranger = await service.givenOrganization({ scopes: 'statements:read' });
    assert.deepEqual((await list('', stranger)).data, []);
    const other = await service.givenOrganization({ scopes: 'payouts:read' });
    const { status, json } = await other.call('GET', '/v1/earning_holds');
    assert.deepEqual([status, json.error.code], [403, 'insufficient_scope']);
  });

  const refused: readonly [
    what: string,
    amount: string,
    fields: Readonly<Record<string, string>>,
    message: RegExp,
  ][] = [
    ['its amount is zero', '0', {}, /must be more than 0/],
    ['its amount is negative', '-1', {}, /must be more than 0/],
    ['its amount is too large', '1000000000000.000001', {}, /at most 1000000000000/],
    ['its reason is unknown', '1', { reason: 'bad_mood' }, /--reason must be one of: artificial/],
    ['its store is unknown', '1', { store: 'atlantis' }, /must be the id of a store/],
    ['its ISRC is malformed', '1', { isrc: 'nope' }, /--isrc must be an ISRC/],
    ['its period has no end', '1', { 'period-start': '2026-09-01' }, /together with period_end/],
    [
      'its period ends before it starts',
      '1',
      { 'period-start': '2026-09-02', 'period-end': '2026-09-01' },
      /must not be before period_start/,
    ],
    ['a date is not in the calendar', '1', { 'review-by': '2026-02-30' }, /--review-by must be a/],
    ['its evidence is too long', '1', { evidence: 'x'.repeat(2_001) }, /at most 2000 characters/],
    ['there is no such organization', '1', { org: 'org_01h455vb4pex5vsknk084sn02q' }, /no organiz/],
  ];
  test('a hold with a wrong value is refused, and leaves no trace', async () => {
    const rows = await rowsOf(service, partner.orgId);
    for (const [what, amount, fields, message] of refused) {
      await assert.rejects(holdEarnings(service, partner, amount, fields), message, what);
    }
    assert.deepEqual(await rowsOf(service, partner.orgId), rows);
  });
});
