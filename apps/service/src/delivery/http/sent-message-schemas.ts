/** Messages to a store on the wire (contract §4). */

import { Type } from 'typebox';
import { ernVersions } from '../../network/face.ts';
import { described } from '../../platform/http/named-enums.ts';
import {
  closed,
  IdOf,
  mayGrow,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  patterned,
  RealTime,
  Timestamp,
} from '../../platform/http/schema.ts';
import { unavailableReasons } from '../connectors/ddex/read-documents.ts';
import { answerKinds } from '../domain/applicable-answers.ts';
import { messageStatuses, messageTypes } from '../domain/sent-message.ts';

const Sha256 = (description: string) =>
  Type.String({
    ...patterned('^[0-9a-f]{64}$', 'a SHA-256 digest: 64 lowercase hexadecimal digits,'),
    description,
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  });

const SizeBytes = (description: string) =>
  Type.Integer({ minimum: 0, description, examples: [14_718] });

const documentFields = {
  sha256: Sha256('The SHA-256 digest of the file.'),
  xml: Nullable(
    Type.String({
      description:
        'The file as it was sent or received, in UTF-8, if it has at most 256 KiB and the files of the message before it at most 1 MiB together. `null`: see `download` or `unavailable_reason`.',
    }),
  ),
  download: Nullable(
    described(
      Type.Object(
        {
          url: Type.String({
            description: 'Download the file from here until `expires_at`. Send no credentials.',
            examples: ['https://storage.tonearm.example/ern/message.xml?X-Amz-Signature=…'],
          }),
          expires_at: RealTime('When the URL stops working.'),
        },
        { ...closed, title: 'StoreFileDownload' },
      ),
      'Where to read a file that is too large for `xml`. `null`: the file is in `xml`, or unavailable.',
    ),
  ),
  unavailable_reason: Nullable(
    OneOf(unavailableReasons, {
      description: `Why you cannot read the file. \`shared\`: the store reported about other releases in it, so only what it says about yours is shown. \`missing\`, \`damaged\`: our copy is lost; ask the support. \`null\`: you can read it. ${mayGrow}`,
    }),
  ),
};

const DocumentBody = Type.Object(
  { ...documentFields, size_bytes: SizeBytes('The size of the file in bytes.') },
  { ...closed, title: 'StoreDocument' },
);

const FileBody = Type.Object(
  {
    asset_id: IdOf('ast'),
    uri: Type.String({
      description: 'The name of the file in the message, relative to the message.',
      examples: ['resources/ast_01m74zn0c0fkdvvggszxx63qmy.wav'],
    }),
    sha256: Sha256('The SHA-256 digest of the file, as in the message and in the asset.'),
    size_bytes: SizeBytes('The size of the file in bytes.'),
    is_sent: Type.Boolean({
      description:
        '`true`: the file was sent with this message. `false`: the store has it from an earlier one, so it is only named.',
    }),
  },
  { ...closed, title: 'StoreMessageFile' },
);

const AcknowledgementFileBody = Type.Object(
  {
    name: Nullable(
      Type.String({
        description: 'The name of the file at the store. `null`: the file is `shared`.',
        examples: ['ACK_20270115090002000.xml'],
      }),
    ),
    ...documentFields,
    size_bytes: Nullable(SizeBytes('The size of the file in bytes.')),
    warnings: Type.Array(Type.String(), {
      description:
        'How the file differs from the schema of acknowledgements. It was read all the same. A `shared` file has none.',
    }),
  },
  { ...closed, title: 'AcknowledgementFile' },
);

