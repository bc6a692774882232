/** Statements of a transaction that are sent together, on one connection of a real PostgreSQL. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { openSocket } from '../src/platform/db/socket.ts';
import type { Statement } from '../src/platform/db/sql.ts';
import { sql, toStatement } from '../src/platform/db/sql.ts';
import { openPipeline, type Pipeline } from '../src/platform/db/statement-batch.ts';
import { toTextArray } from '../src/platform/db/text-array.ts';
import { typeParsers } from '../src/platform/db/type-parsers.ts';
import { databaseUrl, openTestService, type TestService } from './test-service.ts';

const begin = toStatement(sql`begin`);
const rollback = toStatement(sql`rollback`);
const errorCodeOf = (outcome: PromiseSettledResult<unknown> | undefined): unknown =>
  outcome?.status === 'rejected' ? (outcome.reason as { code?: unknown }).code : outcome?.status;

describe('statements that are sent together', () => {
  let service: TestService;
  let client: pg.Client;
  let run: Pipeline;
  before(async () => {
    service = await openTestService();
    client = await connect();
    run = openPipeline(client);
  });
  after(async () => {
    await client.end();
    await service.close();
  });

  const connect = async () => {
    const connected = new pg.Client({
      connectionString: databaseUrl(service.database),
      pipeline: true,
      types: typeParsers,
      // As the service's own connections: PostgreSQL has read the whole batch before it executes the first statement.
      stream: () => openSocket(),
    });
    connected.on('error', () => undefined);
    await connected.connect();
    return connected;
  };
  const settle = (...statements: readonly Statement[]) =>
    Promise.allSettled(statements.map((statement) => run(statement)));
  const number = (value: number) =>
    toStatement(sql`select ${value}::int as number, null as nothing, date '2027-01-15' as day`);

  test('each gets its own rows, also when its columns are known from before', async () => {
    for (const value of [1, 2, 3]) {
      const [, first, none, second] = await Promise.all([
        run(begin),
        run(number(value)),
        run(toStatement(sql`set local work_mem = '1MB'`)),
        run(number(-value)),
        run(rollback),
      ]);
      assert.deepEqual(first.rows, [{ number: value, nothing: null, day: '2027-01-15' }]);
      assert.deepEqual(none, { rows: [], command: 'SET' });
      assert.deepEqual(second.rows, [{ number: -value, nothing: null, day: '2027-01-15' }]);
    }
  });

  test('after one that fails, the others reject as those of a failed transaction do', async () => {
    const failing = toStatement(sql`select 1 / ${0}::int as infinite`);
    const later = toStatement(sql`select ${1}::int as later`);
    const outcomes = await settle(begin, number(1), failing, later, number(2));
    assert.deepEqual(outcomes.map(errorCodeOf), [
      'fulfilled',
      'fulfilled',
      '22012',
      '25P02',
      '25P02',
    ]);
    await run(rollback);
    // It was skipped, so it is prepared now.
    const [, { rows }] = await Promise.all([run(begin), run(later), run(rollback)]);
    assert.deepEqual(rows, [{ later: 1 }]);
  });

  test('a value that cannot be sent fails its statement, and the connection stays usable', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const unsendable = toStatement(sql`select ${circular}::text as circular`);
    const outcomes = await settle(begin, number(1), unsendable, number(2));
    assert.deepEqual(outcomes.map(errorCodeOf), ['fulfilled', 'fulfilled', undefined, '25P02']);
    const [, { rows }] = await Promise.all([run(rollback), run(number(3))]);
    assert.equal(rows.length, 1);
  });

  test('when the connection is lost, every one that is not complete rejects with that error', async () => {
    const runLost = openPipeline(await connect());
    const ending = toStatement(sql`select pg_terminate_backend(pg_backend_pid())`);
    const outcomes = await Promise.allSettled([
      runLost(begin),
      runLost(ending),
      runLost(number(1)),
    ]);
    assert.deepEqual(outcomes.map(errorCodeOf), ['fulfilled', '57P01', '57P01']);
  });

  test('texts arrive in a binary array as they are', async () => {
    const texts = ['', '{"a":"\\"b\\\\"}', 'é日本', null, 'NULL', "it's, {braces}"];
    const list = toTextArray(texts.map((text) => (text === null ? null : Buffer.from(text))));
    const [, { rows }] = await Promise.all([
      run(begin),
      run(toStatement(sql`select ${list}::text[] as texts`)),
      run(rollback),
    ]);
    assert.deepEqual(rows, [{ texts }]);
  });
});
