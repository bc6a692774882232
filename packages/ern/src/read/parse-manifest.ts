import { deliveryTypes, type ManifestMessage, type MessageInBatch } from '../batch.ts';
import { readHash, readReleaseIds } from './descriptions.ts';
import { ElementReader, ReadLog } from './element-reader.ts';
import type { Finding } from './finding.ts';
import { readMessagingParty } from './parties.ts';
import { oneOf, present, toBoolean, toNumber } from './values.ts';
import { type XmlRoot, xpathOf } from './xml-tree.ts';

/** DDEX has no code for manifests of its own. */
const invalid = 'NewReleaseMessageInvalid';

export type ParsedManifest = {
  /** Absent if the manifest lacks what the model cannot do without. Trust it only if there are no findings. */
  readonly manifest: ManifestMessage | undefined;
  readonly findings: readonly Finding[];
};

/** Reads a ManifestMessage of the choreography for batches, version 18 or 16. */
export function parseManifest(root: XmlRoot): ParsedManifest {
  if (root.name !== 'ManifestMessage') {
    const message = `${root.name} is no ManifestMessage.`;
    return { manifest: undefined, findings: [{ code: invalid, message, xpath: xpathOf(root) }] };
  }
  const log = new ReadLog();
  const manifest = readManifest(new ElementReader(root, log));
  return { manifest: log.isComplete ? manifest : undefined, findings: log.findings };
}

function readManifest(manifest: ElementReader): ManifestMessage {
  const header = manifest.child('MessageHeader') ?? manifest;
  const partyOf = (name: string) => {
    const party = header.child(name);
    return header.require(party && readMessagingParty(party), name, { dpid: '' }, invalid);
  };
  const messages = manifest.children('MessageInBatch').flatMap(readMessageInBatch);
  checkCount(manifest, messages);
  const createdAt = header.token('MessageCreatedDateTime');
  const isTest = toBoolean(manifest.token('IsTestFlag'));
  const rootDirectory = manifest.text('RootDirectory');
  return {
    kind: 'manifest',
    sender: partyOf('MessageSender'),
    recipient: partyOf('MessageRecipient'),
    createdAt: header.require(createdAt, 'MessageCreatedDateTime', '', invalid),
    isTest: manifest.require(isTest, 'IsTestFlag', false, invalid),
    rootDirectory: manifest.require(rootDirectory, 'RootDirectory', '', invalid),
    messages,
  };
}

function checkCount(manifest: ElementReader, messages: readonly MessageInBatch[]): void {
  const announced = toNumber(manifest.token('NumberOfMessages'));
  const listed = manifest.children('MessageInBatch').length;
  if (announced !== listed) {
    manifest.log.report(
      manifest.element,
      `NumberOfMessages is ${announced ?? 'missing'}, but the manifest lists ${listed}.`,
      invalid,
    );
  }
  const ids = new Set(messages.map(({ messageId }) => messageId));
  if (ids.size < messages.length) {
    manifest.log.report(manifest.element, 'A MessageId is listed twice.', invalid);
  }
}

function readMessageInBatch(message: ElementReader): readonly MessageInBatch[] {
  const type = message.token('MessageType');
  if (type !== 'NewReleaseMessage') {
    message.log.report(
      message.element,
      `A batch cannot contain a ${type ?? 'message without MessageType'}: send it by itself.`,
      invalid,
    );
    return [];
  }
  const deliveryType = oneOf(deliveryTypes, message.token('DeliveryType'));
  const productType = oneOf(['AudioProduct'] as const, message.token('ProductType'));
  return [
    present({
      messageId: message.require(message.token('MessageId'), 'MessageId', '', invalid),
      url: message.require(message.text('URL'), 'URL', '', invalid),
      releaseIds: message.children('IncludedReleaseId').map(readReleaseIds),
      deliveryType: message.require(deliveryType, 'DeliveryType', 'NewReleaseDelivery', invalid),
      productType: message.require(productType, 'ProductType', 'AudioProduct', invalid),
      hash: readHash(message),
    }),
  ];
}
