/**
 * What royalties can be summed by. Each summary is read from one table of totals, which has far fewer rows than there are
 * line items. A combination that no table has is refused: line items are never added up in a request.
 */

import type { Currency } from '../../kernel/currency.ts';
import type { Refusal } from '../../kernel/problem.ts';

export const summaryDimensions = [
  'store',
  'territory',
  'release',
  'track',
  'label',
  'usage_month',
  'accounting_month',
  'use_type',
] as const;
export type SummaryDimension = (typeof summaryDimensions)[number];
export const dimensionsMax = 3;

/** What a table of totals can be summed by, and filtered by beside statement and period. */
const summaryGrains = {
  markets: {
    dimensions: ['store', 'territory', 'usage_month', 'accounting_month', 'use_type'],
    filters: ['store_id', 'territory'],
  },
  tracks: { dimensions: ['release', 'track', 'usage_month'], filters: ['release_id'] },
  labels: { dimensions: ['label', 'usage_month'], filters: [] },
} as const satisfies Readonly<
  Record<
    string,
    { readonly dimensions: readonly SummaryDimension[]; readonly filters: readonly GrainFilter[] }
  >
>;
export type SummaryGrain = keyof typeof summaryGrains;

const grainFilters = ['store_id', 'territory', 'release_id'] as const;
type GrainFilter = (typeof grainFilters)[number];

export type SummaryRequest = {
  readonly dimensions: readonly SummaryDimension[];
  readonly filters: Readonly<Partial<Record<GrainFilter, string | undefined>>>;
};

export function grainOf(dimensions: readonly SummaryDimension[]): SummaryGrain {
  if (dimensions.includes('label')) return 'labels';
  return dimensions.includes('release') || dimensions.includes('track') ? 'tracks' : 'markets';
}

/** `group_by` matches its pattern: names of dimensions with commas between them. */
export const parseGroupBy = (text: string): readonly SummaryDimension[] =>
  text.split(',') as SummaryDimension[];

export function refuseSummary({ dimensions, filters }: SummaryRequest): Refusal | undefined {
  const twice = dimensions.find((each, index) => dimensions.indexOf(each) !== index);
  if (twice !== undefined) return invalid('group_by', `names ${twice} twice; name it once`);
  const grain = summaryGrains[grainOf(dimensions)];
  const own: readonly SummaryDimension[] = grain.dimensions;
  const other = dimensions.find((each) => !own.includes(each));
  if (other !== undefined)
    return invalid('group_by', `cannot combine ${other} with ${mainOf(dimensions)}; ${combinable}`);
  const allowed: readonly GrainFilter[] = grain.filters;
  const surplus = grainFilters.find(
    (name) => filters[name] !== undefined && !allowed.includes(name),
  );
  if (surplus === undefined) return undefined;
  return invalid(
    surplus,
    `cannot be combined with group_by=${dimensions.join(',')}; ${filterable[surplus]}`,
  );
}

const mainOf = (dimensions: readonly SummaryDimension[]): SummaryDimension | undefined =>
  dimensions.find((each) => each === 'label') ??
  dimensions.find((each) => each === 'track' || each === 'release');

const combinable =
  'release and track combine with each other and with usage_month, label with usage_month, and store, territory, usage_month, accounting_month and use_type among themselves';

const markets = 'send it with group_by store, territory, usage_month, accounting_month or use_type';
const filterable: Readonly<Record<GrainFilter, string>> = {
  store_id: markets,
  territory: markets,
  release_id: 'send it with group_by release or track',
};

const invalid = (field: string, issue: string): Refusal => ({
  code: 'invalid_parameter',
  message: `${field} ${issue}.`,
  details: [{ field, issue }],
});

/** One group in one currency. Amounts are decimal texts with six decimals. */
export type Summary = {
  /** Columns of the group by name; ids are UUIDs. */
  readonly keys: Readonly<Record<string, string>>;
  readonly currency: Currency;
  readonly playCount: number;
  readonly grossAmount: string;
  readonly feeAmount: string;
  readonly sourceTaxAmount: string;
  readonly payeeTaxAmount: string;
  readonly taxAmount: string;
  readonly netAmount: string;
};
