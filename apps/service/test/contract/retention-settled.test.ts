/** Catalogue §5: settled timers and delivery jobs are kept for 30 days by the database's clock, and then removed in batches. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type OrgId, toUuid, toWire } from '../../src/kernel/ids.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { runUpkeep } from '../run-upkeep.ts';
import { type OrgClient, openTestService, type TestService } from '../test-service.ts';

describe('the removal of settled rows', () => {
  let service: TestService;
  let callers: OrgClient[];
  before(async () => {
    service = await openTestService();
    callers = await service.givenOrganizations(2);
  });
  after(() => service.close());

  const uuidOf = ({ orgId }: OrgClient) => toUuid(orgId as OrgId);
  const givenTimer = (state: string, settledAgo: string | null): Promise<unknown> =>
    service.query(
      `insert into timers (id, org_id, due_at, recheck_at, service, key, handler, state, settled_at)
       values (uuidv7(), $1, now(), now(), 'test', coalesce($3, 'open'), 'run', $2, now() - $3::interval)`,
      [randomUUID(), state, settledAgo],
    );

  test('catalogue §5: timers settled more than 30 days ago are removed; younger and open ones stay', async () => {
    await givenTimer('fired', '29 days');
    await givenTimer('fired', '31 days');
    await givenTimer('canceled', '31 days');
    await givenTimer('waiting', null);
    await runUpkeep(service, 'settled');
    const rows = await service.query(`select key from timers where service = 'test' order by key`);
    assert.deepEqual(
      rows.map(({ key }) => key),
      ['29 days', 'open'],
    );
  });

  test('timers of more than one batch are removed in one round', async () => {
    await service.query(
      `insert into timers (id, org_id, due_at, recheck_at, service, key, handler, state, settled_at)
       select uuidv7(), $1, now(), now(), 'batch', '', 'run', 'fired', now() - interval '40 days'
         from generate_series(1, 5001)`,
      [randomUUID()],
    );
    await runUpkeep(service, 'settled');
    assert.deepEqual(await service.query(`select 1 from timers where service = 'batch'`), []);
  });

  /** A job with three items. */
  const givenJob = async (caller: OrgClient, settledAgo: string | null): Promise<string> => {
    const id = randomUUID();
    const org = uuidOf(caller);
    await service.query(
      `insert into delivery_jobs (org_id, id, action, status, defaults, total, created_at, updated_at,
                                  completed_at, settled_at, actor_type, actor_id)
       values ($1, $2, 'deliver', case when $3::text is null then 'running' else 'completed' end, '{}', 3,
               now() - interval '1 year', now(), now() - $3::interval, now() - $3::interval, 'workflow', 'test')`,
      [org, id, settledAgo],
    );
    await service.query(
      `insert into delivery_job_items (org_id, job_id, position, request, status)
       select $1, $2, n, '{"release_id":"rel_01h455vb4pex5vsknk084sn02q"}', 'pending' from generate_series(0, 2) n`,
      [org, id],
    );
    return id;
  };

  test('catalogue §5: delivery jobs of every organization are removed with their items after 30 days, running ones never', async () => {
    const old: string[] = [];
    const young: string[] = [];
    for (const caller of callers) {
      for (let n = 0; n < 7; n++) old.push(await givenJob(caller, '31 days'));
      young.push(await givenJob(caller, '29 days'), await givenJob(caller, null));
    }
    // Within an organization's transaction the worker reads no rows of other organizations.
    const [owner] = callers;
    assert.ok(owner);
    const foreign = await service.workerDb.readOnce(owner.orgId as OrgId, (db) =>
      db.query(sql`select 1 from delivery_jobs where org_id <> ${uuidOf(owner)}`),
    );
    assert.deepEqual(foreign, []);
    await runUpkeep(service, 'settled');
    for (const [table, column, items] of [
      ['delivery_jobs', 'id', 1],
      ['delivery_job_items', 'job_id', 3],
    ] as const) {
      const rows = await service.query(
        `select ${column} as id, count(*)::int as items from ${table} group by 1 order by 1`,
      );
      const expected = young.toSorted().map((id) => ({ id, items }));
      assert.deepEqual(rows, expected);
    }
    const removed = await owner.call('GET', `/v1/delivery_jobs/${toWire('job', old[0] ?? '')}`);
    const kept = await owner.call('GET', `/v1/delivery_jobs/${toWire('job', young[0] ?? '')}`);
    assert.deepEqual([removed.status, kept.status], [404, 200]);
  });

  test('the worker’s role cannot remove a younger job', async () => {
    const [owner] = callers;
    assert.ok(owner);
    const id = await givenJob(owner, '29 days');
    await service.workerDb.withoutTenant.query(
      sql`delete from delivery_job_items where job_id = ${id}`,
    );
    await service.workerDb.withoutTenant.query(sql`delete from delivery_jobs where id = ${id}`);
    assert.equal(
      (await owner.call('GET', `/v1/delivery_jobs/${toWire('job', id)}`)).json.items.length,
      3,
    );
  });
});
