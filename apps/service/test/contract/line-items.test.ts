/** Line items of a statement: pages and exports (spec §4.2, contract §1, §2, §4, §5). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toWire } from '../../src/kernel/ids.ts';
import type { Json } from '../delivery-fixture.ts';
import { lineItemReportId, lineItemUuid } from '../line-item-file.ts';
import { type GivenStatement, givenOpenStatement, givenStatement } from '../statement-fixture.ts';
import { openTestService, type OrgClient, type TestService } from '../test-service.ts';

const unknownId = 'stm_01h455vb4pex5vsknk084sn02q';
const paths = ['/line-items', '/line-items.jsonl', '/line-items.csv'] as const;

describe('line items', () => {
  let service: TestService;
  let partner: OrgClient;
  /** Of two files with several groups of rows. */
  let large: GivenStatement;
  before(async () => {
    service = await openTestService({ now: '2026-11-16T09:00:00Z' });
    partner = await service.givenOrganization();
    large = await givenStatement(service, partner, { parts: [2_100, 4_097] });
  });
  after(() => service.close());

  const pathOf = (id: string, path: string) => `/v1/statements/${id}${path}`;
  const page = async (id: string, query = '', caller = partner): Promise<Json> => {
    const reply = await caller.call('GET', pathOf(id, `/line-items${query}`));
    assert.equal(reply.status, 200, reply.text);
    return reply.json;
  };
  const exported = async (id: string, path: string, query = ''): Promise<string> => {
    const reply = await partner.call('GET', pathOf(id, `${path}${query}`));
    assert.equal(reply.status, 200, reply.text);
    return reply.text;
  };
  const jsonLines = (text: string): Json[] => {
    assert.ok(text === '' || text.endsWith('\n'));
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  };
  const walk = async (id: string, limit: number): Promise<Json[]> => {
    const items: Json[] = [];
    let cursor = '';
    do {
      const { data, next_cursor, has_more }: Json = await page(
        id,
        `?limit=${limit}${cursor && `&cursor=${cursor}`}`,
      );
      assert.equal(has_more, next_cursor !== null);
      assert.ok(data.length === limit || !has_more);
      items.push(...data);
      cursor = next_cursor;
    } while (cursor !== null);
    return items;
  };
  const micros = (amount: string): bigint => BigInt(amount.replace('.', ''));

  test('contract §2: an item has these fields: six decimals of earnings, ten of rates and source amounts', async () => {
    const { data } = await page(large.id, '?limit=20');
    const { id, ...first } = data[0];
    assert.match(id, /^sli_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.deepEqual(first, {
      isrc: 'QZ-TST-26-00000',
      title: 'Night "Drive", Pt. 0',
      release_id: toWire('rel', lineItemUuid(1, 0)),
      track_id: toWire('trk', lineItemUuid(2, 0)),
      store_id: 'aurora',
      territory: 'AT',
      use_type: 'ad_supported_stream',
      transaction_type: 'usage',
      usage_month: '2026-08',
      accounting_month: '2026-09',
      report_id: lineItemReportId,
      allocated: true,
      play_count: 1,
      unit_rate: '0.0028750000',
      earnings: '0.002875',
      currency: 'EUR',
      source_currency: 'USD',
      source_amount: '0.0031250000',
      fx_rate: '0.9200000000',
      period_start: '2026-08-01',
      period_end: '2026-08-31',
    });
  });

  test('contract §2: returns are negative, a rate without plays is null, and large amounts keep every digit', async () => {
    const { data } = await page(large.id, '?limit=20');
    const { 7: returned, 11: unplayed, 13: huge } = data;
    assert.deepEqual(
      [returned.transaction_type, returned.play_count, returned.earnings],
      ['return', -3, '-0.009375'],
    );
    assert.deepEqual(
      [unplayed.play_count, unplayed.unit_rate, unplayed.earnings],
      [0, null, '0.000001'],
    );
    assert.deepEqual(
      [huge.source_amount, huge.earnings],
      ['12345678901.2345678914', '12345678901.234568'],
    );
  });

  test('contract §1: by position, without a gap or a repeat, over all files; the sum is gross_amount', async () => {
    const items = await walk(large.id, 100);
    assert.equal(items.length, large.rowCount);
    assert.equal(new Set(items.map(({ id }) => id)).size, items.length);
    const ids = items.map(({ id }): string => id);
    assert.deepEqual(ids, ids.toSorted(), 'ids are in the order of positions');
    const sum = items.reduce((total, { earnings }) => total + micros(earnings), 0n);
    assert.equal(sum, micros(large.gross));
    const { json } = await partner.call('GET', `/v1/statements/${large.id}`);
    assert.deepEqual([json.line_item_count, json.gross_amount], [items.length, large.gross]);
    const others = await walk(large.id, 99);
    assert.deepEqual(others, items, 'pages of another size have the same items');
  });

  test('contract §1: limit is 1 to 100 and 20 by default', async () => {
    assert.equal((await page(large.id)).data.length, 20);
    assert.equal((await page(large.id, '?limit=1')).data.length, 1);
    assert.equal((await page(large.id, '?limit=100')).data.length, 100);
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'offset=5', 'page=2']) {
      const { status, json } = await partner.call('GET', pathOf(large.id, `/line-items?${query}`));
      assert.deepEqual([status, json.error.code], [400, 'invalid_parameter'], query);
    }
  });

  test('contract §1: a cursor is tamper-evident, and bound to its statement and organization', async () => {
    const { next_cursor: cursor } = await page(large.id, '?limit=10');
    const other = await givenStatement(service, partner, { month: '2026-09' });
    const stranger = await service.givenOrganization();
    const changed = Buffer.from(cursor, 'base64url');
    changed[changed.length - 2] = (changed.at(-2) ?? 0) ^ 1;
    const attempts: readonly [caller: OrgClient, id: string, cursor: string][] = [
      [partner, large.id, changed.toString('base64url')],
      [partner, large.id, `${cursor}AAAA`],
      [partner, large.id, 'nonsense'],
      [partner, other.id, cursor],
      [stranger, large.id, cursor],
    ];
    for (const [caller, id, attempt] of attempts) {
      const path = pathOf(id, `/line-items?cursor=${attempt}`);
      const { status, json } = await caller.call('GET', path);
      assert.deepEqual([status, json.error.code], [400, 'invalid_cursor'], attempt);
    }
    const { data } = await page(large.id, `?limit=5&cursor=${cursor}`);
    assert.deepEqual(data, (await page(large.id, '?limit=15')).data.slice(10), 'limit may change');
  });

  test('contract §5: another organization and an unknown id answer 404, on every path', async () => {
    const stranger = await service.givenOrganization();
    for (const path of paths) {
      const answers = await Promise.all(
        [large.id, unknownId, 'stm_x'].map((id) => stranger.call('GET', pathOf(id, path))),
      );
      for (const { status, json } of answers) {
        assert.deepEqual([status, json.error.code], [404, 'resource_not_found'], path);
        assert.equal(json.error.message, 'No statement of your organization has this id.');
      }
    }
  });

  test('contract §5: every path needs statements:read', async () => {
    const other = await service.givenOrganization({ scopes: 'royalties:read' });
    for (const path of paths) {
      const { status, json } = await other.call('GET', pathOf(large.id, path));
      assert.deepEqual([status, json.error.code], [403, 'insufficient_scope'], path);
    }
  });

  test('contract §4: an open statement has no items yet', async () => {
    const id = await givenOpenStatement(service, partner, { currency: 'USD' });
    assert.deepEqual(await page(id), { data: [], next_cursor: null, has_more: false });
    assert.equal(await exported(id, '/line-items.jsonl'), '');
    assert.match(await exported(id, '/line-items.csv'), /^id,isrc,title,.*\r\n$/);
  });

  test('contract §4: a published statement may have no items, in no file or in an empty one', async () => {
    const caller = partner;
    for (const [parts, month] of [
      [[], '2025-01'],
      [[0], '2025-02'],
      [[0, 2, 0], '2025-03'],
    ] as const) {
      const { id, rowCount } = await givenStatement(service, caller, { parts, month });
      const { data, has_more } = await page(id);
      assert.deepEqual([data.length, has_more], [rowCount, false]);
      assert.deepEqual(jsonLines(await exported(id, '/line-items.jsonl')), data);
    }
  });

  test('contract §1: the last page of exactly 100 items has no cursor', async () => {
    const { id } = await givenStatement(service, partner, { parts: [60, 40], month: '2025-04' });
    const { data, has_more, next_cursor } = await page(id, '?limit=100');
    assert.deepEqual([data.length, has_more, next_cursor], [100, false, null]);
  });
});
