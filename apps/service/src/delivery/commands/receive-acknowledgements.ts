/**
 * Reads what a store has answered: list → read → keep → end the wait of the next message → record the answers →
 * remove. Every step may be repeated: an answer that was applied changes nothing a second time.
 */

import { hash } from 'node:crypto';
import { XmlRefused } from '@tonearm/ern';
import { workflowOwner } from '../../kernel/actor.ts';
import { parseId } from '../../kernel/ids.ts';
import { findStore, type Store } from '../../network/face.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import { openTransport } from '../../platform/transport/open-transport.ts';
import type { Transport } from '../../platform/transport/transport.ts';
import { acknowledgementKey, keepXml } from '../connectors/ddex/kept-messages.ts';
import {
  acknowledgementLimits,
  readReports,
  type ReleaseReport,
} from '../connectors/ddex/read-reports.ts';
import type { Schemas } from '../connectors/ddex/schemas.ts';
import { heldAfter, toAnswer } from '../connectors/ddex/to-answer.ts';
import type { BatchAcknowledgement } from '../domain/batch.ts';
import type { MessageId } from '../domain/message.ts';
import { deliveryService, wakeDelivery } from '../messages.ts';
import { acknowledgeBatch, findBatch, findWaitingDeliveries } from '../store/batches.ts';
import { findMessageTargets } from '../store/messages.ts';
import { type DdexDeps, requireConnection } from './ddex-connector.ts';
import { type AnswerDeps, type ReceivedAnswer, recordAnswers } from './record-answers.ts';

export type ReceiveDeps = DdexDeps & AnswerDeps & Pick<Schemas, 'findAnswerErrors'>;

/** The next poll reads the others. */
const filesPerPollMax = 200;

/** Returns whether there may be more. */
export async function receiveAcknowledgements(
  deps: ReceiveDeps,
  storeId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const store = await findStore(deps.db.withoutTenant, storeId);
  if (store?.connector !== 'ddex') return false;
  const connection = await requireConnection(deps.db.withoutTenant, deps.keyring, store);
  const transport = await openTransport(connection.transport, signal);
  try {
    const folder = connection.acknowledgementFolder;
    const files = await transport.list(folder, filesPerPollMax);
    for (const { name, sizeBytes } of files.filter((file) => file.name.endsWith('.xml'))) {
      if (sizeBytes > acknowledgementLimits.bytesMax) {
        deps.logger.error({ store: storeId, file: name, sizeBytes }, 'an answer is too large');
        continue;
      }
      await receiveFile(deps, store, transport, { name, path: `${folder}/${name}`, signal });
    }
    return files.length === filesPerPollMax;
  } finally {
    await transport.close();
  }
}

type AcknowledgementFile = {
  readonly name: string;
  readonly path: string;
  readonly signal: AbortSignal;
};

async function receiveFile(
  deps: ReceiveDeps,
  store: Store,
  transport: Transport,
  { name, path, signal }: AcknowledgementFile,
): Promise<void> {
  const { storeId } = store;
  const xml = await transport.read(path, acknowledgementLimits.bytesMax);
  const sha256 = hash('sha256', xml);
  await keepXml(deps.storage, acknowledgementKey(storeId, sha256), xml, signal);
  const unreadable = await recordFile(deps, store, { name, sha256, xml });
  if (unreadable.length > 0) {
    deps.logger.error(
      { store: storeId, file: name, sha256, unreadable },
      'an answer has no message',
    );
  }
  await transport.remove(path);
}

type KeptFile = { readonly name: string; readonly sha256: string; readonly xml: Buffer };

/** Returns why parts of the file could not be used. */
async function recordFile(
  deps: ReceiveDeps,
  store: Store,
  { name, sha256, xml }: KeptFile,
): Promise<readonly string[]> {
  let reports: readonly ReleaseReport[] | undefined;
  try {
    reports = readReports(xml);
  } catch (error) {
    if (!(error instanceof XmlRefused)) throw error;
    return [error.message];
  }
  if (reports === undefined) return ['It is no acknowledgement.'];
  const warnings = (await deps.findAnswerErrors(xml.toString())).slice(0, 10);
  const problems: string[] = [];
  for (const report of reports) {
    const stored = {
      name,
      sha256,
      received_at: deps.clock.now().toISOString(),
      statuses: [report.status, ...report.fileStatuses].filter((status) => status !== null),
      reason: report.reason?.slice(0, 2_000) ?? null,
      warnings,
    };
    const problem = await recordReport(deps, store, report, stored);
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

async function recordReport(
  deps: ReceiveDeps,
  { storeId, capabilities: { confirmation } }: Store,
  report: ReleaseReport,
  stored: BatchAcknowledgement,
): Promise<string | undefined> {
  const messageId = await findOwnMessage(deps, storeId, report);
  const kind = messageId && (await acknowledge(deps, messageId, { report, stored, confirmation }));
  const content = toAnswer(report, kind, confirmation);
  if (content === undefined) return undefined;
  const answer = addressed(storeId, report, messageId, content);
  if (answer === undefined) return 'It names neither one of our messages nor a release.';
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
  readonly stored: BatchAcknowledgement;
  readonly confirmation: Store['capabilities']['confirmation'];
};

/** Ends the batch of the message, and wakes the messages that waited for it. Returns the message's kind. */
async function acknowledge(
  { db }: ReceiveDeps,
  id: MessageId,
  { report, stored, confirmation }: Acknowledged,
) {
  const target = (await findMessageTargets(db.withoutTenant, [id])).get(id);
  if (target === undefined) return undefined;
  return db.transact(workflowOwner(target.orgId, deliveryService), async (tx) => {
    const batch = await findBatch(tx, id);
    if (batch === undefined) return undefined;
    const answer = toAnswer(report, batch.kind, confirmation);
    acknowledgeBatch(tx, id, stored, heldAfter(report, answer));
    for (const deliveryId of await findWaitingDeliveries(tx, batch)) {
      enqueueDurably(tx, wakeDelivery(tx.orgId, deliveryId, 'dispatch'));
    }
    return batch.kind;
  });
}
