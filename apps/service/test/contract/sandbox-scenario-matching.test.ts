/** Which scenario a message meets, and which of its steps: contract §4. */

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

/** Says which scenario it was by its code. */
const rejectWith = (code: string) => ({ action: 'reject', code, after: '1m' });
const confirmSoon = { action: 'confirm', after: '1m' };

describe('which scenario counts', () => {
  let sandbox: SandboxFixture;
  let partner: DrivenPartner;
  before(async () => {
    sandbox = await openSandboxFixture();
  });
  beforeEach(async () => {
    partner = await sandbox.newPartner();
  });
  after(() => sandbox.close());

  /** The code each store refused it with. */
  const codesOf = async (id: string): Promise<Record<string, string | null>> => {
    const { stores } = await partner.delivery(id);
    return Object.fromEntries(stores.map((each: Json) => [each.store_id, each.rejection_code]));
  };
  const soon = () => partner.advance({ by: '1m' });
  const resubmit = async (id: string) => {
    await partner.ask('POST', `/v1/deliveries/${id}/resubmit`, { force: true });
    await sandbox.runUntilIdle();
    await soon();
  };
  const request = async (id: string, action: 'takedown' | 'update') => {
    await partner.ask('POST', `/v1/deliveries/${id}/${action}`, {});
    await sandbox.runUntilIdle();
    await soon();
  };
  const change = ({ release_id }: Json, title: string) =>
    partner.ask('PATCH', `/v1/releases/${release_id}`, { title });

  test('contract §4: of several that fit, the newest', async () => {
    for (const code of ['old', 'middle', 'new']) await partner.addScenario([rejectWith(code)]);
    const { id } = await partner.givenDelivery(['aurora', 'cascade']);
    await soon();
    assert.deepEqual(await codesOf(id), { aurora: 'new', cascade: 'new' });
  });

  test('contract §4: the newest, though an older one says more precisely what it fits', async () => {
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
    await soon();
    assert.deepEqual(await codesOf(id), { aurora: 'any' });
  });

  test('contract §4: of one store only', async () => {
    await partner.addScenario([rejectWith('all')]);
    await partner.addScenario([rejectWith('aurora')], { store_id: 'aurora' });
    await partner.addScenario([rejectWith('hanami')], { store_id: 'hanami' });
    const { id } = await partner.givenDelivery(['aurora', 'cascade', 'hanami']);
    await soon();
    assert.deepEqual(await codesOf(id), { aurora: 'aurora', cascade: 'all', hanami: 'hanami' });
  });

  test('contract §4: of one release only', async () => {
    const [one, other] = [await partner.submit(), await partner.submit()];
    await partner.addScenario([rejectWith('any')]);
    await partner.addScenario([rejectWith('one')], { release_id: one });
    await sandbox.runUntilIdle();
    const deliveries = [
      await partner.deliver(one, ['aurora']),
      await partner.deliver(other, ['aurora']),
    ];
    await sandbox.runUntilIdle();
    await soon();
    assert.deepEqual(await Promise.all(deliveries.map(({ id }) => codesOf(id))), [
      { aurora: 'one' },
      { aurora: 'any' },
    ]);
  });

  test('contract §4: of one kind of message only', async () => {
    await partner.addScenario([confirmSoon], { repeats: true });
    await partner.addScenario([rejectWith('no update')], { message: 'update', repeats: true });
    await partner.addScenario([rejectWith('no takedown')], { message: 'takedown', repeats: true });
    const delivery = await partner.givenDelivery();
    await soon();
    assert.equal((await partner.storeOf(delivery.id)).status, 'delivered');
    await change(delivery, 'Night Driver');
    await request(delivery.id, 'update');
    const updated = await partner.storeOf(delivery.id);
    assert.deepEqual([updated.status, updated.rejection_code], ['delivered', 'no update']);
    await request(delivery.id, 'takedown');
    const kept = await partner.storeOf(delivery.id);
    assert.deepEqual([kept.status, kept.rejection_code], ['delivered', 'no takedown']);
  });

  test('contract §4: only messages sent from now on: what was sent is answered as it was scripted', async () => {
    await partner.addScenario([{ ...rejectWith('then'), after: '1h' }]);
    const { id } = await partner.givenDelivery();
    await partner.addScenario([rejectWith('later')]);
    await partner.advance({ by: '1h' });
    assert.deepEqual(await codesOf(id), { aurora: 'then' });
    await resubmit(id);
    assert.deepEqual(await codesOf(id), { aurora: 'later' });
  });

  for (const which of ['one', 'all'] as const) {
    test(`contract §4: deleting ${which} leaves what was planned, and later messages meet the usual`, async () => {
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
    test('contract §4: meet a delivery’s messages one after the other, whatever their kind', async () => {
      const steps = [
        rejectWith('first'),
        confirmSoon,
        { action: 'reject', code: 'no update', after: '1m' },
        rejectWith('no takedown'),
        confirmSoon,
      ];
      await partner.addScenario(steps);
      const delivery = await partner.givenDelivery();
      await soon();
      const seen = [(await partner.storeOf(delivery.id)).rejection_code];
      await resubmit(delivery.id);
      seen.push((await partner.storeOf(delivery.id)).status);
      await change(delivery, 'Night Driver');
      await request(delivery.id, 'update');
      seen.push((await partner.storeOf(delivery.id)).rejection_code);
      await request(delivery.id, 'takedown');
      seen.push((await partner.storeOf(delivery.id)).rejection_code);
      await request(delivery.id, 'takedown');
      seen.push((await partner.storeOf(delivery.id)).status);
      assert.deepEqual(seen, ['first', 'delivered', 'no update', 'no takedown', 'taken_down']);
    });

    test('contract §4: each store and each delivery begins with the first', async () => {
      await partner.addScenario([rejectWith('first'), rejectWith('second')]);
      const one = await partner.givenDelivery(['aurora', 'cascade']);
      await soon();
      await partner.ask('POST', `/v1/deliveries/${one.id}/resubmit`, {
        stores: ['aurora'],
        force: true,
      });
      await sandbox.runUntilIdle();
      await soon();
      assert.deepEqual(await codesOf(one.id), { aurora: 'second', cascade: 'first' });
      const other = await partner.givenDelivery(['aurora', 'cascade']);
      await soon();
      assert.deepEqual(await codesOf(other.id), { aurora: 'first', cascade: 'first' });
    });

    test('contract §4: after the last, what the store usually does', async () => {
      await partner.addScenario([rejectWith('only')]);
      const { id } = await partner.givenDelivery(['indigo'], { release_date: '2026-12-24' });
      await soon();
      await resubmit(id);
      await partner.advance({ to: '2026-12-24T00:00:00Z' });
      assert.equal((await partner.storeOf(id, 'indigo')).status, 'delivered');
    });

    test('contract §4: where it repeats, the first again', async () => {
      await partner.addScenario([rejectWith('odd'), rejectWith('even')], { repeats: true });
      const { id } = await partner.givenDelivery();
      await soon();
      const seen: unknown[] = [];
      for (let i = 0; i < 5; i++) {
        seen.push((await codesOf(id))['aurora']);
        await resubmit(id);
      }
      assert.deepEqual(seen, ['odd', 'even', 'odd', 'even', 'odd']);
    });

    test('contract §4: a scenario that fits other kinds keeps its own count', async () => {
      await partner.addScenario([rejectWith('a'), rejectWith('b')]);
      await partner.addScenario([confirmSoon], { message: 'takedown' });
      const { id } = await partner.givenDelivery();
      await soon();
      await resubmit(id);
      assert.deepEqual(await codesOf(id), { aurora: 'b' });
    });

    test('contract §4: a message sent twice, because nobody noted that it left, meets the same step', async () => {
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
          send: async (consignment, ...rest) => {
            const answers = await simulatedStore.send(consignment, ...rest);
            sent.push(consignment.message.id);
            // As a crash after the store has it, and before that is noted.
            if (failures-- > 0) throw new Error('lost on the way back');
            return answers;
          },
        },
      });
      const releaseId = await partner.submit();
      await runUntilIdle();
      const { id } = await partner.deliver(releaseId, ['aurora']);
      await assert.rejects(runUntilIdle(), /lost on the way back/);
      // The engine would try again; here the delivery is dispatched anew.
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

  test('contract §4: the same seed and references fall the same way in another organization', async () => {
    const outcomes = async (seed: number) => {
      const someone = await sandbox.newPartner();
      await someone.addScenario([{ ...rejectWith('chance'), chance: 0.5 }], { seed });
      const stores = ['aurora', 'beatlane', 'cascade', 'hanami', 'indigo', 'kilima'];
      const { id } = await someone.givenDelivery(stores, {
        reference: 'night-drive',
        release_date: '2027-01-15',
      });
      await someone.advance({ by: '1m' });
      return Object.values(await someone.statusByStore(id)).join(' ');
    };
    const first = await outcomes(3);
    assert.equal(await outcomes(3), first);
    const others: string[] = [];
    for (const seed of [4, 5, 6]) others.push(await outcomes(seed));
    assert.ok(
      others.some((other) => other !== first),
      'and other seeds another',
    );
    assert.ok([first, ...others].join(' ').includes('rejected'));
  });
});
