/** The database ends its connections, or stops answering: the api does not exit, and serves again afterwards. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../../../../scripts/servers/server.ts';
import { openCountingProxy } from '../counting-proxy.ts';
import { kill, startApi } from '../processes.ts';
import { databaseUrl, draft, openTestService } from '../test-service.ts';

const clients = 8;
const releasesPerClient = 30;
const releases = clients * releasesPerClient;
/** Two connections end after so many answers. By time, a slow machine would lose more requests than a quick one. */
const answersPerEnd = 10;

describe('an outage of the database', () => {
  test('connections terminated under load: requests get 201 or 503, and no release is lost or doubled', async (t) => {
    const service = await openTestService();
    const label = await service.givenOrganization();
    const api = await startApi(service.database);
    const answers = new Map<number, number>();
    const created = new Set<string>();
    let answered = 0;
    let ended = 0;
    const endTwoConnections = async () => {
      const rows = await service.query(
        // Not all at once: on a slow machine no request would ever end.
        `select pg_terminate_backend(pid) from pg_stat_activity
          where usename in ('tonearm_app', 'tonearm_directory') and datname = current_database()
          order by random() limit 2`,
      );
      ended += rows.length;
    };
    const client = async () => {
      for (let i = 0; i < releasesPerClient; i++) {
        const key = randomUUID();
        for (let status = 0; status !== 201;) {
          const reply = await fetch(`${api.url}/v1/releases`, {
            method: 'POST',
            body: JSON.stringify(draft()),
            headers: {
              authorization: `Bearer ${label.key}`,
              'content-type': 'application/json',
              'idempotency-key': key,
            },
          });
          const text = await reply.text();
          ({ status } = reply);
          answers.set(status, (answers.get(status) ?? 0) + 1);
          if (++answered % answersPerEnd === 0) await endTwoConnections();
          assert.ok([201, 409, 429, 503].includes(status), `${status} ${text}`);
          if (status !== 201) await wait(20);
          if (status === 201) created.add((JSON.parse(text) as { id: string }).id);
        }
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    t.diagnostic(`${ended} connections ended; answers ${JSON.stringify([...answers])}`);
    assert.equal(api.child.exitCode, null, 'the process did not exit');
    assert.ok(
      ended > 20 && (answers.get(503) ?? 0) > 0,
      'connections were ended and requests failed',
    );
    const [counts] = await service.query(`select (select count(*)::int from releases) as releases,
      (select count(*)::int from audit where action = 'release.create') as audited`);
    assert.deepEqual(counts, { releases, audited: releases });
    assert.equal(created.size, releases);
    await kill(api);
    await service.close();
  });

  test('a network that drops every byte: requests end with 503, and the api serves again afterwards', async () => {
    const service = await openTestService();
    const label = await service.givenOrganization();
    const port = Number(new URL(databaseUrl('x')).port);
    const proxy = await openCountingProxy(port);
    const api = await startApi(service.database, {
      TONEARM_DATABASE_URL: databaseUrl(service.database, 'tonearm_app', proxy.port),
      TONEARM_DATABASE_CONNECTIONS: '3',
    });
    const get = () =>
      fetch(`${api.url}/v1/releases`, { headers: { authorization: `Bearer ${label.key}` } });
    assert.equal((await get()).status, 200);
    await Promise.all([get(), get(), get()]);
    proxy.setBlackhole(true);
    const startedAt = Date.now();
    const statuses = (await Promise.all([get(), get(), get(), get()])).map(({ status }) => status);
    assert.deepEqual(statuses, [503, 503, 503, 503]);
    assert.ok(Date.now() - startedAt < 60_000, `${Date.now() - startedAt} ms`);
    proxy.setBlackhole(false);
    await until('it serves again', async () => (await get()).status === 200);
    await kill(api);
    await proxy.close();
    await service.close();
  });
});
