/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import type {
  ListReportingStatusQuery,
  ListRoyaltiesQuery,
  ReportingStatus,
  ReportingStatusPage,
  Royalty,
  RoyaltyPage,
  RoyaltySummary,
  RoyaltySummaryPage,
  SummarizeRoyaltiesQuery,
} from '../schema.ts';

/** Royalties. */
export class RoyaltiesResource extends Resource {
  /**
   * List royalties.
   *
   * Returns a page of the royalty records of your published statements: the newest statement first, and its records in an order that never changes. A record is what one track earned at one store in one territory and month. A page may have fewer records than `limit`, even none, if what you filter by is rare: read on while `has_more` is `true`. `page` and `per_page` are deprecated: use `limit` and `cursor`; `next_cursor` continues after any page.
   *
   * Scope: `royalties:read`.
   *
   * @see operation `listRoyalties`
   */
  list(query?: ListRoyaltiesQuery, options?: RequestOptions): Pager<Royalty, RoyaltyPage> {
    return this.client.list({ method: 'GET', path: '/v1/royalties', query, options });
  }

  /**
   * Summarize royalties.
   *
   * Returns sums of the royalties of your published statements, in groups: by store, by track, by month and so on. Each row is one group in one currency; amounts in different currencies are never added. The rows of all pages add up to the statements, exactly. They are sorted by the group. Adjustments are not royalties: `GET /v1/adjustments` lists them.
   *
   * Scope: `royalties:read`.
   *
   * @see operation `summarizeRoyalties`
   */
  summarize(
    query?: SummarizeRoyaltiesQuery,
    options?: RequestOptions,
  ): Pager<RoyaltySummary, RoyaltySummaryPage> {
    return this.client.list({ method: 'GET', path: '/v1/royalties/summary', query, options });
  }

  /**
   * List the reporting status.
   *
   * Returns, for each store that has had a release of yours and each month since then, whether the store has reported the usage, paid for it, and whether it is in your statements. Stores report weeks after a month has ended: a month that is `awaited` or `late` has no royalties yet, which does not mean that it earned nothing. The newest month comes first, and its stores are sorted by `store_id`.
   *
   * Scope: `royalties:read`.
   *
   * @see operation `listReportingStatus`
   */
  listReportingStatus(
    query?: ListReportingStatusQuery,
    options?: RequestOptions,
  ): Pager<ReportingStatus, ReportingStatusPage> {
    return this.client.list({
      method: 'GET',
      path: '/v1/royalties/reporting_status',
      query,
      options,
    });
  }
}
