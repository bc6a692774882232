/**
 * A timer set while the sandbox's clock is let go, in every order of statements: whoever commits last, the engine
 * is asked to look at it. Otherwise it would wait for a reconciler that takes a held clock's timers for asked.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type OrgId, toUuid } from '../src/kernel/ids.ts';
import { sql } from '../src/platform/db/sql.ts';
import { setTimer } from '../src/platform/engine/timers.ts';
import { setClockMode } from '../src/sandbox/commands/set-clock.ts';
import {
  countSteps,
  interleave,
  type TxSession,
  permutations,
  openLockMonitor,
} from './interleavings.ts';
import { databaseUrl, openTestService, type TestService } from './test-service.ts';

const message = { service: 'deliveries', key: 'any', handler: 'applyAnswers' };

describe('a timer, in every order of statements with', () => {
  let service: TestService;
  let locks: Awaited<ReturnType<typeof openLockMonitor>>;
  before(async () => {
    service = await openTestService();
    locks = await openLockMonitor(databaseUrl(service.database));
  });
  after(async () => {
    await locks.close();
    await service.close();
  });

  const setting = (orgId: OrgId): TxSession => ({
    db: service.db,
    owner: { orgId, actor: { type: 'workflow', id: 'test' } },
    work: async (tx) => {
      await tx.query(sql`select 1`);
      setTimer(tx, tx.now, message);
      await tx.query(sql`select 2`);
    },
  });
  const turning = (orgId: OrgId, mode: 'manual' | 'running'): TxSession => ({
    db: service.db,
    owner: { orgId, actor: { type: 'workflow', id: 'test' } },
    work: (tx) => setClockMode(tx, mode),
  });
  const given = async (mode: 'manual' | 'running'): Promise<OrgId> => {
    const { orgId, call } = await service.givenOrganization({ prefix: null });
    await call('PATCH', '/v1/sandbox/clock', { mode });
    return orgId as OrgId;
  };
  const messagesOf = async (orgId: OrgId): Promise<number> => {
    const [{ n }] = await service.query(
      'select count(*)::int as n from outbox where timer like $1 and service = $2',
      [`${orgId}:%`, message.service],
    );
    return n;
  };

  /** How often the engine was asked, in each order. */
  const inEveryOrder = async (from: 'manual' | 'running', to: 'manual' | 'running') => {
    const [ones, others] = await Promise.all([
      countSteps(locks.isWaiting, setting(await given(from))),
      countSteps(locks.isWaiting, turning(await given(from), to)),
    ]);
    const asked: number[] = [];
    for (const schedule of permutations(ones, others)) {
      const orgId = await given(from);
      const parties = [setting(orgId), turning(orgId, to)];
      assert.deepEqual(await interleave(locks.isWaiting, parties, schedule), ['done', 'done']);
      asked.push(await messagesOf(orgId));
      const [{ n }] = await service.query(
        `select count(*)::int as n from timers where org_id = $1 and state = 'waiting'`,
        [toUuid(orgId)],
      );
      assert.equal(n, 1);
    }
    return asked;
  };

  test('the clock being let go: the engine is asked, by one of the two or both', async () => {
    const asked = await inEveryOrder('manual', 'running');
    assert.ok(asked.length >= 20, `${asked.length} orders`);
    assert.deepEqual(
      asked.filter((times) => times === 0),
      [],
    );
  });

  test('the clock being held: the timer is there for whoever moves the clock', async () => {
    const asked = await inEveryOrder('running', 'manual');
    assert.ok(asked.length >= 10, `${asked.length} orders`);
  });
});
