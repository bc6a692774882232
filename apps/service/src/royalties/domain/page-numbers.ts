/** The deprecated `page` and `per_page` of royalties (spec §9.4, contract §4), which end with their sunset. */

import { deprecatedFeatures, isPastSunset } from '../../kernel/deprecation.ts';
import { pageLimitDefault } from '../../kernel/page.ts';
import type { Refusal } from '../../kernel/problem.ts';

const feature = 'royalties_page_parameters';

type PageQuery = {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
};

export const usesPageNumbers = ({ page, per_page: perPage }: PageQuery): boolean =>
  page !== undefined || perPage !== undefined;

export const offsetOf = ({ page = 1, per_page: perPage = pageLimitDefault }: PageQuery): number =>
  (page - 1) * perPage;

export function refuseRemovedPageNumbers(now: Date): Refusal | undefined {
  if (!isPastSunset(feature, now)) return undefined;
  const issue = `cannot be used since ${deprecatedFeatures[feature].sunsetOn}; use limit and cursor`;
  return {
    code: 'deprecated_feature_removed',
    message: 'page and per_page cannot be used any more. Use limit and cursor.',
    details: [{ field: 'page', issue }],
  };
}

export function refusePageNumbers(query: PageQuery): Refusal | undefined {
  if (!usesPageNumbers(query)) return undefined;
  const name = query.page === undefined ? 'per_page' : 'page';
  if (query.limit !== undefined) return invalid(name, 'limit');
  return query.cursor === undefined ? undefined : invalid(name, 'cursor');
}

function invalid(field: string, other: string): Refusal {
  const issue = `cannot be combined with ${other}; use limit and cursor`;
  return {
    code: 'invalid_parameter',
    message: `${field} ${issue}.`,
    details: [{ field, issue }],
  };
}
