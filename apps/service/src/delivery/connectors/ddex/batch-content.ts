/** What a batch contains: its message, the files that the store does not have yet, and its manifest. */

import { hash } from 'node:crypto';
import { buildManifest, buildNewRelease, buildPurge } from '@tonearm/ern';
import { productCodeOf } from '../../../kernel/product-code.ts';
import type { Store } from '../../../network/face.ts';
import { type Batch, type BatchFile, batchPaths } from '../../domain/batch.ts';
import { purgeDeliveryType } from '../../domain/purge.ts';
import type { StoreMessage } from '../store-connector.ts';
import type { Connection } from './connection.ts';
import type { HashAlgorithm } from './dialect.ts';
import { type MessageAsset, usualFiles } from './to-files.ts';
import {
  type MessageContext,
  offeredTracks,
  toNewReleaseMessage,
  toPurgeMessage,
  toTakedownMessage,
} from './to-message.ts';
import { type FileToSend, contentOfText } from './upload-batch.ts';

/** The cover, and the audio of the tracks that the store may offer, each once. */
export function messageAssets({
  snapshot,
  deal,
}: Pick<StoreMessage, 'snapshot' | 'deal'>): readonly MessageAsset[] {
  const ids = new Set<string | null>([
    snapshot.release.artworkAssetId,
    ...offeredTracks({ snapshot, deal }).map(({ audioAssetId }) => audioAssetId),
  ]);
  return snapshot.assets.filter(({ id }) => ids.has(id));
}

/** The files that the store does not have are sent, the others are only named; with a takedown there are none. */
export function splitFiles(
  storeMessage: StoreMessage,
  heldAssets: readonly string[],
): Pick<Batch, 'files' | 'unsentFiles'> {
  if (storeMessage.message.kind === 'takedown') return { files: [], unsentFiles: [] };
  const held = new Set(heldAssets);
  const all = messageAssets(storeMessage).map(toBatchFile);
  return {
    files: all.filter(({ asset_id }) => !held.has(asset_id)),
    unsentFiles: all.filter(({ asset_id }) => held.has(asset_id)),
  };
}

export type BatchPlan = {
  readonly store: Store;
  readonly connection: Connection;
  readonly storeMessage: StoreMessage;
  /** Other files than those of the batch are named in the message, and not sent. */
  readonly batch: Batch;
};

/** Plain data: it may come from another thread. */
export type BatchContent = {
  readonly paths: Pick<ReturnType<typeof batchPaths>, 'message' | 'manifest'>;
  readonly xml: string;
  readonly manifest: string;
  readonly uploads: readonly FileToSend[];
};

/**
 * No manifest can list a purge. In place of one, the choreography has an empty file, which marks a batch that a person
 * has sent.
 */
const markOfHand = '';

/** The same plan always has the same content, so that a repeated send after a crash writes the same bytes. */
export function buildBatchContent(plan: BatchPlan): BatchContent {
  const { store, connection, storeMessage, batch } = plan;
  const { snapshot, deal, message } = storeMessage;
  const code = productCodeOf(snapshot.release);
  const paths = batchPaths(connection.batchPrefix, batch.batchId, code);
  const sentIds = new Set(batch.files.map(({ asset_id }) => asset_id));
  const isProvided = ({ id }: MessageAsset) => sentIds.has(id);
  const context: MessageContext = {
    snapshot,
    deal,
    store,
    dialect: connection.dialect,
    envelope: {
      messageId: message.id,
      threadId: storeMessage.deliveryId,
      createdAt: batch.createdAt,
    },
    files: { ...usualFiles, isProvided },
  };
  if (batch.deliveryType === purgeDeliveryType) {
    const { xml } = buildPurge(toPurgeMessage(context), connection.dialect.ernVersion);
    return { paths, xml, manifest: markOfHand, uploads: [] };
  }
  const ernMessage =
    message.kind === 'takedown' ? toTakedownMessage(context) : toNewReleaseMessage(context);
  const { xml } = buildNewRelease(ernMessage, connection.dialect.ernVersion);
  return {
    paths: { message: paths.message, manifest: paths.manifest },
    xml,
    manifest: toManifest(plan, { root: paths.root, url: paths.messageUrl, code, xml }),
    uploads: snapshot.assets
      .filter(isProvided)
      .map((asset) => toUpload(asset, paths.fileAt(usualFiles.uriOf(asset)))),
  };
}

const toBatchFile = (asset: MessageAsset): BatchFile => ({
  asset_id: asset.id,
  uri: usualFiles.uriOf(asset),
  sha256: asset.sha256 ?? '',
  size_bytes: asset.sizeBytes,
});

function toUpload({ id, objectKey, sha256, sizeBytes }: MessageAsset, path: string): FileToSend {
  if (objectKey === null || sha256 === null) throw new Error(`${id} has no file`);
  return { path, objectKey, sha256, sizeBytes };
}

type Named = {
  readonly root: string;
  readonly url: string;
  readonly code: string;
  readonly xml: string;
};

const hashOfText = (xml: string, algorithm: HashAlgorithm) => ({
  algorithm,
  value: algorithm === 'MD5' ? hash('md5', xml) : contentOfText(xml).sha256,
});

function toManifest(
  { connection, storeMessage, batch }: BatchPlan,
  { root, url, code, xml }: Named,
): string {
  const { dialect, deliveryTypes } = connection;
  const [recipient] = dialect.recipients;
  if (recipient === undefined) throw new Error('the dialect names no recipient');
  const deliveryType = Object.values(deliveryTypes).find((word) => word === batch.deliveryType);
  return buildManifest({
    kind: 'manifest',
    sender: dialect.sender,
    recipient,
    createdAt: batch.createdAt.toISOString().replace(/\.\d+/, ''),
    isTest: dialect.isTest,
    rootDirectory: root,
    messages: [
      {
        messageId: storeMessage.message.id,
        url,
        releaseIds: [{ icpn: code }],
        deliveryType: deliveryType ?? 'NewReleaseDelivery',
        productType: 'AudioProduct',
        hash: hashOfText(xml, dialect.hashAlgorithm),
      },
    ],
  }).xml;
}
