/** What the manifest of a batch of messages says, in the ERN choreography for SFTP. */

import type { FileHash, MessagingParty, ReleaseIds } from './model.ts';

/** DDEX's MessageActionType. */
export const deliveryTypes = [
  'NewReleaseDelivery',
  'ReDelivery',
  'TakeDown',
  'BackCatalogDelivery',
  'HighPriorityDelivery',
] as const;
export type DeliveryType = (typeof deliveryTypes)[number];

export type MessageInBatch = {
  readonly messageId: string;
  /** Of the message's file, relative to the root directory of the batch. */
  readonly url: string;
  /** At least one. */
  readonly releaseIds: readonly ReleaseIds[];
  readonly deliveryType: DeliveryType;
  readonly productType: 'AudioProduct';
  readonly hash?: FileHash;
};

/** Lists the messages of a batch. It is uploaded last: it tells the store to begin. */
export type ManifestMessage = {
  readonly kind: 'manifest';
  readonly sender: MessagingParty;
  readonly recipient: MessagingParty;
  readonly createdAt: string;
  readonly isTest: boolean;
  readonly rootDirectory: string;
  readonly messages: readonly MessageInBatch[];
};
