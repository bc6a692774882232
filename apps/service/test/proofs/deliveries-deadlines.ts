/** Advances the clock of a scenario's organization past every deadline of its stores. */

import { setTimeout as wait } from 'node:timers/promises';
import { toWire } from '../../src/kernel/ids.ts';
import { applySent, awaitsMessage } from './deliveries-model.ts';
import { requestOrThrow } from './deliveries-requests.ts';
import type { RunningScenario } from './deliveries-scenario.ts';
import { applyDeadline } from './deliveries-takedowns.ts';
import { type DeliveryRef, findSent } from './deliveries-waits.ts';

const pollMs = 200;
/** The longest deadline is two days after the release date. */
const pastDeadlines = '300d';
/** A message to a silent store whose send was not recorded at its deadline is checked again after an hour. */
const pastNextCheck = '3h';

export async function passDeadlines(
  running: RunningScenario,
  delivery: DeliveryRef,
): Promise<void> {
  await advance(running, pastDeadlines);
  await advance(running, pastNextCheck);
  const { fakeStores } = running.scenario;
  for (const fakeStore of fakeStores.values())
    fakeStore.storeDelivery = applyDeadline(fakeStore.storeDelivery);
  await passTakedownDeadlines(running, delivery);
}

/** A takedown that waited for an inferred answer was sent during the advance, and its deadline has passed too. */
async function passTakedownDeadlines(
  { scenario, query }: RunningScenario,
  delivery: DeliveryRef,
): Promise<void> {
  const asked = [...scenario.fakeStores.values()].filter(({ storeDelivery }) =>
    awaitsMessage(storeDelivery),
  );
  if (asked.length === 0) return;
  const sent = new Map(
    (
      await findSent(
        query,
        delivery,
        asked.map(({ storeId }) => storeId),
      )
    ).map(({ store_id, message_id }) => [store_id, message_id]),
  );
  for (const fakeStore of asked) {
    const messageId = sent.get(fakeStore.storeId);
    if (messageId === undefined) throw new Error(`${fakeStore.storeId} was not asked in time`);
    const { storeDelivery } = fakeStore;
    fakeStore.storeDelivery = applyDeadline(applySent(storeDelivery, toWire('msg', messageId)));
  }
}

async function advance(running: RunningScenario, by: string): Promise<void> {
  const { processes, scenario, hangLimit } = running;
  await requestOrThrow(running, 'POST', '/v1/sandbox/clock/advance', { by });
  const isHung = hangLimit.beginWait();
  for (;;) {
    const { key } = scenario.caller;
    const clock = await processes.requestJson({ method: 'GET', path: '/v1/sandbox/clock', key });
    if (clock?.['status'] === 'idle') return;
    if (isHung()) throw new Error('the clock did not arrive');
    await wait(pollMs);
  }
}