const AcknowledgementBody = Type.Object(
  {
    received_at: Timestamp(
      'When we received it: in real time for a file, on the sandbox clock for a simulated store.',
    ),
    about: OneOf(['message', 'release'], {
      description:
        '`message`: it names this message. `release`: it names only the release, as stores do that flag or remove it later; it is listed with the last message that the store had.',
    }),
    answer: Nullable(
      OneOf(answerKinds, {
        description: `What it means for the delivery. \`null\`: nothing. ${mayGrow}`,
      }),
    ),
    statuses: Type.Array(Type.String({ examples: ['ProcessingErrorAtReleaseDistributor'] }), {
      description:
        "What the store said, in its own words: the status of the release, then those of the message (DDEX's SupplyChainStatus and ErncFileStatus). For a simulated store, the code of its rejection.",
    }),
    reason: Nullable(
      Type.String({ description: 'The reason, in the words of the store. `null`: it gave none.' }),
    ),
    proposed_action: Nullable(
      Type.String({
        description:
          "What the store asks for (DDEX's ErncProposedActionType): whether it wants the files again. `null`: it does not say.",
        examples: ['ResendXmlOnly'],
      }),
    ),
    file: Nullable(
      described(
        AcknowledgementFileBody,
        'The file in which the store said it. `null`: the store is simulated.',
      ),
    ),
  },
  { ...closed, title: 'StoreAcknowledgement' },
);

const SentMessageBody = Type.Object(
  {
    id: IdOf('msg'),
    type: OneOf(messageTypes, {
      description: `\`new_release\`: the first time that the store gets the release in this delivery. \`redelivery\`: again, after a resubmission. \`update\`: a newer revision, or other territories. \`takedown\`: the store must remove it. \`purge\`: it must forget it, by order of the operator. ${mayGrow}`,
    }),
    status: OneOf(messageStatuses, {
      description: `\`waiting\`: not sent yet; it may wait for the answer to the message before it. \`sending\`: on its way. \`sent\`: the store has it and has not answered. \`answered\`: the store has answered. \`unanswered\`: the store has not answered in time; an answer that comes later still counts. \`replaced\`: a newer message replaced it before the store answered. \`canceled\`: it is not sent. \`invalid\`: it did not pass our own check and was not sent; the store delivery is rejected with \`message_invalid\`. ${mayGrow}`,
    }),
    format: OneOf(['ern', 'simulated'], {
      description: `\`ern\`: a DDEX ERN message. \`simulated\`: the store is a fictional one that answers without reading a message, so there is no \`document\` and no file. ${mayGrow}`,
    }),
    revision: Nullable(
      Type.Integer({
        description: 'The revision of the release. `null`: it is not recorded.',
        examples: [3],
      }),
    ),
    created_at: Timestamp('When the message was queued for the store, as in the timeline.'),
    sent_at: Nullable(
      RealTime('When all of it was at the store. `null`: it is not sent, or simulated.'),
    ),
    ern_version: Nullable(
      OneOf(ernVersions, {
        description: 'The version of DDEX ERN. `null`: it is not sent yet, or simulated.',
      }),
    ),
    delivery_type: Nullable(
      Type.String({
        description:
          "DDEX's word for the delivery in the manifest, as the store wants it. `null`: it is not sent yet, or simulated.",
        examples: ['NewReleaseDelivery'],
      }),
    ),
    batch_id: Nullable(
      Type.String({
        description:
          'The batch in which it was sent: stores name it in their questions. `null`: it is not sent yet, or simulated.',
        examples: ['20270115090002000'],
      }),
    ),
    document: Nullable(
      described(
        DocumentBody,
        'The message, byte for byte as it was sent. `null`: it is not sent, or simulated.',
      ),
    ),
    files: Type.Array(FileBody, {
      description:
        'The audio and artwork that the message names. A takedown and a simulated message have none.',
    }),
    acknowledgements: Type.Array(AcknowledgementBody, {
      description: 'What the store answered, oldest first; at most 50.',
    }),
  },
  { ...closed, title: 'StoreMessage' },
);

export const SentMessagePage = PageOf('StoreMessagePage', SentMessageBody);

export const SentMessageQuery = Type.Object({ ...pageQuery }, closed);
