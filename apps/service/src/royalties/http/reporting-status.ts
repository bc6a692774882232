/** Which months stores have reported (contract §4): "not yet reported" is never 0.00. */

import { findFirstLiveTimes } from '../../delivery/face.ts';
import { findBusinessTime } from '../../identity/face.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { type PagePosition, type PageRequest, toPage } from '../../kernel/page.ts';
import { findReportDueDays } from '../../network/face.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { type Ask, read } from '../../platform/http/read.ts';
import { type ReportingStatus, reportingStatuses } from '../domain/reporting-status.ts';
import { findReportedMonths } from '../store/reported-months.ts';
import { ReportingStatusPage, ReportingStatusQuery } from './reporting-status-schemas.ts';
import { royaltyExamples } from './royalty-examples.ts';

type Deps = { readonly db: Database; readonly clock: Clock; readonly keyring: Keyring };

export function reportingStatusRoutes(server: Server, { db, clock, keyring }: Deps): void {
  read(
    server,
    db,
    {
      id: 'listReportingStatus',
      tag: 'Royalties',
      summary: 'List the reporting status',
      description:
        'Returns, for each store that has had a release of yours and each month since then, whether the store has reported the usage, paid for it, and whether it is in your statements. Stores report weeks after a month has ended: a month that is `awaited` or `late` has no royalties yet, which does not mean that it earned nothing. The newest month comes first, and its stores are sorted by `store_id`.',
      method: 'GET',
      path: '/v1/royalties/reporting_status',
      scope: 'royalties:read',
      query: ReportingStatusQuery,
      answers: { 200: ReportingStatusPage },
      examples: royaltyExamples.listReportingStatus,
      problems: ['invalid_cursor'],
    },
    async (ask, { caller: { orgId }, query }) => {
      const list = openList(keyring, orgId, 'reporting_status', query);
      const { store_id: storeId, usage_month: usageMonth, state } = query;
      const all = await findStatuses(ask, orgId, clock);
      const wanted = all.filter(
        (status) =>
          (storeId === undefined || status.storeId === storeId) &&
          (usageMonth === undefined || status.usageMonth === usageMonth) &&
          (state === undefined || status.state === state),
      );
      return list.answer(pageOf(wanted, list.page), presentStatus);
    },
  );
}

/** At most every store in every month since the first release: some thousands. */
async function findStatuses(
  ask: Ask,
  orgId: OrgId,
  clock: Clock,
): Promise<readonly ReportingStatus[]> {
  const dueDays = await ask(findReportDueDays);
  const [firstLive, reported, now] = await Promise.all([
    ask((tenant) => findFirstLiveTimes(tenant, orgId, [...dueDays.keys()])),
    ask(findReportedMonths),
    ask((tenant) => findBusinessTime(tenant, orgId, clock.now)),
  ]);
  const stores = [...firstLive].map(([storeId, firstLiveAt]) => ({
    storeId,
    firstLiveAt,
    reportDueDays: dueDays.get(storeId) ?? 0,
  }));
  return reportingStatuses(stores, reported, now);
}

const positionOf = ({ usageMonth, storeId }: ReportingStatus): PagePosition => ({
  at: usageMonth,
  id: storeId,
});

function pageOf(statuses: readonly ReportingStatus[], { limit, after }: PageRequest) {
  const start = after === undefined ? 0 : statuses.findIndex((each) => isAfter(each, after));
  const rows = start === -1 ? [] : statuses.slice(start, start + limit + 1);
  return toPage(rows, limit, { item: (status) => status, position: positionOf });
}

const isAfter = ({ usageMonth, storeId }: ReportingStatus, { at, id }: PagePosition): boolean =>
  usageMonth === at ? storeId > id : usageMonth < at;

const presentStatus = (status: ReportingStatus) => ({
  store_id: status.storeId,
  usage_month: status.usageMonth,
  state: status.state,
  expected_by: status.expectedBy,
});
