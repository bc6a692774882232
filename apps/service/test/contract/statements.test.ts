/** Statements (contract §1, §2, §4, §5). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Json } from '../delivery-fixture.ts';
import { givenOpenStatement, givenStatement } from '../statement-fixture.ts';
import { openTestService, type OrgClient, type TestService } from '../test-service.ts';

const unknownId = 'stm_01h455vb4pex5vsknk084sn02q';

describe('statements', () => {
  let service: TestService;
  let partner: OrgClient;
  let published: readonly string[];
  let open: string;
  before(async () => {
    service = await openTestService({ now: '2026-11-16T09:00:00Z' });
    partner = await service.givenOrganization();
    const make = async (month: string, currency: string, at: string) => {
      const createdAt = new Date(at);
      return (await givenStatement(service, partner, { month, currency, createdAt })).id;
    };
    published = [
      await make('2026-09', 'EUR', '2026-10-10T09:00:00Z'),
      await make('2026-10', 'EUR', '2026-11-10T09:00:00Z'),
      // Two with the same time: the id decides.
      await make('2026-10', 'USD', '2026-11-10T09:00:00Z'),
    ];
    open = await givenOpenStatement(service, partner);
  });
  after(() => service.close());

  const list = async (query = '', caller = partner): Promise<Json> => {
    const reply = await caller.call('GET', `/v1/statements${query}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.json;
  };
  const idsOf = ({ data }: Json): string[] => data.map(({ id }: Json) => id);
  const newestFirst = (): string[] => {
    const [september = '', ...october] = published;
    return [open, ...october.toSorted().toReversed(), september];
  };

  test('contract §1: newest first by (created_at, id)', async () => {
    const { data, has_more, next_cursor } = await list();
    assert.deepEqual(idsOf({ data }), newestFirst());
    assert.deepEqual([has_more, next_cursor], [false, null]);
  });

  test('contract §1: pages follow each other without a gap; a cursor is bound to its filters and its list', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const page: Json = await list(`?limit=1${cursor && `&cursor=${cursor}`}`);
      assert.equal(page.data.length, 1);
      seen.push(...idsOf(page));
      cursor = page.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(seen, newestFirst());
    const { next_cursor } = await list('?limit=1');
    for (const path of [
      `/v1/statements?currency=EUR&cursor=${next_cursor}`,
      `/v1/statements?cursor=A${next_cursor}`,
      `/v1/adjustments?cursor=${next_cursor}`,
    ]) {
      const { status, json } = await partner.call('GET', path);
      assert.deepEqual([status, json.error.code], [400, 'invalid_cursor'], path);
    }
    const stranger = await service.givenOrganization();
    const other = await stranger.call('GET', `/v1/statements?cursor=${next_cursor}`);
    assert.deepEqual([other.status, other.json.error.code], [400, 'invalid_cursor']);
  });

  test('contract §1: limit is 1 to 100', async () => {
    for (const limit of ['0', '101', '-1', 'x', '1.5']) {
      const { status, json } = await partner.call('GET', `/v1/statements?limit=${limit}`);
      assert.deepEqual([status, json.error.code], [400, 'invalid_parameter'], limit);
    }
    assert.equal((await list('?limit=100')).data.length, 4);
  });

  test('contract §4: filters by status, currency and period', async () => {
    const [september, euros, dollars] = published;
    assert.deepEqual(idsOf(await list('?status=open')), [open]);
    assert.deepEqual(idsOf(await list('?currency=USD')), [dollars]);
    assert.deepEqual(idsOf(await list('?status=published&currency=EUR')), [euros, september]);
    assert.deepEqual(idsOf(await list('?period_end=2026-09-30')), [september]);
    assert.deepEqual(idsOf(await list('?period_end=2026-09-29')), []);
    assert.deepEqual(idsOf(await list('?period_start=2026-10-01&currency=EUR')), [open, euros]);
    assert.deepEqual(idsOf(await list('?period_start=2026-10-02&status=published')), []);
    assert.deepEqual(idsOf(await list('?currency=JPY')), []);
  });

  test('contract §2: a statement has these fields; amounts have six decimals', async () => {
    const [id = ''] = published;
    const { status, json } = await partner.call('GET', `/v1/statements/${id}`);
    assert.equal(status, 200);
    const { gross_amount: gross } = json;
    assert.match(gross, /^\d+\.\d{6}$/);
    assert.deepEqual(json, {
      id,
      period_start: '2026-09-01',
      period_end: '2026-09-30',
      status: 'published',
      currency: 'EUR',
      opening_balance: '0.000000',
      gross_amount: gross,
      fee_amount: '0.000000',
      source_tax_amount: '0.000000',
      payee_tax_amount: '0.000000',
      tax_amount: '0.000000',
      adjustment_amount: '0.000000',
      net_amount: gross,
      payout_amount: '0.000000',
      closing_balance: gross,
      available_amount: gross,
      reserved_amount: '0.000000',
      held_amount: '0.000000',
      line_item_count: 3,
      published_at: '2026-10-10T09:00:00.000Z',
      document: null,
    });
    const { document: _document, ...listed } = json;
    assert.deepEqual((await list('?period_end=2026-09-30')).data, [listed]);
  });

  test('contract §2: an open statement has the balance it opened with, and no amounts yet', async () => {
    const { json } = await partner.call('GET', `/v1/statements/${open}`);
    assert.deepEqual(
      [json.status, json.opening_balance, json.closing_balance, json.gross_amount],
      ['open', '12.500000', '12.500000', '0.000000'],
    );
    assert.deepEqual([json.line_item_count, json.published_at], [0, null]);
  });

  test('contract §1: a statement has an ETag', async () => {
    const path = `/v1/statements/${published[0]}`;
    const { headers } = await partner.call('GET', path);
    const etag = headers.get('etag') ?? '';
    assert.match(etag, /^(W\/)?"/);
    const again = await partner.call('GET', path, undefined, { 'if-none-match': etag });
    assert.deepEqual([again.status, again.text], [304, '']);
  });

  test('contract §5: another organization sees none of them: its answer is that of an unknown id', async () => {
    const stranger = await service.givenOrganization({ scopes: 'statements:read' });
    assert.deepEqual((await list('', stranger)).data, []);
    const answers = await Promise.all(
      [published[0], unknownId, 'stm_1'].map((id) => stranger.call('GET', `/v1/statements/${id}`)),
    );
    for (const { status, json } of answers) {
      assert.deepEqual([status, json.error.code], [404, 'resource_not_found']);
      assert.equal(json.error.message, 'No statement of your organization has this id.');
    }
  });

  test('contract §5: needs statements:read', async () => {
    const other = await service.givenOrganization({ scopes: 'royalties:read,payouts:read' });
    for (const path of ['/v1/statements', `/v1/statements/${published[0]}`]) {
      const { status, json } = await other.call('GET', path);
      assert.deepEqual([status, json.error.code], [403, 'insufficient_scope'], path);
    }
  });
});
