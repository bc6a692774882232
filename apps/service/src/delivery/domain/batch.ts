/**
 * Batches (DDEX's choreography for SFTP): one message with its files in a folder of its own, and a manifest that is
 * written last and tells the store to begin.
 *
 *   open → complete → acknowledged | timed_out
 *   open → abandoned      the message was replaced before its manifest was written; stores ignore such a folder
 *   open → refused        our own check found the message invalid
 *
 * The next message about a release is not sent to a store until the batch before it has left `open` and `complete`:
 * a store reads batches at the same time, so that a takedown could overtake what it takes down.
 */

import type { ReleaseId } from '../../kernel/ids.ts';
import type { ProductCode } from '../../kernel/product-code.ts';
import type { Store } from '../../network/face.ts';
import type { AnswerKind } from './answer.ts';
import type { DeliveryId } from './delivery.ts';
import type { MessageId, OutgoingMessage } from './message.ts';

export type BatchState =
  | 'open'
  | 'complete'
  | 'acknowledged'
  | 'timed_out'
  | 'abandoned'
  | 'refused';

export type BatchFile = {
  readonly asset_id: string;
  /** Relative to the message. */
  readonly uri: string;
  readonly sha256: string;
  readonly size_bytes: number;
};

/** What a store said about a message, as stored. Rows of earlier releases have no optional fields. */
export type BatchAcknowledgement = {
  /** Of the file at the store. */
  readonly name: string;
  readonly sha256: string;
  readonly size_bytes?: number;
  readonly received_at: string;
  /** The store's words. */
  readonly statuses: readonly string[];
  readonly reason: string | null;
  /** Why the file is not a valid acknowledgement; it was read all the same. */
  readonly warnings: readonly string[];
  /** ErncProposedActionType, or the store's own word. */
  readonly proposed_action?: string | null;
  /** What it means for the delivery. Null: nothing. */
  readonly answer?: AnswerKind | null;
  /** `release`: it names no message, and was added to the last one about the release. */
  readonly about?: 'message' | 'release';
  /** The partner may read the file: it is about no other release. */
  readonly is_readable?: boolean;
};

export type Batch = {
  readonly messageId: MessageId;
  readonly deliveryId: DeliveryId;
  readonly releaseId: ReleaseId;
  readonly storeId: string;
  readonly batchId: string;
  readonly kind: OutgoingMessage['kind'];
  readonly deliveryType: string;
  readonly state: BatchState;
  readonly messageSha256: string | null;
  readonly messageBytes: number | null;
  readonly ernVersion: Store['capabilities']['ernVersion'] | null;
  /** Sent in the batch. */
  readonly files: readonly BatchFile[];
  /** Named in the message and not sent, because the store has them. */
  readonly unsentFiles: readonly BatchFile[];
  /** The assets that the store has if it accepted the batch. */
  readonly heldFiles: readonly string[];
  readonly acknowledgements: readonly BatchAcknowledgement[];
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  readonly timesOutAt: Date | null;
};

/** `YYYYMMDDhhmmssnnn`, in UTC. */
export const batchIdOf = (at: Date): string => at.toISOString().replace(/\D/g, '');

/** The kinds of messages for which a store may want different words of DDEX's MessageActionType. */
export type BatchPurpose = 'deliver' | 'redeliver' | 'update' | 'takedown';

export const purposeOf = (
  kind: OutgoingMessage['kind'],
  { wasSentBefore }: { readonly wasSentBefore: boolean },
): BatchPurpose => (kind === 'deliver' && wasSentBefore ? 'redeliver' : kind);

type BatchPaths = {
  /** The folder of the batch. */
  readonly root: string;
  /** Relative to `root`, as the manifest names it. */
  readonly messageUrl: string;
  readonly message: string;
  readonly manifest: string;
  readonly fileAt: (uri: string) => string;
};

/** `prefix` is the store's word for the order in which it reads batches. */
export function batchPaths(prefix: string, batchId: string, code: ProductCode): BatchPaths {
  const root = `${prefix}_${batchId}`;
  const messageUrl = `${code}/${code}.xml`;
  return {
    root,
    messageUrl,
    message: `${root}/${messageUrl}`,
    manifest: `${root}/BatchComplete_${batchId}.xml`,
    fileAt: (uri) => `${root}/${code}/${uri}`,
  };
}
