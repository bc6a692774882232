/** Messages to the engine: which handler of the delivery slice runs, on which key. */

import { type OrgId, parseId, toUuid } from '../kernel/ids.ts';
import type { Store } from '../network/face.ts';
import { laneKeyOf, entityRefOf, UnreadableMessage } from '../platform/engine/lanes.ts';
import type { EngineMessage } from '../platform/engine/outbox.ts';
import type { AnswerLane } from './domain/answer.ts';
import type { DeliveryId } from './domain/delivery.ts';
import type { JobId } from './domain/job.ts';
import type { OutgoingMessage } from './domain/message.ts';

export const deliveryService = 'deliveries';
export const dispatchService = 'delivery-dispatches';
export const laneService = 'store-lanes';
export const jobService = 'delivery-jobs';

/** Two services, so that a dispatch does not queue behind the answers of the same delivery. */
const services = {
  dispatch: dispatchService,
  send: dispatchService,
  check: dispatchService,
  applyAnswers: deliveryService,
} as const;

export const wakeDelivery = (
  orgId: OrgId,
  id: DeliveryId,
  handler: keyof typeof services,
): EngineMessage => ({ service: services[handler], key: entityRefOf(orgId, id), handler });

/**
 * A simulated store answers in the transaction that claims its message. It has no sessions to limit, so it has no lanes:
 * the messages of a delivery to simulated stores are sent together.
 */
export const hasLanes = ({ connector }: Pick<Store, 'connector'>): boolean =>
  connector !== 'simulated';

export const answerService = 'delivery-answers';

/** How many steps of an organization apply answers at once. Each wakes the engine, which costs as much as an answer. */
const answerLanes = 2;

/** Which of the lanes applies the answers to a delivery; `findAnsweredDeliveries` computes the same. */
export const answerLaneOf = (id: DeliveryId): number =>
  Number.parseInt(toUuid(id).slice(-1), 16) % answerLanes;

/**
 * Answers to many deliveries wake the engine once for each lane, instead of once for each delivery. `after`: only those
 * to later deliveries.
 */
export const wakeAnswerLane = (orgId: OrgId, index: number, after?: DeliveryId): EngineMessage => ({
  service: answerService,
  key: `${orgId}-${index}`,
  handler: 'apply',
  ...(after !== undefined && { entityRef: entityRefOf(orgId, after) }),
});

export function parseAnswerLane(key: string): { readonly orgId: OrgId; readonly lane: AnswerLane } {
  const [org = '', index = ''] = key.split('-');
  const orgId = parseId('org', org);
  if (orgId === undefined || !/^\d$/.test(index)) {
    throw new UnreadableMessage(`${key} is not the key of an answer lane`);
  }
  // A release that has more lanes may have sent the message.
  return { orgId, lane: { index: Number(index) % answerLanes, lanes: answerLanes } };
}

const takedownLane = 'takedown';

/** A store has `maxConcurrentSends` lanes, and one for takedowns, so that a burst of sends does not delay them. */
export const laneForMessage = (
  { storeId, maxConcurrentSends }: Pick<Store, 'storeId' | 'maxConcurrentSends'>,
  id: DeliveryId,
  { kind, isSentInOrder }: Pick<OutgoingMessage, 'kind' | 'isSentInOrder'>,
): string =>
  kind === 'takedown' && !isSentInOrder
    ? `${storeId}-${takedownLane}`
    : laneKeyOf(storeId, id, maxConcurrentSends);

export const sendInLane = (orgId: OrgId, id: DeliveryId, lane: string): EngineMessage => ({
  service: laneService,
  key: lane,
  handler: 'send',
  entityRef: entityRefOf(orgId, id),
});

/** The id of the store that a lane sends to. */
export const storeOfLane = (lane: string): string => lane.slice(0, lane.lastIndexOf('-'));

export const wakeJob = (orgId: OrgId, id: JobId): EngineMessage => ({
  service: jobService,
  key: entityRefOf(orgId, id),
  handler: 'run',
});

export const acknowledgementService = 'store-acknowledgements';

export const pollStore = (storeId: string): EngineMessage => ({
  service: acknowledgementService,
  key: storeId,
  handler: 'poll',
});
