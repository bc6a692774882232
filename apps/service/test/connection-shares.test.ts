/** Organizations share the connections of the api: requests of one that wait for a lock do not stop the others. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { until } from '../../../scripts/servers/server.ts';
import { type OrgId, toUuid } from '../src/kernel/ids.ts';
import { createIds } from '../src/platform/crypto/new-id.ts';
import { openDatabase, waitingRequestsMax } from '../src/platform/db/database.ts';
import { failureOf } from '../src/platform/db/failures.ts';
import { sql } from '../src/platform/db/sql.ts';
import {
  databaseUrl,
  draft,
  openTestService,
  type OrgClient,
  type TestService,
} from './test-service.ts';

/** A third of ten. */
const share = 3;
const requests = 200;

describe('the connections of the api', () => {
  let service: TestService;
  let busy: OrgClient;
  let other: OrgClient;
  let locker: pg.Client;
  before(async () => {
    service = await openTestService();
    [busy, other] = [await service.givenOrganization(), await service.givenOrganization()];
    locker = new pg.Client(databaseUrl(service.database));
    await locker.connect();
  });
  after(async () => {
    await locker.end();
    await service.close();
  });

  /** Requests of the organization that wait for a lock, each with a connection. */
  const waiting = async (): Promise<number> =>
    (
      await service.query(`select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`)
    ).length;

  test('200 requests that wait for one lock have a third of them; another organization is served meanwhile', async () => {
    const { json: release } = await busy.call('POST', '/v1/releases', draft());
    await locker.query('begin');
    await locker.query('select 1 from releases where id = $1 for update', [toUuid(release.id)]);
    const flood = Array.from({ length: requests }, (_, i) =>
      busy.call('PATCH', `/v1/releases/${release.id}`, { title: `Title ${i}` }),
    );
    let refused = 0;
    for (const each of flood) void each.then(({ status }) => (refused += status === 503 ? 1 : 0));
    await until('its share waits for the lock', async () => (await waiting()) === share);
    // They are answered before the lock is free.
    for (let i = 0; i < 5; i++) {
      assert.equal((await other.call('GET', '/v1/releases')).status, 200);
      assert.equal((await other.call('POST', '/v1/releases', draft())).status, 201);
    }
    assert.equal(await waiting(), share);
    const early = await Promise.race(flood);
    assert.deepEqual(
      [early.status, early.json.error.code, early.headers.get('retry-after')],
      [503, 'service_unavailable', '2'],
    );
    assert.match(early.json.error.message, /^Your organization has too many requests waiting/);
    const served = waitingRequestsMax + share;
    await until('all that cannot wait are refused', () => refused === requests - served);
    await locker.query('commit');
    const replies = await Promise.all(flood);
    assert.equal(replies.filter(({ status }) => status === 200).length, served);
    assert.equal((await busy.call('GET', `/v1/releases/${release.id}`)).json.revision, served + 1);
  });

  test('a request that gets no connection in time is refused; its place and those of others are free', async () => {
    const db = openDatabase({
      url: databaseUrl(service.database, 'tonearm_app'),
      // One for each organization.
      connectionsMax: 3,
      isShared: true,
      clock: service.clock,
      newId: createIds(service.clock),
      onIdleError: () => undefined,
      timeouts: { connectMs: 200, lockMs: 60_000, statementMs: 60_000 },
    });
    const [own, others] = [busy.orgId as OrgId, other.orgId as OrgId];
    const ask = (orgId: OrgId) => db.readOnce(orgId, (tenant) => tenant.query(sql`select 1`));
    await Promise.all([ask(own), ask(others)]);
    const gate = Promise.withResolvers<void>();
    const holding = db.readTogether(own, () => gate.promise);
    await assert.rejects(ask(own), (error) => failureOf(error) === 'unavailable');
    assert.equal((await ask(others)).length, 1);
    gate.resolve();
    await holding;
    assert.equal((await ask(own)).length, 1);
    await db.close();
  });
});
