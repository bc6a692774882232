/** The events that the model of the proof `clock` expects, and the times of the steps that cause them. */

import { formatState } from './clock-format.ts';
import { applyTimes, type StoreDelivery, stepsBetween } from './clock-store-delivery.ts';
import type { AnnouncedEvent, ModelDelivery } from './clock-types.ts';
import { aggregateOf, tallyOf } from './deliveries-aggregate.ts';
import type { StoreDelivery as State } from './deliveries-model.ts';

const unannouncedSteps = new Set(['update_dispatched', 'takedown_dispatched']);
const stepsWithMessage = new Set(['resubmitted', 'update_requested', 'takedown_requested']);

const statusOf = ({ storeDeliveries }: ModelDelivery): string =>
  aggregateOf(tallyOf(storeDeliveries.map(({ state }) => state.status)));

/** The delivery's own events come after all steps of a request, or after each step, because answers are independent. */
export type StatusAnnouncements = 'together' | 'one by one';

export function openAnnouncements(now: () => number) {
  const events: AnnouncedEvent[] = [];
  const announce = (delivery: ModelDelivery, store: string | null, text: string): void =>
    void events.push({ delivery: delivery.index, store, text, at: now() });

  const announceStatusChange = (delivery: ModelDelivery): void => {
    const status = statusOf(delivery);
    if (status === delivery.status) return;
    delivery.status = status;
    if (status === 'in_progress') return;
    const type = status === 'taken_down' ? 'taken_down' : 'completed';
    announce(delivery, null, `delivery.${type} ${status}`);
  };
  /** Changes the store delivery step by step. */
  const announceSteps = (
    delivery: ModelDelivery,
    storeDelivery: StoreDelivery,
    next: State,
    newMessageId: () => string,
    statusAnnouncements: StatusAnnouncements,
  ): void => {
    for (const step of stepsBetween(storeDelivery.state, next)) {
      storeDelivery.state = step.state;
      if (stepsWithMessage.has(step.name)) storeDelivery.messageId = newMessageId();
      applyTimes(storeDelivery, step, now());
      if (!unannouncedSteps.has(step.name)) {
        const type = step.name === 'overdue' ? 'overdue' : 'updated';
        const text = `delivery.store.${type} ${statusOf(delivery)} ${formatState(step.state)}`;
        announce(delivery, storeDelivery.storeId, text);
      }
      if (statusAnnouncements === 'one by one') announceStatusChange(delivery);
    }
    storeDelivery.state = next;
  };
  return { events, announceSteps, announceStatusChange };
}
