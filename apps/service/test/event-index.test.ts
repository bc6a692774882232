/** A page of the event history must not read other events or their deliveries (spec §6.5, contract §4). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type OrgId, toUuid, toWire } from '../src/kernel/ids.ts';
import type { Db } from '../src/platform/db/database.ts';
import { type Sql, sql } from '../src/platform/db/sql.ts';
import { type EventFilters, listEvents } from '../src/webhooks/store/events.ts';
import { listWebhookDeliveriesOfAll } from '../src/webhooks/store/webhook-deliveries.ts';
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

describe('a page of the history, in an organization with 100,000 events', () => {
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

  /** Of the one statement that `ask` sends. */
  const rowsReadBy = async (ask: (db: Db) => Promise<unknown>): Promise<number> => {
    const statements: Sql[] = [];
    const recorder: Db = { query: async (query) => (statements.push(query), []) };
    await ask(recorder);
    const [statement, ...more] = statements;
    assert.deepEqual(more, []);
    const [row] = await service.db.readOnce(orgId, (db) =>
      db.query<{ 'QUERY PLAN': readonly { readonly Plan: Node }[] }>(
        sql`explain (analyze, format json) ${statement}`,
      ),
    );
    const plan = row?.['QUERY PLAN'][0]?.Plan;
    assert.ok(plan !== undefined);
    return rowsRead(plan);
  };
  const page = { limit: 50, after: undefined };
  const rowsReadFor = (filters: EventFilters): Promise<number> =>
    rowsReadBy((db) => listEvents(db, orgId, filters, page));

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

  test('contract §4: the deliveries of a page are read with one statement, which reads no others', async () => {
    await service.query(
      `with new_webhooks as (
         insert into webhooks (org_id, id, url, event_types, status, is_subscribed, sealed_secret, secret_hint,
                               created_at, updated_at, actor_type, actor_id)
         select $1, uuidv7(), 'https://partner.example', '{*}', 'verified', true, '', '', now(), now(), 'key', 'x'
           from generate_series(1, 3) returning id
       )
       insert into webhook_deliveries (org_id, event_id, webhook_id, status, attempt_id)
       select $1, events.id, new_webhooks.id, 'delivered', uuidv7()
         from events, new_webhooks where org_id = $1 and sequence <= 20000`,
      [toUuid(orgId)],
    );
    await service.query('analyze webhook_deliveries, webhooks');
    const events: { id: string }[] = await service.query(
      'select id from events where org_id = $1 and sequence between 10001 and 10050',
      [toUuid(orgId)],
    );
    const ids = events.map(({ id }) => toWire('evt', id));
    const rows = await rowsReadBy((db) => listWebhookDeliveriesOfAll(db, orgId, ids));
    assert.ok(rows <= 3 * 50 + 3, `${rows} rows read`);
    const found = await service.db.readOnce(orgId, (db) =>
      listWebhookDeliveriesOfAll(db, orgId, ids),
    );
    assert.deepEqual(
      [...found.values()].map((each) => each.length),
      ids.map(() => 3),
    );
  });
});
