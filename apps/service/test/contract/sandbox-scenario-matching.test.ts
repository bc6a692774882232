/** Which scenario and which of its steps applies to a message: contract §4. */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { simulatedStore } from '../../src/sandbox/commands/simulate-store.ts';
import { type Json } from '../delivery-fixture.ts';
import {
  minuteMs,
  openSandboxFixture,
  type DrivenPartner,
  type SandboxFixture,
} from '../sandbox-fixture.ts';
import { openWorkerDriver } from '../worker-driver.ts';

/** The rejection code shows which scenario applied. */
const rejectWith = (code: string) => ({ action: 'reject', code, after: '1m' });
const confirmSoon = { action: 'confirm', after: '1m' };

describe('the scenario that applies', () => {
  let sandbox: SandboxFixture;
  let partner: DrivenPartner;
  before(async () => {
    sandbox = await openSandboxFixture();
  });
  beforeEach(async () => {
    partner = await sandbox.newPartner();
  });
  after(() => sandbox.close());

  /** The rejection code of each store. */
  const codesOf = async (id: string): Promise<Record<string, string | null>> => {
    const { stores } = await partner.delivery(id);
    return Object.fromEntries(stores.map((each: Json) => [each.store_id, each.rejection_code]));
  };
  const advanceOneMinute = () => partner.advance({ by: '1m' });
  const resubmit = async (id: string) => {
    await partner.ask('POST', `/v1/deliveries/${id}/resubmit`, { force: true });
    await sandbox.runUntilIdle();
    await advanceOneMinute();
  };
  const request = async (id: string, action: 'takedown' | 'update') => {
    await partner.ask('POST', `/v1/deliveries/${id}/${action}`, {});
    await sandbox.runUntilIdle();
    await advanceOneMinute();
  };
  const change = ({ release_id }: Json, title: string) =>
    partner.ask('PATCH', `/v1/releases/${release_id}`, { title });

  test('contract §4: is the newest of several that match', async () => {
    for (const code of ['old', 'middle', 'new']) await partner.addScenario([rejectWith(code)]);
    const { id } = await partner.givenDelivery(['aurora', 'cascade']);
    await advanceOneMinute();
    assert.deepEqual(await codesOf(id), { aurora: 'new', cascade: 'new' });
  });

  test('contract §4: is the newest, although an older one is more specific', async () => {
    const releaseId = await partner.submit();
    await partner.addScenario([rejectWith('precise')], {
      store_id: 'aurora',
      release_id: releaseId,
      message: 'deliver',
    });
    await partner.addScenario([rejectWith('any')]);
    await sandbox.runUntilIdle();
    const { id } = await partner.deliver(releaseId, ['aurora']);
    await sandbox.runUntilIdle();
    await advanceOneMinute();
    assert.deepEqual(await codesOf(id), { aurora: 'any' });
  });

  test('contract §4: can be limited to one store', async () => {
    await partner.addScenario([rejectWith('all')]);
    await partner.addScenario([rejectWith('aurora')], { store_id: 'aurora' });
    await partner.addScenario([rejectWith('hanami')], { store_id: 'hanami' });
    const { id } = await partner.givenDelivery(['aurora', 'cascade', 'hanami']);
    await advanceOneMinute();
    assert.deepEqual(await codesOf(id), { aurora: 'aurora', cascade: 'all', hanami: 'hanami' });
  });

  test('contract §4: can be limited to one release', async () => {
    const [scripted, other] = [await partner.submit(), await partner.submit()];
    await partner.addScenario([rejectWith('any')]);
    await partner.addScenario([rejectWith('one')], { release_id: scripted });
    await sandbox.runUntilIdle();
    const deliveries = [
      await partner.deliver(scripted, ['aurora']),
      await partner.deliver(other, ['aurora']),
    ];
    await sandbox.runUntilIdle();
    await advanceOneMinute();
    assert.deepEqual(await Promise.all(deliveries.map(({ id }) => codesOf(id))), [
      { aurora: 'one' },
      { aurora: 'any' },
    ]);
  });

  test('contract §4: can be limited to one kind of message', async () => {
    await partner.addScenario([confirmSoon], { repeats: true });
    await partner.addScenario([rejectWith('no update')], { message: 'update', repeats: true });
    await partner.addScenario([rejectWith('no takedown')], { message: 'takedown', repeats: true });
    const delivery = await partner.givenDelivery();
    await advanceOneMinute();
    assert.equal((await partner.storeOf(delivery.id)).status, 'delivered');
    await change(delivery, 'Night Driver');
    await request(delivery.id, 'update');
    const updated = await partner.storeOf(delivery.id);
    assert.deepEqual([updated.status, updated.update.rejection_code], ['delivered', 'no update']);
    await request(delivery.id, 'takedown');
    const refused = await partner.storeOf(delivery.id);
    assert.deepEqual([refused.status, refused.rejection_code], ['delivered', 'no takedown']);
  });

  test('contract §4: applies only to messages sent later: earlier ones keep their scheduled answers', async () => {
    await partner.addScenario([{ ...rejectWith('then'), after: '1h' }]);
    const { id } = await partner.givenDelivery();
    await partner.addScenario([rejectWith('later')]);
    await partner.advance({ by: '1h' });
    assert.deepEqual(await codesOf(id), { aurora: 'then' });
    await resubmit(id);
    assert.deepEqual(await codesOf(id), { aurora: 'later' });
  });

  for (const which of ['one', 'all'] as const) {
    test(`contract §4: deleting ${which} keeps scheduled answers, and later messages get the usual answer`, async () => {
      const { id: scenario } = await partner.addScenario(
        [{ ...rejectWith('planned'), after: '1h' }],
        {
          repeats: true,
        },
      );
      const { id } = await partner.givenDelivery(['indigo'], { release_date: '2026-12-24' });
      const path = which === 'one' ? `/scenarios/${scenario}` : '/scenarios';
      assert.equal((await partner.call('DELETE', path)).status, 204);
      await partner.advance({ by: '1h' });
      assert.deepEqual(await codesOf(id), { indigo: 'planned' });
      await resubmit(id);
      await partner.advance({ by: '1d' });
      assert.equal((await partner.storeOf(id, 'indigo')).status, 'in_progress');
      await partner.advance({ to: '2026-12-24T00:00:00Z' });
      assert.equal((await partner.storeOf(id, 'indigo')).status, 'delivered', 'as usual');
    });
  }

  describe('its steps', () => {
    test('contract §4: apply to the messages of a delivery one after the other, for all kinds of message', async () => {
      const steps = [
        rejectWith('first'),
        confirmSoon,
        { action: 'reject', code: 'no update', after: '1m' },
        rejectWith('no takedown'),
        confirmSoon,
      ];
      await partner.addScenario(steps);
      const delivery = await partner.givenDelivery();
      await advanceOneMinute();
      const outcomes = [(await partner.storeOf(delivery.id)).rejection_code];
      await resubmit(delivery.id);
      outcomes.push((await partner.storeOf(delivery.id)).status);
      await change(delivery, 'Night Driver');
      await request(delivery.id, 'update');
      outcomes.push((await partner.storeOf(delivery.id)).update.rejection_code);
      await request(delivery.id, 'takedown');
      outcomes.push((await partner.storeOf(delivery.id)).rejection_code);
      await request(delivery.id, 'takedown');
      outcomes.push((await partner.storeOf(delivery.id)).status);
      assert.deepEqual(outcomes, ['first', 'delivered', 'no update', 'no takedown', 'taken_down']);
    });

    test('contract §4: begin with the first for each store and each delivery', async () => {
      await partner.addScenario([rejectWith('first'), rejectWith('second')]);
      const first = await partner.givenDelivery(['aurora', 'cascade']);
      await advanceOneMinute();
      await partner.ask('POST', `/v1/deliveries/${first.id}/resubmit`, {
        stores: ['aurora'],
        force: true,
      });
      await sandbox.runUntilIdle();
      await advanceOneMinute();
      assert.deepEqual(await codesOf(first.id), { aurora: 'second', cascade: 'first' });
      const other = await partner.givenDelivery(['aurora', 'cascade']);
      await advanceOneMinute();
      assert.deepEqual(await codesOf(other.id), { aurora: 'first', cascade: 'first' });
    });

    test('contract §4: end with the usual answer of the store after the last', async () => {
      await partner.addScenario([rejectWith('only')]);
      const { id } = await partner.givenDelivery(['indigo'], { release_date: '2026-12-24' });
      await advanceOneMinute();
      await resubmit(id);
      await partner.advance({ to: '2026-12-24T00:00:00Z' });
      assert.equal((await partner.storeOf(id, 'indigo')).status, 'delivered');
    });

    test('contract §4: begin again with the first if the scenario repeats', async () => {
      await partner.addScenario([rejectWith('odd'), rejectWith('even')], { repeats: true });
      const { id } = await partner.givenDelivery();
      await advanceOneMinute();
      const outcomes: unknown[] = [];
      for (let i = 0; i < 5; i++) {
        outcomes.push((await codesOf(id))['aurora']);
        await resubmit(id);
      }
      assert.deepEqual(outcomes, ['odd', 'even', 'odd', 'even', 'odd']);
    });

    test('contract §4: are counted per scenario', async () => {
      await partner.addScenario([rejectWith('a'), rejectWith('b')]);
      await partner.addScenario([confirmSoon], { message: 'takedown' });
      const { id } = await partner.givenDelivery();
      await advanceOneMinute();
      await resubmit(id);
      assert.deepEqual(await codesOf(id), { aurora: 'b' });
    });

    test('contract §4: are the same for a message that is sent twice because it was not recorded as sent', async () => {
      await partner.addScenario([
        { ...rejectWith('first'), after: '1h' },
        rejectWith('second'),
        rejectWith('third'),
      ]);
      let failures = 2;
      const sent: string[] = [];
      const { runUntilIdle } = openWorkerDriver(sandbox.service, {
        simulated: {
          ...simulatedStore,
          send: async (message, ...rest) => {
            const answers = await simulatedStore.send(message, ...rest);
            sent.push(message.message.id);
            // Like a crash after the store has the message and before it is recorded as sent.
            if (failures-- > 0) throw new Error('lost on the way back');
            return answers;
          },
        },
      });
      const releaseId = await partner.submit();
      await runUntilIdle();
      const { id } = await partner.deliver(releaseId, ['aurora']);
      await assert.rejects(runUntilIdle(), /lost on the way back/);
      // The engine would retry; without it, the message is redispatched after a minute.
      await sandbox.advanceTimeWithoutWorker(minuteMs);
      await assert.rejects(runUntilIdle(), /lost on the way back/);
      await sandbox.advanceTimeWithoutWorker(2 * minuteMs);
      await runUntilIdle();
      assert.equal(new Set(sent).size, 1, 'one message');
      assert.equal(sent.length, 3, 'sent three times');
      await partner.advance({ by: '2h' });
      assert.deepEqual(await codesOf(id), { aurora: 'first' });
      await resubmit(id);
      assert.deepEqual(await codesOf(id), { aurora: 'second' });
    });
  });

  test('contract §4: the same seed and references have the same outcome in another organization', async () => {
    const outcomesOf = async (seed: number) => {
      const other = await sandbox.newPartner();
      await other.addScenario([{ ...rejectWith('chance'), chance: 0.5 }], { seed });
      const stores = ['aurora', 'beatlane', 'cascade', 'hanami', 'indigo', 'kilima'];
      const { id } = await other.givenDelivery(stores, {
        reference: 'night-drive',
        release_date: '2027-01-15',
      });
      await other.advance({ by: '1m' });
      return Object.values(await other.statusByStore(id)).join(' ');
    };
    const first = await outcomesOf(3);
    assert.equal(await outcomesOf(3), first);
    const others: string[] = [];
    for (const seed of [4, 5, 6]) others.push(await outcomesOf(seed));
    assert.ok(
      others.some((outcome) => outcome !== first),
      'other seeds have other outcomes',
    );
    assert.ok([first, ...others].join(' ').includes('rejected'));
  });
});
