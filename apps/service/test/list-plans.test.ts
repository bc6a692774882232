/**
 * A list without filters is planned once for a connection (ADR 0057): PostgreSQL plans five executions for their values,
 * and then keeps a plan for all, unless the statement makes it believe that planning again pays. Most lists are one
 * function, `listPage`; the test asks one of them.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type OrgId, toUuid } from '../src/kernel/ids.ts';
import { sql } from '../src/platform/db/sql.ts';
import { openTestService, type TestService } from './test-service.ts';

const executions = 12;
const plannedForTheirValues = 5;
/** With a handful, every plan is cheap. */
const rows = 3_000;

let service: TestService;
before(async () => {
  // Statements are prepared once per connection.
  service = await openTestService({ connections: 1 });
});
after(() => service.close());

test('a list is planned for its values five times, and for all values after that', async () => {
  const caller = await service.givenOrganization();
  await service.query(
    `insert into labels (org_id, id, name, metadata, is_default, created_at, updated_at, actor_type, actor_id)
     select $1, uuidv7(), 'Label ' || n, '{}', false, now(), now(), 'workflow', 'test'
       from generate_series(1, $2::int) n`,
    [toUuid(caller.orgId as OrgId), rows],
  );
  await service.query('analyze labels');
  for (let i = 0; i < executions; i++) {
    const { json } = await caller.call('GET', `/v1/labels?limit=${1 + i}`);
    assert.equal(json.data.length, 1 + i);
    assert.equal(json.has_more, true);
  }
  const plans = await service.db.withoutTenant.query(sql`
    select custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements
     where statement ~ 'position from labels[[:space:]]' and statement ~ 'order by'
  `);
  assert.deepEqual(plans, [
    { custom: plannedForTheirValues, generic: executions - plannedForTheirValues },
  ]);
});
