/** The re-check primitive on a table of its own: which rows it claims, and when a claimed row is stale again. */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { addMs, minuteMs, secondMs } from '../src/kernel/duration.ts';
import { type Db } from '../src/platform/db/database.ts';
import { sql } from '../src/platform/db/sql.ts';
import {
  claimStaleRows,
  makeRowsStale,
  type RecheckPolicy,
} from '../src/platform/engine/recheck.ts';
import { openTestService, type TestService } from './test-service.ts';

const start = new Date('2026-11-16T12:00:00.000Z');

const policy = {
  table: sql`jobs`,
  key: sql`org, name`,
  where: sql`not is_done`,
  returning: sql`name`,
  staleAfterMs: 30 * secondMs,
  delayMs: 30 * secondMs,
  backoff: { doublingsMax: 2 },
  batchMax: 3,
} satisfies RecheckPolicy;

describe('the re-check of stale rows', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
    await service.query(`
      create table jobs (org integer, name text, recheck_at timestamptz, is_done boolean not null default false,
                         recheck_count smallint not null default 0, primary key (org, name));
      grant select, insert, update on jobs to tonearm_worker;
    `);
  });
  beforeEach(() => service.query('truncate jobs'));
  after(() => service.close());

  const db = (): Db => service.workerDb.withoutTenant;
  /** `staleForMs`: for how long its `recheck_at` has been past `staleAfterMs`. */
  const givenJob = (name: string, staleForMs: number | null, isDone = false) =>
    service.query('insert into jobs values (1, $1, $2, $3)', [
      name,
      staleForMs === null ? null : addMs(start, -policy.staleAfterMs - staleForMs),
      isDone,
    ]);
  const claim = async (now: Date, changes: Partial<RecheckPolicy> = {}): Promise<string[]> => {
    const rows = await claimStaleRows<{ name: string }>(db(), now, { ...policy, ...changes });
    return rows.map(({ name }) => name).toSorted();
  };
  const jobs = () =>
    service.query('select name, recheck_at, recheck_count from jobs order by name');

  test('claims only stale rows with open work', async () => {
    await givenJob('stale', 1);
    await givenJob('not yet stale', 0);
    await givenJob('done', 1, true);
    await givenJob('idle', null);
    assert.deepEqual(await claim(start), ['stale']);
  });

  test('claims at most a batch, the longest stale first', async () => {
    for (const seconds of [1, 2, 3, 4, 5]) await givenJob(`${seconds} s`, seconds * secondMs);
    assert.deepEqual(await claim(start), ['3 s', '4 s', '5 s']);
    assert.deepEqual(await claim(start), ['1 s', '2 s'], 'the claimed ones are not stale any more');
    assert.deepEqual(await claim(start), []);
  });

  test('skips rows that another transaction has locked, and does not wait for it', async () => {
    await givenJob('locked', 2);
    await givenJob('free', 1);
    await service.workerDb.transactWithoutTenant(async (other) => {
      await other.query(sql`select from jobs where name = 'locked' for update`);
      assert.deepEqual(await claim(start), ['free']);
    });
    assert.deepEqual(await claim(start), ['locked']);
  });

  /** The milliseconds from each claim to the next moment at which the row is stale. */
  async function delaysOf(changes: Partial<RecheckPolicy>, claims: number): Promise<number[]> {
    const { staleAfterMs } = { ...policy, ...changes };
    const delays: number[] = [];
    let now = start;
    for (let i = 0; i < claims; i++) {
      assert.deepEqual(await claim(now, changes), ['a']);
      const [{ recheck_at }] = await jobs();
      const staleAt = addMs(recheck_at, staleAfterMs);
      assert.deepEqual(await claim(staleAt, changes), [], 'not before');
      delays.push(staleAt.getTime() - now.getTime());
      now = addMs(staleAt, 1);
    }
    return delays;
  }

  test('each delay is twice the one before, as often as it may double', async () => {
    await givenJob('a', 1);
    const delays = await delaysOf({}, 5);
    const seconds = delays.map((ms) => Math.round(ms / secondMs));
    assert.deepEqual(seconds, [30, 60, 120, 120, 120]);
    assert.equal((await jobs())[0].recheck_count, 5);
  });

  test('recheck_count stops at its limit', async () => {
    await givenJob('a', 1);
    await delaysOf({ backoff: { doublingsMax: 2, countMax: 2 } }, 4);
    assert.equal((await jobs())[0].recheck_count, 2);
  });

  test('where recheck_at contains the time-out, the delay counts from the claim', async () => {
    await givenJob('a', 1);
    const delays = await delaysOf({ staleAfterMs: 0 }, 3);
    assert.deepEqual(delays, [30 * secondMs, minuteMs, 2 * minuteMs]);
  });

  test('without a back-off every delay is the same, and nothing is counted', async () => {
    await givenJob('a', 1);
    const { backoff: _, ...constant } = policy;
    await claimStaleRows(db(), start, constant);
    assert.deepEqual(await jobs(), [{ name: 'a', recheck_at: start, recheck_count: 0 }]);
  });

  test('rows made stale are claimed in the next round; those that are not due yet are left alone', async () => {
    const dueInMs = (ms: number) => -policy.staleAfterMs - ms;
    await givenJob('due just now', dueInMs(0));
    await givenJob('due 29 s ago', dueInMs(-29 * secondMs));
    await givenJob('due in a minute', dueInMs(minuteMs));
    assert.deepEqual(await claim(start), []);
    await makeRowsStale(db(), start, policy);
    assert.deepEqual(await claim(start), ['due 29 s ago', 'due just now']);
  });
});
