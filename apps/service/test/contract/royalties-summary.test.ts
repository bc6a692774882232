/** GET /v1/royalties/summary (contract §4): sums of published statements from their totals, in every grouping. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid, toWire } from '../../src/kernel/ids.ts';
import type { Json } from '../delivery-fixture.ts';
import { openRunFixture, type RunFixture } from '../run-fixture.ts';
import { draft, type OrgClient } from '../test-service.ts';

const path = '/v1/royalties/summary';
const amountNames = [
  'gross_amount',
  'fee_amount',
  'source_tax_amount',
  'payee_tax_amount',
  'net_amount',
];
const groupings = [
  'store',
  'territory',
  'release',
  'track',
  'label',
  'usage_month',
  'accounting_month',
  'use_type',
  'store,territory',
  'use_type,accounting_month,usage_month',
  'release,usage_month',
  'track,usage_month',
  'release,track,usage_month',
  'label,usage_month',
];
const micros = (amount: string): bigint => BigInt(amount.replace('.', ''));

describe('contract §4: GET /v1/royalties/summary', () => {
  let fixture: RunFixture;
  let [one, two] = [{} as OrgClient, {} as OrgClient];
  let release: Json;
  const otherStore = 'aurora';

  before(async () => {
    fixture = await openRunFixture();
    const { admin, service } = fixture;
    await service.admin('stores', 'seed');
    await service.query(`update stores set pay_on = 'report' where store_id = $1`, [otherStore]);
    [one, two] = [await fixture.givenPartner(), await fixture.givenPartner()];
    release = (await one.call('POST', '/v1/releases', draft())).json;
    const fee = ['--basis-points', '1505', '--from', '2020-01'];
    await admin('fee-rules', 'set', '--org', one.orgId, ...fee);
    const tax = ['--source', 'US', '--income', 'royalty', '--basis-points', '3000'];
    await admin('withholding-rules', 'set', ...tax, '--form', 'any', '--from', '2020-01');
    const first = { org: one, isrc: 'QZSUM2600001', releaseId: release.id };
    await fixture.givenReport({
      lines: [
        { ...first, amount: '10.1234565', territory: 'US' },
        { ...first, amount: '3.3333335', territory: 'US', useType: 'download', plays: 3 },
        { ...first, amount: '0.0000025', territory: 'US', useType: 'ad_supported_stream' },
        { ...first, amount: '-1.7', territory: 'US', plays: -1 },
        { ...first, amount: '2', accountingMonth: '2026-11' },
        { org: one, isrc: 'QZSUM2600002', amount: '0.0000015', month: '2026-09' },
        { org: two, isrc: 'QZSUM2600003', amount: '7' },
      ],
    });
    await fixture.givenReport({
      storeId: otherStore,
      lines: [{ ...first, amount: '5.5555555', territory: 'FR', month: '2026-09', plays: 7 }],
    });
    await fixture.closeMonth('2026-08');
    await fixture.givenReport({ lines: [{ ...first, amount: '1' }] });
    await fixture.closeMonth('2026-09');
  });
  after(() => fixture.close());

  const rowsOf = async (query: string, caller = one): Promise<Json[]> => {
    const { status, json } = await caller.call('GET', `${path}?${query}`);
    assert.equal(status, 200, JSON.stringify(json));
    return json.data;
  };
  const sums = (rows: readonly Json[]): bigint[] =>
    amountNames.map((name) => rows.reduce((sum, row) => sum + micros(row[name]), 0n));

  test('spec §2.3: the rows of every grouping add up to the statements, to the micro', async () => {
    const published = (await fixture.statementsOf(one)).filter(
      ({ status }) => status === 'published',
    );
    const expected = sums(published);
    assert.ok((expected[3] ?? 0n) > 0n, 'a tax of the payee was withheld');
    for (const grouping of groupings) {
      const rows = await rowsOf(`group_by=${grouping}&limit=100`);
      assert.deepEqual(sums(rows), expected, grouping);
      for (const row of rows) {
        assert.equal(
          micros(row.tax_amount),
          micros(row.source_tax_amount) + micros(row.payee_tax_amount),
        );
        assert.equal(
          micros(row.net_amount),
          micros(row.gross_amount) - micros(row.fee_amount) - micros(row.tax_amount),
        );
        assert.equal(row.currency, 'EUR');
      }
    }
    for (const statement of published) {
      for (const grouping of groupings) {
        const query = `group_by=${grouping}&limit=100&statement_id=${toWire('stm', statement.id)}`;
        assert.deepEqual(sums(await rowsOf(query)), sums([statement]), grouping);
      }
    }
  });

  test('contract §4: each grouping names its group, and rows are in its order', async () => {
    const named = async (grouping: string, ...names: string[]) =>
      (await rowsOf(`group_by=${grouping}`)).map((row) =>
        [...names, 'play_count', 'gross_amount'].map((name) => row[name]).join(' '),
      );
    assert.deepEqual(await named('territory', 'territory'), [
      'DE 30 3.000002',
      'FR 7 5.555556',
      'US 22 11.756792',
    ]);
    assert.deepEqual(await named('usage_month', 'usage_month'), [
      '2026-09 17 5.555558',
      '2026-10 42 14.756792',
    ]);
    assert.deepEqual(await named('accounting_month', 'accounting_month'), [
      '2026-09 17 5.555558',
      '2026-10 32 12.756792',
      '2026-11 10 2.000000',
    ]);
    assert.deepEqual(await named('use_type', 'use_type'), [
      'ad_supported_stream 10 0.000002',
      'download 3 3.333334',
      'subscription_stream 46 16.979014',
    ]);
    const tracks = await rowsOf('group_by=track');
    assert.deepEqual(tracks.map(({ isrc }): string => isrc).toSorted(), [
      'QZ-SUM-26-00001',
      'QZ-SUM-26-00002',
    ]);
    const first = tracks.find(({ isrc }) => isrc === 'QZ-SUM-26-00001');
    assert.equal(first?.release_id, release.id);
    assert.match(first?.track_id, /^trk_/);
    assert.deepEqual(await rowsOf(''), await rowsOf('group_by=store'));
  });

  test('spec §2.3: downloads bear no tax on royalties, although their records have streams too', async () => {
    const rows = await rowsOf('group_by=use_type&territory=US');
    const taxOf = (type: string) =>
      rows.find(({ use_type }) => use_type === type)?.payee_tax_amount;
    assert.equal(taxOf('download'), '0.000000');
    assert.notEqual(taxOf('subscription_stream'), '0.000000');
  });

  test('contract §4: filters by statement, store, territory, release and period', async () => {
    const gross = async (query: string) =>
      (await rowsOf(query)).map(({ gross_amount }) => gross_amount);
    assert.deepEqual(await gross(`store_id=${otherStore}`), ['5.555556']);
    assert.deepEqual(await gross('store_id=nowhere'), []);
    assert.deepEqual(await gross('group_by=territory&territory=FR'), ['5.555556']);
    assert.deepEqual(await gross(`group_by=release&release_id=${release.id}`), ['20.312348']);
    assert.deepEqual(await gross('group_by=usage_month&period_start=2026-10-01'), ['14.756792']);
    assert.deepEqual(await gross('group_by=usage_month&period_end=2026-09-30'), ['5.555558']);
    assert.deepEqual(
      await gross('group_by=usage_month&period_start=2026-09-02&period_end=2026-10-30'),
      [],
    );
    assert.deepEqual(await gross('group_by=label&period_start=2026-10-01&period_end=2026-10-31'), [
      '14.756792',
    ]);
  });

  test('a label is that of the release when the statement was published; a release that is gone has none', async () => {
    const published = await rowsOf('group_by=label');
    assert.deepEqual(
      published.map(({ label }) => label),
      [null, release.label],
    );
    const { status } = await one.call('PATCH', `/v1/releases/${release.id}`, {
      label: 'Another label',
    });
    assert.equal(status, 200);
    assert.deepEqual(await rowsOf('group_by=label'), published);
  });

  test('contract §1: pages of every grouping have each row once; a cursor is bound to its filters', async () => {
    for (const grouping of groupings) {
      const walked: Json[] = [];
      let cursor = '';
      do {
        const { json } = await one.call('GET', `${path}?group_by=${grouping}&limit=1${cursor}`);
        walked.push(...json.data);
        assert.equal(json.has_more, json.next_cursor !== null);
        cursor = json.next_cursor === null ? '' : `&cursor=${json.next_cursor}`;
      } while (cursor !== '');
      assert.deepEqual(walked, await rowsOf(`group_by=${grouping}&limit=100`), grouping);
    }
    const { json } = await one.call('GET', `${path}?group_by=territory&limit=1`);
    const other = await one.call('GET', `${path}?group_by=use_type&cursor=${json.next_cursor}`);
    assert.deepEqual([other.status, other.json.error.code], [400, 'invalid_cursor']);
  });

  test('contract §7: a grouping that no totals have is refused, and says what is possible', async () => {
    for (const [query, field, issue] of [
      ['group_by=artist', 'group_by', /must be one to three of store, territory, release/],
      ['group_by=store,store', 'group_by', /names store twice/],
      ['group_by=store,release', 'group_by', /cannot combine store with release/],
      ['group_by=label,track', 'group_by', /cannot combine track with label/],
      ['group_by=store,territory,use_type,usage_month', 'group_by', /one to three/],
      ['group_by=track&store_id=aurora', 'store_id', /cannot be combined with group_by=track/],
      [`group_by=store&release_id=${release.id}`, 'release_id', /cannot be combined/],
      ['period_start=2026-10-01&period_end=2026-09-30', 'period_end', /before period_start/],
      ['period_start=2026-02-30', 'period_start', /date/],
      ['statement_id=stm_1', 'statement_id', /must be an id/],
      ['territory=XX', 'territory', /ISO 3166/],
    ] as const) {
      const { status, json } = await one.call('GET', `${path}?${query}`);
      assert.deepEqual([status, json.error?.code], [400, 'invalid_parameter'], query);
      assert.equal(json.error.details[0].field, field, query);
      assert.match(json.error.details[0].issue, issue, query);
    }
  });

  test('contract §5: another organization has its own sums, and none of a statement that is not its own', async () => {
    assert.deepEqual(
      (await rowsOf('group_by=territory', two)).map(({ gross_amount }) => gross_amount),
      ['7.000000'],
    );
    const [statement] = await fixture.statementsOf(one);
    assert.deepEqual(await rowsOf(`statement_id=${toWire('stm', statement?.id)}`, two), []);
  });

  test('spec §2.3: currencies never offset: each row is of one', async () => {
    const { service } = fixture;
    await service.query(`update organizations set statement_currency = 'USD' where org_id = $1`, [
      toUuid(one.orgId as Id<'org'>),
    ]);
    await fixture.givenReport({ lines: [{ org: one, isrc: 'QZSUM2600002', amount: '100' }] });
    await fixture.closeMonth('2026-10');
    const rows = await rowsOf('group_by=usage_month&period_start=2026-10-01');
    assert.deepEqual(
      rows.map(({ currency, gross_amount }) => [currency, gross_amount]),
      [
        ['EUR', '14.756792'],
        ['USD', '108.000000'],
      ],
    );
  });
});
