/**
 * A connector sends messages to stores. A message may be sent more than once, always with the same id, so that the
 * store can recognize a repetition. Answers arrive later through `recordAnswers`; a simulated store returns its
 * answers and their delays from `send`.
 */

import type { Snapshot } from '../../catalog/face.ts';
import type { Confirmation, ConnectorName, Store } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { StoreAnswer } from '../domain/answer.ts';
import type { Deal } from '../domain/deal.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import type { OutgoingMessage } from '../domain/message.ts';

export type StoreMessage = {
  readonly deliveryId: DeliveryId;
  readonly storeId: string;
  readonly message: OutgoingMessage;
  /** Where and how the store may offer the release and each track. */
  readonly deal: Deal;
  /** The deadline for the store's answer. */
  readonly expectedBy: Date | null;
  readonly confirmation: Confirmation;
  /** The release that is sent, or taken down. */
  readonly snapshot: Snapshot;
};

/**
 * `dueAt` is computed from the time of the transaction that claimed the message: a sandbox clock that is frozen meanwhile
 * may show an earlier time when the send is recorded.
 */
export type ScheduledAnswer = { readonly dueAt: Date; readonly answer: StoreAnswer };

/** What a simulated store will do with a message. */
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
  /** Only for simulated stores: runs in the transaction that claims the messages. In the order of the messages. */
  readonly simulate?: (
    tx: Tx,
    storeMessages: readonly StoreMessage[],
  ) => Promise<readonly Simulation[]>;
  /** Sends the whole release, for a delivery and for an update. */
  readonly send: SendToStore;
  readonly takeDown: SendToStore;
};

/** Sends what was prepared. Returns answers only if the message was not sent because our own check refused it. */
export type SendPrepared = (signal: AbortSignal) => Promise<readonly ScheduledAnswer[]>;

/** For stores that take batches: what is sent, and where, is decided in the transaction that claims the message. */
export type BatchConnector = {
  readonly prepare: (tx: Tx, storeMessage: StoreMessage, store: Store) => Promise<SendPrepared>;
};

export type Connectors = {
  readonly simulated: StoreConnector;
  readonly ddex: BatchConnector;
} & Readonly<Record<ConnectorName, StoreConnector | BatchConnector>>;
