import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { until } from '../../../scripts/servers/server.ts';
import { closeSilentConnections, openSocket } from '../src/platform/db/socket.ts';
import { databaseUrl, openTestService, type TestService } from './test-service.ts';

describe('a connection to PostgreSQL', () => {
  /** A busy machine stands still for longer than a few hundred milliseconds. */
  const silenceTimeoutMs = 1_000;
  let service: TestService;
  let pool: pg.Pool;
  before(async () => {
    service = await openTestService();
    pool = new pg.Pool({
      connectionString: databaseUrl(service.database),
      max: 1,
      stream: () => openSocket(),
    });
    pool.on('error', () => undefined);
    pool.on('connect', (client) => void client.on('error', () => undefined));
    closeSilentConnections(pool, silenceTimeoutMs);
  });
  after(async () => {
    await pool.end();
    await service.close();
  });

  const backend = async () =>
    (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;

  test('that is idle is kept, however long it is silent', async () => {
    const first = await backend();
    await sleep(3 * silenceTimeoutMs);
    assert.equal(await backend(), first);
  });

  test('that is in use and silent counts as gone, and the next statement has another one', async () => {
    const first = await backend();
    await assert.rejects(pool.query('select pg_sleep(600)'), { code: 'ETIMEDOUT' });
    const next = await backend();
    assert.ok(next !== undefined && next !== first);
    await service.query('select pg_terminate_backend($1)', [first]);
  });

  test('that is being closed and silent counts as gone, so that a process can end', async () => {
    const closing = new pg.Pool({
      connectionString: databaseUrl(service.database),
      stream: () => openSocket(),
    });
    closing.on('error', () => undefined);
    closeSilentConnections(closing, silenceTimeoutMs);
    const client = await closing.connect();
    client.on('error', () => undefined);
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const pid = rows[0]?.pid ?? 0;
    client.release();
    // The timer has run out once, as it has for every connection that is closed because it was idle.
    await sleep(1.5 * silenceTimeoutMs);
    process.kill(pid, 'SIGSTOP');
    try {
      await closing.end();
      await until('the socket is closed', () => client.connection.stream.destroyed);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });
});
