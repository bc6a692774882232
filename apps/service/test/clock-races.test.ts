/**
 * A timer that is set while the sandbox clock resumes, in every order of statements: the transaction that commits last
 * enqueues the timer's message. Otherwise the timer would wait until the reconciler requeues it.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type OrgId, toUuid } from '../src/kernel/ids.ts';
import { sql } from '../src/platform/db/sql.ts';
import { setTimer } from '../src/platform/engine/timers.ts';
import { setClockMode } from '../src/sandbox/commands/set-clock.ts';
import { openLockMonitor, runEveryOrder, type TxSession } from './interleavings.ts';
import { databaseUrl, openTestService, type TestService } from './test-service.ts';

const message = { service: 'deliveries', key: 'any', handler: 'applyAnswers' };

describe('a timer set while the clock changes, in every order of statements', () => {
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

  const settingTimer = (orgId: OrgId): TxSession => ({
    db: service.db,
    owner: { orgId, actor: { type: 'workflow', id: 'test' } },
    work: async (tx) => {
      await tx.query(sql`select 1`);
      setTimer(tx, tx.now, message);
      await tx.query(sql`select 2`);
    },
  });
  const changingMode = (orgId: OrgId, mode: 'manual' | 'running'): TxSession => ({
    db: service.db,
    owner: { orgId, actor: { type: 'workflow', id: 'test' } },
    work: (tx) => setClockMode(tx, mode),
  });
  const givenOrganizationIn = async (mode: 'manual' | 'running'): Promise<OrgId> => {
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

  /** How many messages the outbox has for the timer, in each order. */
  const countMessagesInEveryOrder = async (
    from: 'manual' | 'running',
    to: 'manual' | 'running',
  ) => {
    const messageCounts: number[] = [];
    await runEveryOrder(locks.isWaiting, async (run) => {
      const orgId = await givenOrganizationIn(from);
      assert.deepEqual(await run([settingTimer(orgId), changingMode(orgId, to)]), ['done', 'done']);
      messageCounts.push(await messagesOf(orgId));
      const [{ n }] = await service.query(
        `select count(*)::int as n from timers where org_id = $1 and state = 'waiting'`,
        [toUuid(orgId)],
      );
      assert.equal(n, 1);
    });
    return messageCounts;
  };

  test('the clock resumes: one of the two transactions, or both, enqueue its message', async () => {
    const messageCounts = await countMessagesInEveryOrder('manual', 'running');
    assert.ok(messageCounts.length >= 20, `${messageCounts.length} orders`);
    assert.deepEqual(
      messageCounts.filter((count) => count === 0),
      [],
    );
  });

  test('the clock freezes: the timer waits for the next move of the clock', async () => {
    const messageCounts = await countMessagesInEveryOrder('running', 'manual');
    assert.ok(messageCounts.length >= 10, `${messageCounts.length} orders`);
  });
});
