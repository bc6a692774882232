/** ManifestMessage of the ERN choreography for batches over SFTP, version 18. */

import type { ManifestMessage, MessageInBatch } from '../batch.ts';
import type { FileHash, MessagingParty } from '../model.ts';
import type { BuiltMessage } from './built-message.ts';
import { conveyanceOf } from './conveyance.ts';
import { type Children, element, type Element, writeDocument } from './element.ts';
import { Field, itemsOf } from './field.ts';
import { nameContent } from './header.ts';
import { releaseIdElement } from './parties.ts';

const namespace = 'http://ddex.net/xml/ern-c-sftp/18';

export function buildManifest(message: ManifestMessage): BuiltMessage {
  const manifest = Field.root(message);
  const { xml, fields } = writeDocument(
    element('ern-c-sftp:ManifestMessage', contentOf(manifest), {
      'xmlns:ern-c-sftp': namespace,
      MessageVersionId: 'ern-c-sftp/18',
      AvsVersionId: '9',
    }),
  );
  return { xml, conveyance: () => conveyanceOf(message, [...fields, manifest.at('kind')], []) };
}

const contentOf = (manifest: Field<ManifestMessage>): Children => [
  element('MessageHeader', [
    batchParty('MessageSender', manifest.at('sender')),
    batchParty('MessageRecipient', manifest.at('recipient')),
    element('MessageCreatedDateTime', manifest.at('createdAt')),
  ]),
  element('IsTestFlag', manifest.at('isTest')),
  element('RootDirectory', manifest.at('rootDirectory')),
  element('NumberOfMessages', String(manifest.value.messages.length)),
  itemsOf(manifest.at('messages')).map(messageInBatch),
];

const batchParty = (name: string, party: Field<MessagingParty>): Element =>
  element(name, [
    element('PartyId', party.at('dpid'), { IsDPID: 'true' }),
    element('PartyName', nameContent(party.at('name'))),
  ]);

const messageInBatch = (message: Field<MessageInBatch>): Element =>
  element('MessageInBatch', [
    element('MessageType', 'NewReleaseMessage'),
    element('MessageId', message.at('messageId')),
    element('URL', message.at('url')),
    itemsOf(message.at('releaseIds')).map((ids) => releaseIdElement('IncludedReleaseId', ids)),
    element('DeliveryType', message.at('deliveryType')),
    element('ProductType', message.at('productType')),
    element('HashSum', hashContent(message.at('hash'))),
  ]);

const hashContent = (hash: Field<FileHash> | undefined): Children | undefined =>
  hash && [
    element('HashSumValue', hash.at('value')),
    element('HashSumAlgorithmType', hash.at('algorithm')),
  ];
