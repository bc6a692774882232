/**
 * The messages that stores would be sent, for a dry run. The largest release makes megabytes for each store, so the
 * answer has a limit: what exceeds it is left out, and the work ends there.
 */

import { buildNewRelease } from '@tonearm/ern';
import type { Snapshot } from '../../../catalog/face.ts';
import type { Store } from '../../../network/face.ts';
import type { Deal } from '../../domain/deal.ts';
import { type Conveyed, conveyedBy } from './conveyance.ts';
import { type Dialect, fictionalDialect } from './dialect.ts';
import { usualFiles } from './to-files.ts';
import { toNewReleaseMessage } from './to-message.ts';

type StorePreview = {
  readonly store: Store;
  readonly deal: Deal;
  /** Absent: the operator has not set one. */
  readonly dialect?: Dialect | undefined;
};

export type PreviewRequest = {
  readonly snapshot: Snapshot;
  readonly stores: readonly StorePreview[];
  readonly createdAt: Date;
};

export type MessagePreview = {
  readonly storeId: string;
  readonly ernVersion: string;
  readonly sizeBytes: number;
  /** Null: it exceeds the limit of the answer. */
  readonly xml: string | null;
  readonly conveyed: Conveyed | null;
};

/** Of all messages and what they carry together, as JSON (contract §4). */
const previewBytesMax = 2 * 1024 * 1024;

/** No store has seen these ids, and no message is ever sent with them. */
const envelope = { messageId: 'dry_run', threadId: 'dry_run' };

/** Of the first stores, as far as the limit allows. */
export function previewMessages({
  snapshot,
  stores,
  createdAt,
}: PreviewRequest): readonly MessagePreview[] {
  const previews: MessagePreview[] = [];
  let bytesLeft = previewBytesMax;
  const withinLimit = <T>(value: T): T | null => {
    const bytes = Buffer.byteLength(JSON.stringify(value));
    if (bytes > bytesLeft) return null;
    bytesLeft -= bytes;
    return value;
  };
  for (const store of stores) {
    const preview = previewOf(snapshot, store, createdAt);
    const conveyed = withinLimit(preview.conveyed);
    const xml = withinLimit(preview.xml);
    previews.push({ ...preview, conveyed, xml });
    if (xml === null) break;
  }
  return previews;
}

function previewOf(
  snapshot: Snapshot,
  { store, deal, dialect = fictionalDialect(store) }: StorePreview,
  createdAt: Date,
): MessagePreview {
  const context = {
    snapshot,
    store,
    deal,
    dialect,
    envelope: { ...envelope, createdAt },
    files: usualFiles,
  };
  const message = toNewReleaseMessage(context);
  const built = buildNewRelease(message, dialect.ernVersion);
  return {
    storeId: store.storeId,
    ernVersion: dialect.ernVersion,
    sizeBytes: Buffer.byteLength(built.xml),
    xml: built.xml,
    conveyed: conveyedBy(built, message, context),
  };
}
