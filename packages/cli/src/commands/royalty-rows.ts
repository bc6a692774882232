/** Sums of royalties as rows of a table: with months as a sparkline, without them as a bar of the share. */

import type { RoyaltySummary } from '@tonearm/sdk';
import { microsOf } from '../output/units.ts';

/** As people say it → as the API says it. */
const groupNames: Readonly<Record<string, string>> = { month: 'usage_month' };

export const apiGroup = (name: string): string => groupNames[name] ?? name;

export type RoyaltyRow = {
  /** The values of the groups except the month. */
  readonly groups: readonly string[];
  readonly currency: string;
  readonly plays: number;
  readonly gross: bigint;
  readonly net: bigint;
  /** By month, in millionths. A month that nobody reported is missing. */
  readonly months: ReadonlyMap<string, bigint>;
};

const groupFields: Readonly<Record<string, keyof RoyaltySummary>> = {
  store: 'store_id',
  territory: 'territory',
  release: 'release_id',
  track: 'track_id',
  label: 'label',
  usage_month: 'usage_month',
  accounting_month: 'accounting_month',
  use_type: 'use_type',
};

const valueOf = (summary: RoyaltySummary, group: string): string => {
  const field = groupFields[group];
  return field === undefined ? '' : String(summary[field] ?? '');
};

/** The month among the groups, if it is not the only one: then it becomes the sparkline. */
export const monthAcross = (groups: readonly string[]): string | undefined =>
  groups.length < 2
    ? undefined
    : groups.find((group) => group === 'usage_month' || group === 'accounting_month');

/** Largest net first. Currencies are never added to each other. */
export function royaltyRows(
  summaries: readonly RoyaltySummary[],
  groups: readonly string[],
): RoyaltyRow[] {
  const month = monthAcross(groups);
  const others = groups.filter((group) => group !== month);
  const rows = new Map<string, RoyaltyRow & { months: Map<string, bigint> }>();
  for (const summary of summaries) {
    const values = others.map((group) => valueOf(summary, group));
    const { currency } = summary;
    const key = JSON.stringify([currency, ...values]);
    const before = rows.get(key);
    const months = before?.months ?? new Map<string, bigint>();
    const net = microsOf(summary.net_amount);
    if (month !== undefined) {
      const name = valueOf(summary, month);
      months.set(name, (months.get(name) ?? 0n) + net);
    }
    rows.set(key, {
      groups: values,
      currency,
      plays: (before?.plays ?? 0) + summary.play_count,
      gross: (before?.gross ?? 0n) + microsOf(summary.gross_amount),
      net: (before?.net ?? 0n) + net,
      months,
    });
  }
  const isMonthly = others.every((group) => group.endsWith('_month'));
  return [...rows.values()].toSorted((a, b) => {
    if (a.currency !== b.currency) return a.currency < b.currency ? -1 : 1;
    if (isMonthly) return (a.groups[0] ?? '') < (b.groups[0] ?? '') ? -1 : 1;
    return a.net === b.net ? 0 : a.net > b.net ? -1 : 1;
  });
}

const monthNumber = (month: string): number =>
  Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;

/** Every month from the first to the last that occurs, at most the last `most`. */
export function monthsOf(rows: readonly RoyaltyRow[], most: number): string[] {
  const numbers = rows.flatMap(({ months }) => [...months.keys()].map(monthNumber));
  if (numbers.length === 0) return [];
  const last = Math.max(...numbers);
  const first = Math.max(Math.min(...numbers), last - most + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const number = first + index;
    return `${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}`;
  });
}
