/** GET /v1/royalties (spec §4.2, contract §1, §2, §4, §10): royalty records from the files of published statements. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toWire } from '../../src/kernel/ids.ts';
import type { Json } from '../delivery-fixture.ts';
import { openRunFixture, type RunFixture } from '../run-fixture.ts';
import type { OrgClient } from '../test-service.ts';

const path = '/v1/royalties';
const otherStore = 'aurora';
const territories = ['AT', 'DE', 'FR', 'SE', 'US'];
const isrcs = Array.from({ length: 9 }, (_, index) => `QZLST26${String(index).padStart(5, '0')}`);
const micros = (amount: string): bigint => BigInt(amount.replace('.', ''));

describe('contract §4: GET /v1/royalties', () => {
  let fixture: RunFixture;
  let [one, two] = [{} as OrgClient, {} as OrgClient];
  let statements: Json[];
  let all: Json[];

  const walk = async (query = '', caller = one): Promise<Json[]> => {
    const found: Json[] = [];
    let cursor = '';
    do {
      const { status, json } = await caller.call('GET', `${path}?${query}${cursor}`);
      assert.equal(status, 200, JSON.stringify(json));
      assert.equal(json.has_more, json.next_cursor !== null);
      found.push(...json.data);
      cursor = json.next_cursor === null ? '' : `&cursor=${json.next_cursor}`;
    } while (cursor !== '');
    return found;
  };

  before(async () => {
    fixture = await openRunFixture();
    const { admin, service } = fixture;
    await service.admin('stores', 'seed');
    await service.query(`update stores set pay_on = 'report' where store_id = $1`, [otherStore]);
    [one, two] = [await fixture.givenPartner(), await fixture.givenPartner()];
    const fee = ['--basis-points', '1505', '--from', '2020-01'];
    await admin('fee-rules', 'set', '--org', one.orgId, ...fee);
    const tax = ['--source', 'US', '--income', 'royalty', '--basis-points', '3000'];
    await admin('withholding-rules', 'set', ...tax, '--form', 'any', '--from', '2020-01');
    const lines = isrcs.flatMap((isrc, number) =>
      territories.map((territory) => ({
        org: one,
        isrc,
        territory,
        amount: `${number}.1234567`,
        month: number % 2 === 0 ? '2026-09' : '2026-10',
      })),
    );
    await fixture.givenReport({
      lines: [...lines, { org: two, isrc: 'QZLST2699999', amount: '9' }],
    });
    await fixture.closeMonth('2026-08');
    await fixture.givenReport({ lines: lines.slice(0, 7) });
    await fixture.givenReport({ storeId: otherStore, lines: lines.slice(3, 20) });
    await fixture.closeMonth('2026-09');
    statements = (await fixture.statementsOf(one)).filter(({ status }) => status === 'published');
    all = await walk('limit=100');
  });
  after(() => fixture.close());

  test('contract §2: a record has its fields, and net = gross − fee − taxes to the micro', () => {
    const [first] = all;
    assert.deepEqual(Object.keys(first).toSorted(), [
      'created_at',
      'currency',
      'fee_amount',
      'gross_amount',
      'id',
      'isrc',
      'net_amount',
      'payee_tax_amount',
      'period_end',
      'period_start',
      'play_count',
      'release_id',
      'source_tax_amount',
      'statement_id',
      'store_id',
      'tax_amount',
      'territory',
      'track_id',
    ]);
    assert.match(first.id, /^roy_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.match(first.isrc, /^QZ-LST-26-\d{5}$/);
    assert.equal(first.created_at, statements[1]?.published_at.toISOString());
    for (const royalty of all) {
      assert.ok(
        ['2026-09-01 2026-09-30', '2026-10-01 2026-10-31'].includes(
          `${royalty.period_start} ${royalty.period_end}`,
        ),
      );
      const taxes = micros(royalty.source_tax_amount) + micros(royalty.payee_tax_amount);
      assert.equal(micros(royalty.tax_amount), taxes);
      const { net_amount, gross_amount, fee_amount } = royalty;
      assert.equal(micros(net_amount), micros(gross_amount) - micros(fee_amount) - taxes);
      assert.match(gross_amount, /^-?\d+\.\d{6}$/);
    }
    assert.ok(
      all.some(
        ({ territory, payee_tax_amount }) => territory === 'US' && micros(payee_tax_amount) > 0n,
      ),
    );
  });

  test('spec §2.3: the records of each statement add up to it; the newest statement comes first', () => {
    assert.equal(all.length, 45 + 7 + 17);
    const order = [...new Set(all.map(({ statement_id }) => statement_id))];
    assert.deepEqual(order, statements.map(({ id }) => toWire('stm', id)).toReversed());
    for (const statement of statements) {
      const own = all.filter(({ statement_id }) => statement_id === toWire('stm', statement.id));
      for (const name of ['gross_amount', 'fee_amount', 'payee_tax_amount', 'net_amount']) {
        const sum = own.reduce((total, royalty) => total + micros(royalty[name]), 0n);
        assert.equal(sum, micros(statement[name]), name);
      }
    }
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length, 'ids are unique');
  });

  test('contract §1: a walk with any limit has each record once, with the same ids', async () => {
    for (const limit of [1, 7, 45, 100]) assert.deepEqual(await walk(`limit=${limit}`), all);
    assert.deepEqual((await one.call('GET', path)).json.data, all.slice(0, 20), 'default 20');
  });

  test('contract §4: every filter, alone and with others', async () => {
    const [older] = statements;
    const id = toWire('stm', older?.id);
    for (const [query, isWanted] of [
      [`statement_id=${id}`, (each) => each.statement_id === id],
      [`store_id=${otherStore}`, (each) => each.store_id === otherStore],
      ['territory=SE', (each) => each.territory === 'SE'],
      [
        `territory=US&statement_id=${id}`,
        (each) => each.territory === 'US' && each.statement_id === id,
      ],
      ['isrc=QZ-LST-26-00002', (each) => each.isrc === 'QZ-LST-26-00002'],
      [
        'isrc=QZLST2600003&territory=FR',
        (each) => each.isrc === 'QZ-LST-26-00003' && each.territory === 'FR',
      ],
      ['period_start=2026-10-01', (each) => each.period_start >= '2026-10-01'],
      ['period_end=2026-10-30', (each) => each.period_end <= '2026-10-30'],
      [
        'period_start=2026-09-01&period_end=2026-09-30&territory=AT',
        (each) => each.period_end === '2026-09-30' && each.territory === 'AT',
      ],
      ['store_id=nowhere', () => false],
      ['isrc=QZLST2699999', () => false],
      ['period_start=2026-09-02&period_end=2026-10-30', () => false],
    ] as readonly (readonly [string, (each: Json) => boolean])[]) {
      const expected = all.filter(isWanted);
      for (const limit of [1, 3, 100])
        assert.deepEqual(await walk(`${query}&limit=${limit}`), expected, query);
      const numbered: Json[] = [];
      for (let page = 1; ; page++) {
        const { json } = await one.call('GET', `${path}?${query}&page=${page}&per_page=4`);
        if (json.data.length === 0) break;
        numbered.push(...json.data);
      }
      assert.deepEqual(numbered, expected, `${query} by page`);
    }
  });

  test('contract §4: page and per_page still work, with Deprecation, Sunset and the successor', async () => {
    const first = await one.call('GET', `${path}?page=2&per_page=10`);
    assert.deepEqual(first.json.data, all.slice(10, 20));
    assert.equal(first.headers.get('deprecation'), '@1717200000');
    assert.equal(first.headers.get('sunset'), 'Sat, 01 Jan 2028 00:00:00 GMT');
    assert.equal(first.headers.get('link'), '</v1/royalties>; rel="successor-version"');
    assert.deepEqual((await one.call('GET', `${path}?page=3`)).json.data, all.slice(40, 60));
    assert.deepEqual((await one.call('GET', `${path}?per_page=3`)).json.data, all.slice(0, 3));
    const next = await one.call('GET', `${path}?limit=100&cursor=${first.json.next_cursor}`);
    assert.deepEqual(next.json.data, all.slice(20), 'next_cursor continues after the page');
    assert.equal(next.headers.get('deprecation'), null);
    const { json: last } = await one.call('GET', `${path}?page=7&per_page=10`);
    assert.deepEqual([last.data.length, last.next_cursor, last.has_more], [9, null, false]);
    for (const beyond of ['page=8&per_page=10', 'page=1000000000&per_page=100']) {
      const { status, json } = await one.call('GET', `${path}?${beyond}`);
      assert.deepEqual([status, json], [200, { data: [], next_cursor: null, has_more: false }]);
    }
    const { json: uses } = await one.call('GET', '/v1/organization/deprecations');
    const use = uses.data.find(({ feature }: Json) => feature === 'royalties_page_parameters');
    assert.notEqual(use.last_used_at, null);
  });

  test('contract §4: both styles at once, and numbers out of range, are refused', async () => {
    const { next_cursor: cursor } = (await one.call('GET', `${path}?limit=1`)).json;
    for (const [query, field] of [
      ['page=1&limit=10', 'page'],
      ['per_page=10&limit=10', 'per_page'],
      [`page=2&cursor=${cursor}`, 'page'],
      ['page=0', 'page'],
      ['page=-1', 'page'],
      ['per_page=0', 'per_page'],
      ['per_page=101', 'per_page'],
      ['limit=101', 'limit'],
      ['store=aurora', 'store'],
      ['isrc=nope', 'isrc'],
      ['period_start=2026-10-02&period_end=2026-10-01', 'period_end'],
    ] as const) {
      const { status, json } = await one.call('GET', `${path}?${query}`);
      assert.deepEqual([status, json.error?.code], [400, 'invalid_parameter'], query);
      assert.equal(json.error.details[0].field, field, query);
    }
  });

  test('contract §1, §5: a cursor is bound to its filters and its organization; others see only their own records', async () => {
    const { next_cursor: cursor } = (await one.call('GET', `${path}?limit=1`)).json;
    for (const [caller, query] of [
      [one, `territory=DE&cursor=${cursor}`],
      [two, `cursor=${cursor}`],
    ] as const) {
      const { status, json } = await caller.call('GET', `${path}?${query}`);
      assert.deepEqual([status, json.error.code], [400, 'invalid_cursor']);
    }
    const [own, ...others] = await walk('', two);
    assert.deepEqual(
      [own.isrc, own.gross_amount, others.length],
      ['QZ-LST-26-99999', '9.000000', 0],
    );
    assert.deepEqual(await walk(`statement_id=${toWire('stm', statements[0]?.id)}`, two), []);
  });

  test('contract §10: after the sunset, page and per_page are gone; limit and cursor are not', async () => {
    await fixture.service.clock.set('2028-01-01T00:00:00.000Z');
    const { status, json, headers } = await one.call('GET', `${path}?page=1`);
    assert.deepEqual([status, json.error.code], [422, 'deprecated_feature_removed']);
    assert.equal(headers.get('sunset'), 'Sat, 01 Jan 2028 00:00:00 GMT');
    assert.equal((await one.call('GET', `${path}?limit=1`)).status, 200);
  });
});
