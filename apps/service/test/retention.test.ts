/** Partitions and retention by the database's clock (ADR 0014): a process whose clock is wrong loses nothing. */

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type OrgId, toUuid } from '../src/kernel/ids.ts';
import { maintainPartitions, readPartitionDaysAhead } from '../src/platform/db/partitions.ts';
import { sql } from '../src/platform/db/sql.ts';
import { runUpkeep } from './run-upkeep.ts';
import {
  type OrgClient,
  draft,
  openTestService,
  type Reply,
  type TestService,
} from './test-service.ts';

const dayMs = 86_400_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * dayMs);

const post = (caller: OrgClient, key: string = randomUUID()) =>
  caller.call('POST', '/v1/releases', draft(), { 'idempotency-key': key });
const eventsOf = async (service: TestService, caller: OrgClient): Promise<string[]> => {
  await service.sequenceEvents();
  const { json } = await caller.call('GET', '/v1/events?limit=100');
  return json.data.map(({ id }: { id: string }) => id).toReversed();
};

const partitionOf = (table: string, day: Date) =>
  `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
const partitionsOf = async (service: TestService): Promise<string[]> => {
  const rows = await service.query(
    `select inhrelid::regclass::text as child
       from pg_inherits join partitioned_tables on inhparent = name::regclass
      where inhrelid::regclass::text !~ '_default$' order by 1`,
  );
  return rows.map(({ child }) => child);
};
/** As if no upkeep had run for a long time. The rows of the partitions are deleted too. */
const dropPartitions = async (service: TestService): Promise<void> => {
  await service.query(`drop table ${(await partitionsOf(service)).join(', ')}`);
};
const rowsInDefaults = async (service: TestService): Promise<number> => {
  const [{ n }] = await service.query(`
    select (select count(*) from events_default)::int + (select count(*) from idempotency_keys_default)::int
         + (select count(*) from audit_default)::int as n`);
  return n;
};

describe('retention', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService({ hasRealTime: true });
  });
  after(() => service.close());

  test('a worker whose clock is 40 days ahead drops nothing, and the next keyed POST is 201', async (t) => {
    const caller = await service.givenOrganization();
    const key = randomUUID();
    const first = await post(caller, key);
    const events = await eventsOf(service, caller);
    assert.equal(events.length, 1);
    // Those of today, if the template was made a moment before midnight.
    await runUpkeep(service, 'partitions');
    const existing = await partitionsOf(service);
    t.mock.timers.enable({ apis: ['Date'], now: daysFromNow(40) });
    await runUpkeep(service, 'partitions');
    t.mock.timers.reset();
    assert.deepEqual(await partitionsOf(service), existing);
    assert.deepEqual(await eventsOf(service, caller), events);
    assert.equal((await post(caller, key)).text, first.text, 'the key is still stored');
    assert.equal((await post(caller)).status, 201);
  });

  test('the worker’s role can pass no time: the functions that take one are the owner’s', async () => {
    const denied = /permission denied for function/;
    const later = daysFromNow(400);
    const runAsWorker = (query: ReturnType<typeof sql>) =>
      service.workerDb.withoutTenant.query(query);
    await assert.rejects(runAsWorker(sql`select make_partitions(${later})`), denied);
    await assert.rejects(
      runAsWorker(
        sql`select make_partitions_of(parent, ${later}, 0) from partitioned_tables parent`,
      ),
      denied,
    );
    const definers = await service.query(
      `select proname as name, 'timestamptz'::regtype = any(proargtypes) as takes_time from pg_proc
        where pronamespace = 'public'::regnamespace and prosecdef
          and has_function_privilege('tonearm_worker', oid, 'execute')
        order by proname`,
    );
    assert.ok(definers.some(({ name }) => name === 'drop_expired_partitions_of'));
    assert.deepEqual(
      definers.filter(({ takes_time }) => takes_time).map(({ name }) => name),
      ['post_to_ledger', 'post_to_ledgers', 'record_holdings'],
      'of those that run with the rights of the owner, only those that store the time take one',
    );
  });

  test('an expired partition is dropped; one with a recently stored row is kept until that row is old too', async () => {
    const behind = daysFromNow(-40);
    await service.query('select make_partitions($1)', [behind]);
    const child = partitionOf('events', behind);
    // As an api whose clock is 40 days behind would store it.
    await service.query(
      `insert into events (org_id, id, type, data, created_at)
       values ($1, uuid7_floor($2), 'test', '{}', $2)`,
      [randomUUID(), behind],
    );
    await maintainPartitions(service.workerDb.withoutTenant);
    const kept = await partitionsOf(service);
    assert.ok(kept.includes(child), 'its row is recent by the database’s clock');
    for (const empty of [daysFromNow(-41), daysFromNow(-39)]) {
      assert.ok(!kept.includes(partitionOf('events', empty)), 'an empty partition is dropped');
    }
    assert.ok(
      kept.includes(partitionOf('events', daysFromNow(-30))),
      'a partition of 30 days ago is not',
    );
    await service.query(
      `update events set stored_at = now() - interval '30 days 1 second' where type = 'test'`,
    );
    await maintainPartitions(service.workerDb.withoutTenant);
    assert.ok(!(await partitionsOf(service)).includes(child));
  });

  test('a row in the default partition is removed once it is older than the retention of its table', async () => {
    const insert = `insert into events (org_id, id, type, data, created_at, stored_at)
      values ($1, uuid7_floor($2), 'stray', '{}', $2, now() - $3::interval)`;
    for (const age of ['31 days', '29 days']) {
      await service.query(insert, [randomUUID(), daysFromNow(-400), age]);
    }
    await maintainPartitions(service.workerDb.withoutTenant);
    const rows = await service.query(
      `select now() - stored_at < interval '30 days' as is_young from events where type = 'stray'`,
    );
    assert.deepEqual(rows, [{ is_young: true }]);
  });
});

describe('a row without a partition', () => {
  let service: TestService;
  let caller: OrgClient;
  before(async () => {
    service = await openTestService({ hasRealTime: true });
    caller = await service.givenOrganization();
    await dropPartitions(service);
  });
  after(() => service.close());

  test('is stored, read, listed and replayed like any other, and moved once its partition exists', async () => {
    assert.equal(await readPartitionDaysAhead(service.workerDb.withoutTenant), 0);
    const keys = Array.from({ length: 5 }, () => randomUUID());
    const replies: Reply[] = [];
    for (const key of keys) replies.push(await post(caller, key));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]));
    const events = await eventsOf(service, caller);
    assert.equal(events.length, 5);
    assert.ok((await rowsInDefaults(service)) >= 15, 'events, keys and audit rows');

    const check = async (when: string) => {
      assert.deepEqual(await eventsOf(service, caller), events, when);
      const pages = await Promise.all(
        events.map((_, sequence) => caller.call('GET', `/v1/events?limit=1&after=${sequence}`)),
      );
      assert.deepEqual(
        pages.map(({ json }) => json.data[0].id),
        events,
        when,
      );
      for (const [index, key] of keys.entries()) {
        assert.equal((await post(caller, key)).text, replies[index]?.text, when);
      }
      const other = await service.givenOrganization();
      assert.deepEqual(
        await eventsOf(service, other),
        [],
        'another organization sees none of them',
      );
      const verified = await service.admin('audit', 'verify', '--org', caller.orgId);
      assert.equal(verified['intact'], true);
    };
    await check('in the default partition');
    await runUpkeep(service, 'partitions');
    assert.equal(await rowsInDefaults(service), 0);
    assert.ok((await readPartitionDaysAhead(service.workerDb.withoutTenant)) >= 14);
    await check('in their partitions');
  });

  test('stays in a large default partition: creating partitions would lock it too long', async () => {
    await dropPartitions(service);
    await service.query(
      `insert into events (org_id, id, type, data, created_at)
       select gen_random_uuid(), uuidv7(), 'large', jsonb_build_object('x', repeat(md5(n::text), 50)), now()
         from generate_series(1, 20000) n`,
    );
    await runUpkeep(service, 'partitions');
    assert.equal(
      await readPartitionDaysAhead(service.workerDb.withoutTenant),
      0,
      'below 7 an alert fires',
    );
    assert.equal((await post(caller)).status, 201);
    await service.query('select make_partitions(now())');
    assert.ok((await readPartitionDaysAhead(service.workerDb.withoutTenant)) >= 14);
    assert.equal(await rowsInDefaults(service), 0);
  });

  test('no write fails while partitions are created and rows are moved', async () => {
    for (let round = 0; round < 2; round++) {
      await dropPartitions(service);
      const label = await service.givenOrganization();
      const state = { isDone: false };
      const writers = Array.from({ length: 4 }, async () => {
        const statuses: number[] = [];
        while (!state.isDone) statuses.push((await post(label)).status);
        return statuses;
      });
      const numbering = (async () => {
        while (!state.isDone) await service.sequenceEvents();
      })();
      for (
        let pass = 0;
        pass < 20 && (await readPartitionDaysAhead(service.workerDb.withoutTenant)) === 0;
        pass++
      ) {
        await runUpkeep(service, 'partitions');
      }
      assert.ok((await readPartitionDaysAhead(service.workerDb.withoutTenant)) >= 14);
      state.isDone = true;
      const statuses = (await Promise.all(writers)).flat();
      await numbering;
      assert.ok(statuses.length > 0);
      assert.deepEqual(
        statuses.filter((status) => status !== 201),
        [],
      );
      await service.sequenceEvents();
      const [row] = await service.query(
        `select count(*)::int as events, max(sequence)::int as newest from events where org_id = $1`,
        [toUuid(label.orgId as OrgId)],
      );
      assert.deepEqual(row, { events: statuses.length, newest: statuses.length });
    }
  });
});

describe('an api whose clock is 40 days ahead', () => {
  test('stores rows that are kept and found, before and after their day', async () => {
    const service = await openTestService({
      now: daysFromNow(40).toISOString(),
      hasRealTime: true,
    });
    const caller = await service.givenOrganization();
    await dropPartitions(service);
    await runUpkeep(service, 'partitions');
    const key = randomUUID();
    const first = await post(caller, key);
    assert.equal(first.status, 201, first.text);
    const events = await eventsOf(service, caller);
    await runUpkeep(service, 'partitions');
    assert.ok((await rowsInDefaults(service)) > 0);
    assert.deepEqual(await eventsOf(service, caller), events);
    assert.equal((await post(caller, key)).text, first.text);
    await service.clock.set(daysFromNow(40).toISOString());
    assert.equal(await rowsInDefaults(service), 0);
    assert.deepEqual(await eventsOf(service, caller), events);
    assert.equal((await post(caller, key)).text, first.text);
    await service.close();
  });
});

describe('an owner that is not a superuser', () => {
  test('moves and keeps rows although row-level security applies to it', async () => {
    const service = await openTestService({ hasRealTime: true });
    const caller = await service.givenOrganization();
    const owner = `owner_${randomBytes(4).toString('hex')}`;
    await service.query(
      `create role ${owner} nologin; grant usage, create on schema public to ${owner}`,
    );
    await service.query(`
      do $$ declare object record; begin
        for object in select oid::regclass as name from pg_class
                       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') loop
          execute format('alter table %s owner to ${owner}', object.name);
        end loop;
        for object in select oid::regprocedure as name from pg_proc
                       where pronamespace = 'public'::regnamespace and prokind = 'f' loop
          execute format('alter function %s owner to ${owner}', object.name);
        end loop;
      end $$`);
    await dropPartitions(service);
    await post(caller);
    const events = await eventsOf(service, caller);
    await runUpkeep(service, 'partitions');
    assert.equal(await rowsInDefaults(service), 0);
    assert.deepEqual(await eventsOf(service, caller), events);
    await service.query(
      `set local role ${owner}; select make_partitions(now() - interval '40 days')`,
    );
    await service.query(
      `insert into events (org_id, id, type, data, created_at) values ($1, uuid7_floor($2), 'test', '{}', $2)`,
      [randomUUID(), daysFromNow(-40)],
    );
    await runUpkeep(service, 'partitions');
    assert.ok((await partitionsOf(service)).includes(partitionOf('events', daysFromNow(-40))));
    const [{ unforced }] = await service.query(
      `select count(*)::int as unforced from pg_class
        where relispartition and relkind = 'r' and relname ~ '^(events|audit)_' and not relforcerowsecurity`,
    );
    assert.equal(unforced, 0);
    await service.close();
  });
});
