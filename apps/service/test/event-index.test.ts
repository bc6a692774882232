/** Filtering the event history by type must not read the events of other types (spec §6.5, contract §4). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type OrgId, toUuid } from '../src/kernel/ids.ts';
import type { Db } from '../src/platform/db/database.ts';
import { type Sql, sql } from '../src/platform/db/sql.ts';
import { type EventFilters, listEvents } from '../src/webhooks/store/events.ts';
import { openTestService, type TestService } from './test-service.ts';

const common = 'delivery.store.updated';
const rare = 'webhook.disabled';
const commonCount = 100_000;
const rareCount = 30;

type Node = {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
};

/** Rows that the plan read from tables and indexes, kept or not. */
const rowsRead = (node: Node): number =>
  node.Plans === undefined
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : node.Plans.reduce((sum, each) => sum + rowsRead(each), 0);

describe('the history filtered by type, in an organization with 100,000 events', () => {
  let service: TestService;
  let orgId: OrgId;
  before(async () => {
    service = await openTestService();
    const caller = await service.givenOrganization();
    orgId = caller.orgId as OrgId;
    // The rare events are in the middle, so that neither direction finds them early.
    await service.query(
      `insert into events (org_id, id, type, data, created_at, sequence)
       select $1, uuidv7(), case when i between $4 / 2 and $4 / 2 + $5 - 1 then $3 else $2 end, '{}', now(), i
         from generate_series(1, $4::int + $5::int) i`,
      [toUuid(orgId), common, rare, commonCount, rareCount],
    );
    await service.query('analyze events');
  });
  after(() => service.close());

  const rowsReadFor = async (filters: EventFilters): Promise<number> => {
    const statements: Sql[] = [];
    const recorder: Db = { query: async (query) => (statements.push(query), []) };
    await listEvents(recorder, orgId, filters, { limit: 50, after: undefined });
    const [statement] = statements;
    const [row] = await service.db.readOnce(orgId, (db) =>
      db.query<{ 'QUERY PLAN': readonly { readonly Plan: Node }[] }>(
        sql`explain (analyze, format json) ${statement}`,
      ),
    );
    const plan = row?.['QUERY PLAN'][0]?.Plan;
    assert.ok(plan !== undefined);
    return rowsRead(plan);
  };

  for (const [name, filters] of [
    ['newest first', { type: rare }],
    ['oldest first, from a sequence', { type: rare, after: 0 }],
    ['a type that has no events', { type: 'ping' }],
    ['a common type', { type: common }],
  ] as const) {
    test(`contract §4: ${name}: reads the events of the page and no others`, async () => {
      const rows = await rowsReadFor(filters);
      assert.ok(rows <= 51, `${rows} rows read`);
    });
  }
});
