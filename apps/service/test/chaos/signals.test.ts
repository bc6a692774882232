/** SIGTERM while a process starts, and a second one while it shuts down. */

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { until } from '../../../../scripts/servers/server.ts';
import { apiEnvironment, relayEnvironment, startApi, workerEnvironment } from '../processes.ts';
import { databaseUrl, draft, openTestService, type TestService } from '../test-service.ts';

const main = join(import.meta.dirname, '../../src/main.ts');
const unreachable = 'postgres://tonearm_worker@127.0.0.1:1/none';
const noEngine = { ingressUrl: 'http://127.0.0.1:1', adminUrl: 'http://127.0.0.1:1' };

describe('signals', () => {
  let service: TestService;
  let child: ChildProcess | undefined;
  before(async () => {
    service = await openTestService();
  });
  after(async () => {
    child?.kill('SIGKILL');
    await service.close();
  });

  const start = (role: string, env: Record<string, string>): (() => string) => {
    let log = '';
    child = spawn(process.execPath, [main, role], {
      env: { ...process.env, TONEARM_ENVIRONMENT: 'sandbox', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout?.on('data', (chunk: Buffer) => (log += chunk.toString()));
    return () => log;
  };
  const statusAfter = async (signal: NodeJS.Signals): Promise<number | null> => {
    assert.ok(child !== undefined);
    const ended = once(child, 'exit');
    child.kill(signal);
    return (await ended)[0];
  };

  test('a role that waits for its database ends with 0', async () => {
    const log = start('relay', {
      ...relayEnvironment(service.database, noEngine),
      TONEARM_RELAY_DATABASE_URL: unreachable,
    });
    await until('it waits', () => log().includes('the database does not answer'));
    assert.equal(await statusAfter('SIGTERM'), 0);
  });

  test('of all roles in one process, those that serve shut down, and the one that still starts ends too', async () => {
    const log = start('all', {
      ...apiEnvironment(service.database),
      ...relayEnvironment(service.database, noEngine),
      ...workerEnvironment(service.database, noEngine),
      TONEARM_WORKER_DATABASE_URL: unreachable,
      TONEARM_RAIL_PORT: '0',
    });
    const hasStarted = ['Server listening at', '"relaying"', 'the database does not answer'];
    await until('two roles serve, and one waits', () =>
      hasStarted.every((words) => log().includes(words)),
    );
    assert.equal(await statusAfter('SIGINT'), 0);
    assert.match(log(), /"shut down"/, 'the api has finished');
  });

  test('the same signal again ends a process that waits for its requests', async () => {
    const api = await startApi(service.database);
    const { key } = await service.givenOrganization();
    const locker = new pg.Client(databaseUrl(service.database));
    await locker.connect();
    // The table lock keeps the creation of a release waiting inside its transaction.
    await locker.query('begin; lock table upc_blocks in exclusive mode');
    const request = fetch(`${api.url}/v1/releases`, {
      method: 'POST',
      body: JSON.stringify(draft()),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    }).catch(() => undefined);
    await until('the request waits', async () => {
      const { rowCount } = await locker.query(
        'select 1 from pg_locks where not granted and relation = $1::regclass',
        ['upc_blocks'],
      );
      return rowCount === 1;
    });
    child = api.child;
    api.child.kill('SIGTERM');
    await until('it shuts down', () => api.log().includes('"shutting down"'));
    assert.equal(await statusAfter('SIGTERM'), 1);
    await locker.end();
    await request;
  });
});
