/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { Pager } from '../../core/pager.ts';
import type { ReadOptions, RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type {
  CreateSandboxReport,
  ListSandboxReportsQuery,
  SandboxReport,
  SandboxReportPage,
} from '../schema.ts';

/** Sandbox.reports. */
export class SandboxReportsResource extends Resource {
  /**
   * Let a store report your royalties.
   *
   * A store reports a month of your recordings that it has, as a file that passes through the same intake, matching and calculation as in live, and pays it. The answer comes at once; read the report until its status is no longer `expected`. While the clock is `manual`, reports arrive when you advance it. From your first report on, the clock closes each month on the 15th of the next one at 09:00 UTC: your statement is published, and your balance grows. A report about a month that is closed goes to the next statement; a second report about the same store and month is added to the first, unless its kind is `restated`. Your sandbox can have 200 reports.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `createSandboxReport`
   */
  create(body: CreateSandboxReport, options?: WriteOptions): ApiCall<SandboxReport> {
    return this.client.call({
      method: 'POST',
      path: '/v1/sandbox/reports',
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * List reports of stores.
   *
   * Returns a page of the reports that you asked stores for, newest first.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `listSandboxReports`
   */
  list(
    query?: ListSandboxReportsQuery,
    options?: RequestOptions,
  ): Pager<SandboxReport, SandboxReportPage> {
    return this.client.list({ method: 'GET', path: '/v1/sandbox/reports', query, options });
  }

  /**
   * Get a report of a store.
   *
   * Returns the report.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `getSandboxReport`
   */
  get(reportId: string, options?: ReadOptions): ApiCall<SandboxReport> {
    return this.client.call({
      method: 'GET',
      path: `/v1/sandbox/reports/${segment(reportId, 'report_id')}`,
      options,
    });
  }
}
