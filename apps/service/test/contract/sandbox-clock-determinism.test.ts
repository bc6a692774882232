/** The same events happen at the same times for every way of moving the clock: contract §4. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Json, monday } from '../delivery-fixture.ts';
import {
  dayMs,
  openSandboxFixture,
  type DrivenPartner,
  type SandboxFixture,
} from '../sandbox-fixture.ts';

/**
 * Two deliveries with scenarios for most timed actions, to stores of every kind of confirmation, with what stores do
 * later, an update, then their takedowns.
 */
async function runTimedScenario(
  sandbox: SandboxFixture,
  partner: DrivenPartner,
  move: (days: number) => Promise<unknown>,
) {
  await partner.addScenario([{ action: 'reject', code: 'metadata_error', chance: 0.4 }], {
    seed: 7,
    repeats: true,
  });
  await partner.addScenario([{ action: 'outage', lasts: '3h' }], { store_id: 'cascade' });
  await partner.addScenario([{ action: 'duplicate', times: 3 }], { store_id: 'indigo' });
  await partner.addScenario([{ action: 'late', after: '2d' }], { store_id: 'kilima' });
  const flag = { action: 'flag', after: '3d', code: 'rights', reason: 'A claim.' };
  await partner.addScenario([{ action: 'confirm', then: [flag] }], { store_id: 'hanami' });
  await partner.addScenario([{ action: 'delay', after: '20h', then: [flag] }], {
    store_id: 'jangala',
  });
  const removal = { action: 'confirm', then: [{ action: 'remove', after: '30h' }] };
  await partner.addScenario([{ action: 'confirm' }, removal], { store_id: 'emberline' });
  const stores = ['aurora', 'cascade', 'emberline', 'hanami', 'indigo', 'jangala', 'kilima'];
  const ids: string[] = [];
  for (const [i, release_date] of ['2026-11-20', '2026-12-24'].entries()) {
    const { id } = await partner.givenDelivery(stores, { release_date, reference: `release ${i}` });
    ids.push(id);
    await move(2);
  }
  await move(10);
  const [first] = ids;
  const { release_id } = await partner.delivery(first ?? '');
  await partner.ask('PATCH', `/v1/releases/${release_id}`, { genre: 'Pop' });
  await partner.ask('POST', `/v1/deliveries/${first}/update`, {});
  await sandbox.runUntilIdle();
  await move(9);
  for (const id of ids) {
    await partner.ask('POST', `/v1/deliveries/${id}/takedown`, {});
    await sandbox.runUntilIdle();
  }
  await move(40);
}

/** The delivery events, with ids replaced by numbers, because ids differ between runs. */
async function listDeliveryEvents(partner: DrivenPartner): Promise<readonly string[]> {
  const events = (await partner.events()).filter(({ type }) => type.startsWith('delivery.'));
  const names = new Map<string, string>();
  const name = (id: string) => {
    if (!names.has(id)) names.set(id, `delivery ${names.size}`);
    return names.get(id);
  };
  return events.map(({ type, created_at, data }: Json) => {
    const id = name(data.delivery_id ?? data.id);
    const { store_id, status, live_basis, acknowledged_at, update, taken_down_by } =
      data.store ?? {};
    const details = [
      `basis ${live_basis}`,
      `receipt ${acknowledged_at}`,
      `update ${update?.status}`,
      `by ${taken_down_by}`,
    ];
    return [created_at, type, id, data.status, store_id, status, ...details].join(' ');
  });
}

describe('the events of a moved clock', () => {
  let sandbox: SandboxFixture;
  before(async () => {
    sandbox = await openSandboxFixture();
  });
  after(() => sandbox.close());

  const advanceInSteps = (partner: DrivenPartner) => async (days: number) => {
    const hours = 50;
    for (let remaining = days * 24; remaining > 0; remaining -= hours) {
      await partner.advance({ by: `${Math.min(remaining, hours)}h` });
    }
  };

  /** Advances real time, from one due timer to the next. */
  const waitFor = async (partner: DrivenPartner, ms: number): Promise<void> => {
    const end = sandbox.service.clock.now().getTime() + ms;
    for (let now = 0; now < end;) {
      const { next_due_at } = await partner.clock();
      now = Math.min(end, next_due_at === null ? end : Date.parse(next_due_at));
      await sandbox.advanceTime(Math.max(0, now - sandbox.service.clock.now().getTime()));
    }
  };

  test('contract §4: the same events at the same times in one jump, in steps, or with real time', async () => {
    const [jumping, stepping, waiting] = [
      await sandbox.newPartner(),
      await sandbox.newPartner(),
      await sandbox.newPartner(),
    ];
    for (const partner of [jumping, stepping]) await partner.setMode('manual');
    const advanceAtOnce = (partner: DrivenPartner) => (days: number) =>
      partner.advance({ by: `${days}d` });
    // A manual clock fires due timers only when it is advanced, so `0s` fires them before each move.
    const fireDueThen =
      (partner: DrivenPartner, move: (days: number) => Promise<unknown>) =>
      async (days: number) => {
        await partner.advance({ by: '0s' });
        await move(days);
      };
    await runTimedScenario(sandbox, jumping, fireDueThen(jumping, advanceAtOnce(jumping)));
    await runTimedScenario(sandbox, stepping, fireDueThen(stepping, advanceInSteps(stepping)));
    const expected = await listDeliveryEvents(jumping);
    assert.ok(expected.length > 60, `only ${expected.length} events`);
    for (const part of [
      /emberline delivered basis inferred/,
      /jangala delivered basis inferred receipt 2026/,
      /jangala action_required basis inferred/,
      /hanami action_required basis store/,
      /emberline taken_down .* by store/,
    ]) {
      assert.ok(
        expected.some((line) => part.test(line)),
        `${part} is among ${expected.join('\n')}`,
      );
    }
    assert.deepEqual(await listDeliveryEvents(stepping), expected, 'in steps');

    await sandbox.service.clock.set(monday);
    await runTimedScenario(sandbox, waiting, (days) => waitFor(waiting, days * dayMs));
    const outcomes = (lines: readonly string[]) => lines.toSorted();
    assert.deepEqual(
      outcomes(await listDeliveryEvents(waiting)),
      outcomes(expected),
      'with real time',
    );
  });
});
