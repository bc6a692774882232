/**
 * Whoever speaks to a store. A message may be sent more than once, always under the same id, by which the
 * store knows it. What the store answers comes through `takeInAnswers`, whenever it comes; one that is only
 * simulated tells right away what it is going to answer, and when.
 */
import type { Snapshot } from '../../catalog/face.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import type { ConnectorName } from '../../network/face.ts';
import type { StoreAnswer } from '../domain/answer.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import type { Outgoing } from '../domain/message.ts';

export type Consignment = {
  readonly deliveryId: DeliveryId;
  readonly storeId: string;
  readonly message: Outgoing;
  readonly territoryCodes: readonly TerritoryCode[];
  /** What is sent, or what is to be removed. */
  readonly snapshot: Snapshot;
};

export type ComingAnswer = { readonly afterMs: number; readonly answer: StoreAnswer };

type Sending = (consignment: Consignment, signal: AbortSignal) => Promise<readonly ComingAnswer[]>;

export type StoreConnector = {
  /** The release whole, new or updated. */
  readonly send: Sending;
  readonly takeDown: Sending;
};

/** Every kind of connector there is. */
export type Connectors = Readonly<Record<ConnectorName, StoreConnector>>;
