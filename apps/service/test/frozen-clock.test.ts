/** Timers of a frozen clock with the same message: one run serves them all, unless it has begun before. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type OrgId, toUuid } from '../src/kernel/ids.ts';
import type { Tx } from '../src/platform/db/database.ts';
import { findNextTimer, markDuplicateTimersFired } from '../src/platform/engine/frozen-clock.ts';
import { setTimer } from '../src/platform/engine/timers.ts';
import { openTestService, type TestService } from './test-service.ts';

const message = { service: 'deliveries', key: 'any', handler: 'applyAnswers' };

describe('two due timers with the same message', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  /** What becomes of the second when the clock fires the first. */
  const stateOfSecond = async (stateOfFirst: 'waiting' | 'firing'): Promise<string> => {
    const { orgId, call } = await service.givenOrganization({ prefix: null });
    await call('PATCH', '/v1/sandbox/clock', { mode: 'manual' });
    const owner = {
      orgId: orgId as OrgId,
      actor: { type: 'workflow', id: 'test' },
    } as const;
    const transact = <T>(work: (tx: Tx) => Promise<T>) => service.workerDb.transact(owner, work);
    const [first, second] = await transact(async (tx) =>
      [setTimer(tx, tx.now, message), setTimer(tx, tx.now, message)].toSorted(),
    );
    await service.query('update timers set state = $2 where id = $1', [
      toUuid(first!),
      stateOfFirst,
    ]);
    await transact(async (tx) => {
      const next = await findNextTimer(tx);
      assert.equal(next?.ref, `${orgId}:${first}`);
      markDuplicateTimersFired(tx, next);
    });
    const [row] = await service.query('select state from timers where id = $1', [toUuid(second!)]);
    return row.state;
  };

  test('the second is served by the run of the first', async () => {
    assert.equal(await stateOfSecond('waiting'), 'fired');
  });

  test('the second fires by itself if the run of the first has begun: it may have read already', async () => {
    assert.equal(await stateOfSecond('firing'), 'waiting');
  });
});
