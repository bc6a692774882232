/** Records what an acknowledgement says: ends the wait of the next message, and stores the answers. */

import { XmlRefused } from '@tonearm/ern';
import { workflowOwner } from '../../kernel/actor.ts';
import { parseId } from '../../kernel/ids.ts';
import type { Store } from '../../network/face.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import { readReports, type ReleaseReport } from '../connectors/ddex/read-reports.ts';
import type { Schemas } from '../connectors/ddex/schemas.ts';
import { heldAfter, toAnswer } from '../connectors/ddex/to-answer.ts';
import type { BatchAcknowledgement } from '../domain/batch.ts';
import type { MessageId } from '../domain/message.ts';
import { deliveryService, wakeDelivery } from '../messages.ts';
import { acknowledgeBatch, findBatch, findWaitingDeliveries } from '../store/batches.ts';
import { findMessageTargets } from '../store/messages.ts';
import type { UnusableAcknowledgement } from '../store/unusable-acknowledgements.ts';
import type { DdexDeps } from './ddex-connector.ts';
import {
  type AcknowledgementOfMessage,
  isAboutOneRelease,
  keepForPartner,
  noteUnaddressed,
  textsOf,
} from './keep-acknowledgement.ts';
import { type AnswerDeps, type ReceivedAnswer, recordAnswers } from './record-answers.ts';

export type ReceiveDeps = DdexDeps & AnswerDeps & Pick<Schemas, 'findAnswerErrors'>;

type Unusable = Pick<UnusableAcknowledgement, 'problem' | 'reason'>;

export type KeptFile = {
  readonly name: string;
  readonly sha256: string;
  readonly xml: Buffer;
  readonly signal: AbortSignal;
};

/** Returns why the file, or a part of it, could not be used. */
export async function recordAcknowledgement(
  deps: ReceiveDeps,
  store: Store,
  { name, sha256, xml, signal }: KeptFile,
): Promise<Unusable | undefined> {
  const reports = readOrRefuse(xml);
  if (typeof reports === 'string') return { problem: 'not_understood', reason: reports };
  const warnings = await findWarnings(deps, xml);
  const isReadable = await isAboutOneRelease(deps.db.withoutTenant, xml.toString());
  const problems: string[] = [];
  for (const report of reports) {
    const stored: BatchAcknowledgement = {
      name,
      sha256,
      size_bytes: xml.length,
      received_at: deps.clock.now().toISOString(),
      ...textsOf(report, warnings),
      is_readable: isReadable,
    };
    const problem = await recordReport(deps, store, report, { stored, xml, signal });
    if (problem !== undefined) problems.push(problem);
  }
  return problems.length === 0
    ? undefined
    : { problem: 'unmatched', reason: [...new Set(problems)].join(' ') };
}

/** The reports, or why there are none. */
function readOrRefuse(xml: Buffer): readonly ReleaseReport[] | string {
  try {
    return readReports(xml) ?? 'It is no acknowledgement.';
  } catch (error) {
    if (error instanceof XmlRefused) return error.message;
    // A defect of the reader. The file is kept; if it stayed at the store, it would hold up all others for ever.
    return `The reader failed: ${error instanceof Error ? error.message : 'unknown error'}.`;
  }
}

const warningsMax = 10;

/** How the file differs from its schema. Nothing depends on it, so a schema that cannot be used is a warning too. */
async function findWarnings({ findAnswerErrors }: ReceiveDeps, xml: Buffer) {
  try {
    return (await findAnswerErrors(xml.toString())).slice(0, warningsMax);
  } catch (error) {
    return [`It was not compared with its schema: ${error instanceof Error ? error.message : ''}`];
  }
}

async function recordReport(
  deps: ReceiveDeps,
  { storeId, capabilities: { confirmation } }: Store,
  report: ReleaseReport,
  file: AcknowledgementOfMessage,
): Promise<string | undefined> {
  const messageId = await findOwnMessage(deps, storeId, report);
  const kind = messageId && (await acknowledge(deps, messageId, { report, file, confirmation }));
  const content = toAnswer(report, kind, confirmation);
  if (content === undefined) return undefined;
  const answer = addressed(storeId, report, messageId, content);
  if (answer === undefined) return 'It names neither one of our messages nor a release.';
  if ('code' in answer) await noteUnaddressed(deps, answer, file);
  const unknown = await recordAnswers(deps, [answer]);
  return unknown.length === 0 ? undefined : `No release has the code ${report.productCode}.`;
}

/** By the message, or, months later, by the release and the store. */
function addressed(
  storeId: string,
  { productCode }: ReleaseReport,
  messageId: MessageId | undefined,
  content: ReturnType<typeof toAnswer> & object,
): ReceivedAnswer | undefined {
  if (messageId !== undefined) return { ...content, messageId };
  return productCode === null ? undefined : { ...content, storeId, code: productCode };
}

/** A store cannot answer a message to another store. */
async function findOwnMessage(
  { db }: ReceiveDeps,
  storeId: string,
  { messageIds }: ReleaseReport,
): Promise<MessageId | undefined> {
  const ids = messageIds.map((text) => parseId('msg', text)).filter((id) => id !== undefined);
  const targets = await findMessageTargets(db.withoutTenant, ids);
  return ids.find((id) => targets.get(id)?.storeId === storeId);
}

type Acknowledged = {
  readonly report: ReleaseReport;
  readonly file: AcknowledgementOfMessage;
  readonly confirmation: Store['capabilities']['confirmation'];
};

/** Ends the batch of the message, and wakes the messages that waited for it. Returns the message's kind. */
async function acknowledge(
  { db, storage }: ReceiveDeps,
  id: MessageId,
  { report, file, confirmation }: Acknowledged,
) {
  const target = (await findMessageTargets(db.withoutTenant, [id])).get(id);
  if (target === undefined) return undefined;
  await keepForPartner(storage, target.orgId, id, file);
  return db.transact(workflowOwner(target.orgId, deliveryService), async (tx) => {
    const batch = await findBatch(tx, id);
    if (batch === undefined) return undefined;
    const answer = toAnswer(report, batch.kind, confirmation);
    const stored = { ...file.stored, about: 'message', answer: answer?.kind ?? null } as const;
    acknowledgeBatch(tx, id, stored, heldAfter(report, answer));
    for (const deliveryId of await findWaitingDeliveries(tx, batch)) {
      enqueueDurably(tx, wakeDelivery(tx.orgId, deliveryId, 'dispatch'));
    }
    return batch.kind;
  });
}
