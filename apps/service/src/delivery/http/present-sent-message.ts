import type { OrgId } from '../../kernel/ids.ts';
import { answerKey, messageKey } from '../connectors/ddex/kept-messages.ts';
import type { KeptDocument, ReadDocument } from '../connectors/ddex/read-documents.ts';
import type { Batch, BatchAcknowledgement, BatchFile } from '../domain/batch.ts';
import type { OutgoingMessage } from '../domain/message.ts';
import { type AnswerStep, type SentMessage, statusOf, typeOf } from '../domain/sent-message.ts';

/** The file of the message, if it was sent, then those of the acknowledgements. */
export function documentsOf(orgId: OrgId, { id, batch }: SentMessage): readonly KeptDocument[] {
  if (batch === undefined) return [];
  const own: KeptDocument[] = hasDocument(batch)
    ? [
        {
          key: messageKey(orgId, id),
          sha256: batch.messageSha256,
          sizeBytes: batch.messageBytes,
          fileName: `${id}.xml`,
        },
      ]
    : [];
  return [...own, ...batch.acknowledgements.map((each) => toDocument(orgId, id, each))];
}

const toDocument = (
  orgId: OrgId,
  id: SentMessage['id'],
  { name, sha256, size_bytes, is_readable }: BatchAcknowledgement,
): KeptDocument => ({
  key: is_readable === true ? answerKey(orgId, id, sha256) : null,
  sha256,
  sizeBytes: size_bytes ?? null,
  fileName: name,
});

const hasDocument = (batch: Batch): batch is Batch & { readonly messageSha256: string } =>
  batch.messageSha256 !== null;

type Context = {
  /** The last message to the store. */
  readonly current: OutgoingMessage;
  readonly isSimulated: boolean;
};

/** `documents` are those of `documentsOf`, in its order. */
export function presentSentMessage(
  message: SentMessage,
  documents: readonly ReadDocument[],
  { current, isSimulated }: Context,
) {
  const { batch, answers } = message;
  const isOnlyInTimeline = batch === undefined && (isSimulated || answers.length > 0);
  return {
    id: message.id,
    type: typeOf(message),
    status: statusOf(message, current),
    format: isOnlyInTimeline ? 'simulated' : 'ern',
    revision: message.revision,
    created_at: message.dispatchedAt.toISOString(),
    ...(batch === undefined
      ? { ...nothingSent, acknowledgements: answers.map(presentAnswerStep) }
      : presentBatch(batch, documents)),
  };
}

const nothingSent = {
  sent_at: null,
  ern_version: null,
  delivery_type: null,
  batch_id: null,
  document: null,
  files: [],
};

function presentBatch(batch: Batch, documents: readonly ReadDocument[]) {
  const { messageSha256, messageBytes, acknowledgements } = batch;
  const answers = hasDocument(batch) ? documents.slice(1) : documents;
  return {
    sent_at: batch.completedAt?.toISOString() ?? null,
    ern_version: batch.ernVersion,
    delivery_type: batch.deliveryType,
    batch_id: batch.batchId,
    document: hasDocument(batch)
      ? { sha256: messageSha256, size_bytes: messageBytes, ...documents[0] }
      : null,
    files: [
      ...batch.files.map((file) => presentFile(file, true)),
      ...batch.unsentFiles.map((file) => presentFile(file, false)),
    ],
    acknowledgements: acknowledgements.map((each, i) => presentAcknowledgement(each, answers[i])),
  };
}

const presentFile = ({ asset_id, uri, sha256, size_bytes }: BatchFile, is_sent: boolean) => ({
  asset_id,
  uri,
  sha256,
  size_bytes,
  is_sent,
});

const presentAcknowledgement = (
  acknowledgement: BatchAcknowledgement,
  document: ReadDocument | undefined,
) => ({
  received_at: acknowledgement.received_at,
  about: acknowledgement.about ?? 'message',
  answer: acknowledgement.answer ?? null,
  statuses: acknowledgement.statuses,
  reason: acknowledgement.reason,
  proposed_action: acknowledgement.proposed_action ?? null,
  file: {
    ...presentName(acknowledgement),
    sha256: acknowledgement.sha256,
    size_bytes: acknowledgement.size_bytes ?? null,
    ...document,
  },
});

/** The name of a shared file, and what the schema says against its values, may be about others. */
const presentName = ({ name, warnings, is_readable }: BatchAcknowledgement) =>
  is_readable === true ? { name, warnings } : { name: null, warnings: [] };

/** What a simulated store said, as the timeline has it. */
const presentAnswerStep = ({ answer, at, code, reason }: AnswerStep) => ({
  received_at: at.toISOString(),
  about: 'message',
  answer,
  statuses: code === null ? [] : [code],
  reason,
  proposed_action: null,
  file: null,
});
