/** Royalty records (spec §4.2, contract §2, §4). */

import { findBusinessTime } from '../../identity/face.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Id, OrgId } from '../../kernel/ids.ts';
import { parseIsrc } from '../../kernel/isrc.ts';
import { pageLimitDefault } from '../../kernel/page.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { DeprecatedUse } from '../../platform/http/deprecation.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { type Ask, read } from '../../platform/http/read.ts';
import type { ParquetReader } from '../connectors/parquet-reader.ts';
import { readNumberedPage, readRoyalties, recordPositionOf } from '../connectors/read-royalties.ts';
import type { StatementId } from '../domain/calculation.ts';
import {
  offsetOf,
  refusePageNumbers,
  refuseRemovedPageNumbers,
  usesPageNumbers,
} from '../domain/page-numbers.ts';
import type { RecordPosition } from '../domain/royalty-range.ts';
import { presentRoyalty } from '../domain/royalty.ts';
import { refusePeriod, usageMonthsIn } from '../domain/usage-months.ts';
import { findRanges, findRangesFrom } from '../store/royalty-sections.ts';
import { findStatementFiles } from '../store/statement-files.ts';
import { royaltyExamples } from './royalty-examples.ts';
import { RoyaltyPage, RoyaltyQuery } from './royalty-schemas.ts';

const searchedRangesMax = 2_000;

type Deps = {
  readonly db: Database;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly parquet: ParquetReader;
};

export function royaltyRecordRoutes(server: Server, deps: Deps): void {
  const { db, keyring, parquet } = deps;
  const deprecated = pageNumbers(deps);
  read(
    server,
    db,
    {
      id: 'listRoyalties',
      tag: 'Royalties',
      summary: 'List royalties',
      description:
        'Returns a page of the royalty records of your published statements: the newest statement first, and its records in an order that never changes. A record is what one track earned at one store in one territory and month. A page may have fewer records than `limit`, even none, if what you filter by is rare: read on while `has_more` is `true`. `page` and `per_page` are deprecated: use `limit` and `cursor`; `next_cursor` continues after any page.',
      method: 'GET',
      path: '/v1/royalties',
      scope: 'royalties:read',
      query: RoyaltyQuery,
      deprecations: [deprecated],
      answers: { 200: RoyaltyPage },
      examples: royaltyExamples.listRoyalties,
      problems: ['invalid_cursor', 'deprecated_feature_removed'],
    },
    async (ask, { caller, query }) => {
      const { orgId } = caller;
      if (usesPageNumbers(query)) enforce(await deprecated.refuseRemoved(caller));
      enforce(refusePageNumbers(query));
      enforce(refusePeriod(query));
      const { page: _page, per_page: perPage = pageLimitDefault, ...listed } = query;
      // The cursor of a page by number continues without the number.
      const paged = usesPageNumbers(query) ? { ...listed, limit: perPage } : listed;
      const list = openList(keyring, orgId, 'royalties', paged);
      const { limit } = list.page;
      const after = list.page.after && recordPositionOf(list.page.after);
      const filters = {
        // A pattern of the query.
        statementId: query.statement_id as Id<'stm'> | undefined,
        storeId: query.store_id,
        territory: query.territory,
        isrc: query.isrc === undefined ? undefined : parseIsrc(query.isrc),
        months: usageMonthsIn(query),
      };
      // Each range has a record, so that more ranges are not needed; a search may find nothing in many of them.
      const isSearch = filters.isrc !== undefined;
      const rangesMax = isSearch ? searchedRangesMax : limit + 1;
      const offset = offsetOf(query);
      const rangesAfter = (position: RecordPosition | undefined) =>
        ask((tenant) =>
          position === undefined && offset > 0 && !isSearch
            ? findRangesFrom(tenant, orgId, filters, offset, rangesMax)
            : findRanges(tenant, orgId, filters, position, rangesMax),
        );
      const reads = { parquet, orgId, filesOf: filesReader(ask, orgId), rangesAfter };
      const walk = { rangesMax, limit, isrc: filters.isrc };
      const found = usesPageNumbers(query)
        ? await readNumberedPage(reads, { ...walk, skip: isSearch ? offset : 0 })
        : await readRoyalties(reads, { ...walk, after });
      return list.answer(found, presentRoyalty);
    },
  );
}

/** The files of each statement are looked up once. */
function filesReader(ask: Ask, orgId: OrgId) {
  const known = new Map<StatementId, ReturnType<typeof load>>();
  const load = async (id: StatementId) =>
    (await ask((tenant) => findStatementFiles(tenant, orgId, id, 'royalties')))?.files ?? [];
  return (id: StatementId) => {
    const files = known.get(id) ?? load(id);
    known.set(id, files);
    return files;
  };
}

const pageNumbers = ({ db, clock }: Deps): DeprecatedUse => ({
  feature: 'royalties_page_parameters',
  isUsedBy: ({ query }) =>
    typeof query === 'object' && query !== null && ('page' in query || 'per_page' in query),
  isLinkable: () => true,
  refuseRemoved: async ({ orgId }) =>
    refuseRemovedPageNumbers(
      await db.readOnce(orgId, (tenant) => findBusinessTime(tenant, orgId, clock.now)),
    ),
});
