/** For tests of reports that replace others which runs have paid already. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Id, toUuid } from '../src/kernel/ids.ts';
import type { Json } from './delivery-fixture.ts';
import { openRunFixture, type OtherLine, type RunFixture, type UsageLine } from './run-fixture.ts';
import type { OrgClient } from './test-service.ts';

export type WorldReport = {
  readonly currency: string;
  readonly lines: readonly UsageLine[];
  readonly others: readonly OtherLine[];
  readonly suspense?: string;
  readonly supersedes: readonly string[];
};

export type WorldRun = {
  readonly currencies: Readonly<Record<string, string>>;
  readonly reports: readonly (WorldReport & { readonly id: string })[];
};

/** Numbers that repeat: a linear congruence, so that a failure can be repeated. */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Few tracks, so that records have lines of several reports; many halves of a micro. */
export function someLines(
  orgs: readonly OrgClient[],
  count: number,
  next: (below: number) => number,
): UsageLine[] {
  return Array.from({ length: count }, (): UsageLine => {
    const micros = next(90_000_000);
    const tail = ['0000', '5000', '5000', '0001'][next(4)] ?? '';
    const amount = `${Math.floor(micros / 1_000_000)}.${String(micros % 1_000_000).padStart(6, '0')}${tail}`;
    const isReturn = next(7) === 0;
    return {
      org: orgs[next(orgs.length)]!,
      isrc: `QZABC26${String(next(6) * 199 + 1).padStart(5, '0')}`,
      amount: isReturn ? `-${amount}` : amount,
      plays: isReturn ? -1 : 7,
      territory: next(2) === 0 ? 'US' : 'DE',
      useType: next(3) === 0 ? 'download' : 'subscription_stream',
    };
  });
}

export const statusOf = async ({ service }: RunFixture, reportId: string): Promise<string> =>
  (
    await service.query('select status from store_reports where id = $1', [
      toUuid(reportId as Id<'rpt'>),
    ])
  )[0].status;

export const uuidOf = ({ orgId }: OrgClient): string => toUuid(orgId as Id<'org'>);

export const balanceOf = async ({ call }: OrgClient): Promise<Json> =>
  (await call('GET', '/v1/balance')).json.data[0];

export const adjustmentsOf = async ({ call }: OrgClient): Promise<Json[]> =>
  (await call('GET', '/v1/adjustments?type=correction')).json.data;

/** Of the last published statement of each currency; zero is left out. */
export async function closingsOf(
  fixture: RunFixture,
  orgs: readonly OrgClient[],
): Promise<Record<string, string>> {
  const closings: [string, string][] = [];
  for (const org of orgs) {
    const statements = await fixture.statementsOf(org);
    const published = statements.filter(({ status }) => status === 'published');
    for (const each of published) {
      const sum =
        micros(each.opening_balance) +
        micros(each.net_amount) +
        micros(each.adjustment_amount) -
        micros(each.payout_amount);
      assert.equal(sum, micros(each.closing_balance), 'the identity of a statement');
    }
    const last = new Map(published.map((each) => [each.currency, each.closing_balance]));
    for (const [currency, closing] of last) {
      if (micros(closing) !== 0n) closings.push([`${org.orgId} ${currency}`, closing]);
    }
  }
  return Object.fromEntries(closings.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const micros = (amount: string): bigint => BigInt(amount.replace('.', ''));

export async function askOracle(runs: readonly WorldRun[], fees: Record<string, number>) {
  const folder = await mkdtemp(join(tmpdir(), 'tonearm-oracle-'));
  try {
    const path = join(folder, 'world.json');
    const world = {
      runs: runs.map(({ currencies, reports }) => ({
        currencies,
        reports: reports.map(({ lines, others, ...report }) => ({
          ...report,
          lines: lines.map(({ org, useType = 'subscription_stream', ...line }) => ({
            territory: 'DE',
            ...line,
            org: org.orgId,
            use: useType,
          })),
          others: others.map((other) => ({ ...other, org: other.org?.orgId ?? null })),
        })),
      })),
      rates: { 'GBP/EUR': '1.15', 'EUR/USD': '1.08', 'GBP/USD': '1.2420000001' },
      fees,
      withholding,
    };
    await writeFile(path, JSON.stringify(world));
    const script = join(import.meta.dirname, 'reversal-oracle.py');
    const output = execFileSync('python3', [script, path], { encoding: 'utf8' });
    return JSON.parse(output) as readonly Record<string, string>[];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Payees have 30 % of royalties and 5.25 % of sales from the US withheld. */
export async function openReversalFixture(): Promise<RunFixture> {
  const fixture = await openRunFixture('2027-12-16T09:00:00.000Z');
  for (const [income, points] of Object.entries(withholding.US)) {
    const flags = ['--source', 'US', '--income', income, '--basis-points', String(points)];
    const rest = ['--from', '2015-01', '--form', 'any'];
    await fixture.admin('withholding-rules', 'set', ...flags, ...rest);
  }
  return fixture;
}

const withholding = { US: { royalty: 3_000, sale: 525 } };
