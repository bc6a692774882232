/**
 * Whoever speaks to a store. A message may be sent more than once, always under the same id, by which the
 * store knows it. What the store answers comes through `takeInAnswers`, whenever it comes; one that is only
 * simulated knows beforehand what it is going to answer, and when.
 */

import type { Snapshot } from '../../catalog/face.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import type { ConnectorName } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { StoreAnswer } from '../domain/answer.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import type { OutgoingMessage } from '../domain/message.ts';

export type StoreMessage = {
  readonly deliveryId: DeliveryId;
  readonly storeId: string;
  readonly message: OutgoingMessage;
  readonly territoryCodes: readonly TerritoryCode[];
  /** By when the store should have answered. */
  readonly expectedBy: Date | null;
  /** What is sent, or what is to be removed. */
  readonly snapshot: Snapshot;
};

export type ScheduledAnswer = { readonly afterMs: number; readonly answer: StoreAnswer };

/** What a simulated store is going to do with a message. */
export type Simulation = {
  readonly isUnavailable: boolean;
  readonly scheduledAnswers: readonly ScheduledAnswer[];
};

type SendToStore = (
  storeMessage: StoreMessage,
  signal: AbortSignal,
  simulation?: Simulation,
) => Promise<readonly ScheduledAnswer[]>;

export type StoreConnector = {
  /** In the transaction that claims the message, for stores that are only simulated. */
  readonly simulate?: (tx: Tx, storeMessage: StoreMessage) => Promise<Simulation>;
  /** The release whole, new or updated. */
  readonly send: SendToStore;
  readonly takeDown: SendToStore;
};

/** Every kind of connector there is. */
export type Connectors = Readonly<Record<ConnectorName, StoreConnector>>;
