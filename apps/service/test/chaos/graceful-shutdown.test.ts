/** SIGTERM under load: the api answers the requests in flight, then ends with 0. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { until } from '../../../../scripts/servers/server.ts';
import { type ApiProcess, startApi } from '../processes.ts';
import {
  type OrgClient,
  databaseUrl,
  draft,
  openTestService,
  type TestService,
} from '../test-service.ts';

describe('graceful shutdown', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService();
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const post = (api: ApiProcess, agent: Agent) =>
    new Promise<{ status: number; connection: string | undefined }>((resolve, reject) => {
      const call = request(`${api.url}/v1/releases`, {
        method: 'POST',
        agent,
        headers: { authorization: `Bearer ${label.key}`, 'content-type': 'application/json' },
      });
      call.once('error', reject);
      call.once('response', (response) => {
        response.resume();
        response.once('error', reject);
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, connection: response.headers.connection }),
        );
      });
      call.end(JSON.stringify(draft()));
    });

  test('requests in flight at SIGTERM are finished; the process then ends by itself with 0', async () => {
    const api = await startApi(service.database, { TONEARM_DATABASE_CONNECTIONS: '12' });
    const agent = new Agent({ keepAlive: true });
    await post(api, agent);
    // The table lock keeps creations of releases waiting inside their transactions.
    const locker = new pg.Client(databaseUrl(service.database));
    await locker.connect();
    await locker.query('begin; lock table upc_blocks in exclusive mode');
    const inFlight = Array.from({ length: 4 }, () => post(api, agent));
    await until('four transactions wait', async () => {
      const { rows } = await locker.query(
        `select count(*)::int as n from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows[0].n >= 4;
    });
    const ended = once(api.child, 'exit');
    api.child.kill('SIGTERM');
    await until('it is shutting down', () => api.log().includes('"shutting down"'));
    await locker.query('commit');
    await locker.end();
    const replies = await Promise.all(inFlight);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [201, 201, 201, 201],
    );
    const [code] = await ended;
    assert.equal(code, 0);
    assert.match(api.log(), /"shut down"/);
    agent.destroy();
  });

  test('while it drains it is not ready, still serves, and closes each connection with its answer', async () => {
    const api = await startApi(service.database, { TONEARM_DRAIN_SECONDS: '1' });
    const agent = new Agent({ keepAlive: true });
    assert.equal((await fetch(`${api.url}/readyz`)).status, 200);
    const ended = once(api.child, 'exit');
    api.child.kill('SIGTERM');
    await until('it is shutting down', () => api.log().includes('"shutting down"'));
    const ready = await fetch(`${api.url}/readyz`);
    assert.equal(ready.status, 503);
    assert.equal(
      ((await ready.json()) as { error: { code: string } }).error.code,
      'service_unavailable',
    );
    const reply = await post(api, agent);
    assert.deepEqual(reply, { status: 201, connection: 'close' });
    const [code] = await ended;
    assert.equal(code, 0);
    agent.destroy();
  });

  test('without a database it is not ready and answers 503 with Retry-After, never a bare 500', async () => {
    const unreachable = 'postgres://tonearm_app@127.0.0.1:1/none';
    const api = await startApi(service.database, {
      TONEARM_DATABASE_URL: unreachable,
      TONEARM_DIRECTORY_DATABASE_URL: unreachable,
    });
    assert.equal((await fetch(`${api.url}/healthz`)).status, 200);
    const ready = await fetch(`${api.url}/readyz`);
    assert.equal(ready.status, 503);
    const { error } = (await ready.json()) as { error: { details: { field: string }[] } };
    assert.deepEqual(
      error.details.map(({ field }) => field),
      ['database', 'directory'],
    );
    const reply = await fetch(`${api.url}/v1/releases`, {
      headers: { authorization: `Bearer ${label.key}` },
    });
    assert.equal(reply.status, 503);
    assert.equal(reply.headers.get('retry-after'), '2');
    const ended = once(api.child, 'exit');
    api.child.kill('SIGTERM');
    assert.equal((await ended)[0], 0);
  });
});
