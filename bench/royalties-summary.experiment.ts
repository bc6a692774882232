/**
 * Summaries of royalties over twelve statements, as ten million lines leave them: 12,000 totals by market and 100,000 by
 * track in each. Each grouping is asked for again and again over HTTP, the first page and a later one.
 *
 * The bar: every request is answered, the sums of each grouping by market are equal, and the 99th percentile of each
 * grouping is below 300 ms. It fails when a summary reads more than its totals, or an index does not serve its page.
 */

import { type Id, toUuid } from '../apps/service/src/kernel/ids.ts';
import {
  openTestService,
  type OrgClient,
  type TestService,
} from '../apps/service/test/test-service.ts';
import type { Experiment } from '../scripts/experiments/experiment.ts';

const sizes = {
  start: { statements: 2, territories: 5, tracks: 200, requests: 5 },
  full: { statements: 12, territories: 100, tracks: 50_000, requests: 100 },
};
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
  'store,usage_month,use_type',
  'release,usage_month',
  'track,usage_month',
];
const percentileMsMax = 300;

export const experiment: Experiment = {
  compares: 'summaries of twelve statements by each grouping, against 300 ms',
  bar: (size) => ({
    failed: { equals: 0 },
    different_sums: { equals: 0 },
    ...(size === 'full' && { p99_ms: { atMost: percentileMsMax } }),
  }),
  run: async ({ size, say }) => {
    const { requests, ...given } = sizes[size === 'start' ? 'start' : 'full'];
    const service = await openTestService();
    const partner = await service.givenOrganization();
    say('writing totals');
    const rows = await writeTotals(service, partner, given);
    const figures: Record<string, unknown> = {};
    const sums = new Set<bigint>();
    const all: number[] = [];
    let failed = 0;
    for (const grouping of groupings) {
      const paths = await pathsOf(partner, grouping);
      const times: number[] = [];
      for (let request = 0; request < requests; request++) {
        const began = performance.now();
        const answer = await fetch(`${service.url}${paths[request % paths.length]}`, {
          headers: { authorization: `Bearer ${partner.key}` },
        });
        await answer.arrayBuffer();
        times.push(performance.now() - began);
        if (answer.status !== 200) failed++;
      }
      all.push(percentile(times, 0.99));
      figures[grouping] = { p50_ms: percentile(times, 0.5), p99_ms: percentile(times, 0.99) };
      say(`${grouping}: ${JSON.stringify(figures[grouping])}`);
    }
    for (const grouping of ['store', 'territory', 'use_type', 'usage_month', 'label'])
      sums.add(await sumOf(partner, grouping));
    await service.close();
    return {
      rows,
      requests,
      failed,
      different_sums: sums.size - 1,
      p99_ms: Math.max(...all),
      ...figures,
    };
  },
};

const percentile = (times: readonly number[], share: number): number =>
  Math.round(10 * (times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0)) / 10;

/** The first page, and one that follows it if there is one. */
async function pathsOf({ call }: OrgClient, grouping: string): Promise<readonly string[]> {
  const first = `/v1/royalties/summary?group_by=${grouping}&limit=100`;
  const { json } = await call('GET', first);
  return json.next_cursor === null ? [first] : [first, `${first}&cursor=${json.next_cursor}`];
}

async function sumOf({ call }: OrgClient, grouping: string): Promise<bigint> {
  let [sum, cursor] = [0n, ''];
  do {
    const path = `/v1/royalties/summary?group_by=${grouping}&limit=100${cursor}`;
    const { json } = await call('GET', path);
    for (const { net_amount } of json.data) sum += BigInt(net_amount.replace('.', ''));
    cursor = json.next_cursor === null ? '' : `&cursor=${json.next_cursor}`;
  } while (cursor !== '');
  return sum;
}

type Given = { readonly statements: number; readonly territories: number; readonly tracks: number };

/** Every market row earns as much as its share of the tracks: all grains have the same sum. */
async function writeTotals(
  service: TestService,
  { orgId }: OrgClient,
  { statements, territories, tracks }: Given,
): Promise<Record<string, number>> {
  const org = toUuid(orgId as Id<'org'>);
  const total = BigInt(tracks * 2) * 120_000n;
  const markets = 10 * territories * 2 * 3 * 2;
  const decimal = (micros: bigint) => (Number(micros) / 1_000_000).toFixed(6);
  await service.query(
    `insert into statements (org_id, id, status, currency, period_start, period_end, opening_balance, closing_balance,
                             opening_versions, closing_versions, run_id, published_at, created_at)
     select $1, uuidv7(), 'published', 'EUR', day, day + 27, 0, 0, '{}', '{}', gen_random_uuid(), now(), now()
       from (select (date '2025-01-01' + n * interval '1 month')::date as day from generate_series(1, $2::int) n) months`,
    [org, statements],
  );
  await service.query(
    `insert into royalty_market_totals
     select $1, s.id, 'EUR', 'store-' || store, 'T' || territory, '2026-' || lpad(month::text, 2, '0'), (array['ad_supported_stream', 'download', 'subscription_stream'])[use],
            '2026-' || lpad(accounted::text, 2, '0'), 10, $3, 0, 0, 0, $3
       from statements s, generate_series(1, 10) store, generate_series(1, $2::int) territory, generate_series(1, 2) month,
            generate_series(1, 3) use, generate_series(1, 2) accounted
      where s.org_id = $1`,
    [org, territories, decimal(total / BigInt(markets))],
  );
  await service.query(
    `insert into royalty_track_totals
     select $1, s.id, 'EUR', md5('track' || track)::uuid, 'QZSUM' || lpad(track::text, 7, '0'),
            md5('release' || track / 10)::uuid, '2026-' || lpad(month::text, 2, '0'), 10, $3, 0, 0, 0, $3
       from statements s, generate_series(1, $2::int) track, generate_series(1, 2) month
      where s.org_id = $1`,
    [org, tracks, decimal(total / BigInt(tracks * 2))],
  );
  await service.query(
    `insert into royalty_label_totals
     select $1, s.id, 'EUR', 'Label ' || label, '2026-' || lpad(month::text, 2, '0'), 10, $2, 0, 0, 0, $2
       from statements s, generate_series(1, 50) label, generate_series(1, 2) month where s.org_id = $1`,
    [org, decimal(total / 100n)],
  );
  await service.query('analyze royalty_market_totals, royalty_track_totals, royalty_label_totals');
  const [{ by_market, by_track }] = await service.query(
    `select (select count(*)::int from royalty_market_totals) as by_market,
            (select count(*)::int from royalty_track_totals) as by_track`,
  );
  return { by_market, by_track };
}
