/** Keeps what a store answered with the message that it is about, where the partner reads it (ADR 0050). */

import { workflowOwner } from '../../kernel/actor.ts';
import { type OrgId, parseId } from '../../kernel/ids.ts';
import { comparableCode, eanOf, isEan } from '../../kernel/product-code.ts';
import type { Database, Db } from '../../platform/db/database.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { answerKey, keepXml } from '../connectors/ddex/kept-messages.ts';
import type { ReleaseReport } from '../connectors/ddex/read-reports.ts';
import type { AnswerKind } from '../domain/answer.ts';
import type { BatchAcknowledgement } from '../domain/batch.ts';
import type { MessageId } from '../domain/message.ts';
import { deliveryService } from '../messages.ts';
import { findLastSentId, noteAcknowledgement } from '../store/batches.ts';
import { findHolders, type StoreCode, storeCodeKey } from '../store/holdings.ts';
import { findMessageTargets } from '../store/messages.ts';

export type AcknowledgementOfMessage = {
  readonly stored: BatchAcknowledgement;
  readonly xml: Buffer;
  readonly signal: AbortSignal;
};

const reasonMax = 2_000;
const warningMax = 500;

const cut = (text: string, max: number): string => text.slice(0, max).toWellFormed();

/** What the store says about the release, and how its file differs from the schema. */
export const textsOf = (
  { status, fileStatuses, reason, proposedAction }: ReleaseReport,
  warnings: readonly string[],
) => ({
  statuses: [...new Set([status, ...fileStatuses])].filter((word) => word !== null),
  reason: reason === null ? null : cut(reason, reasonMax),
  proposed_action: proposedAction,
  warnings: warnings.map((warning) => cut(warning, warningMax)),
});

const idsMax = 100;

/**
 * Stores report about many releases in one file, perhaps of several organizations. The codes and ids are searched in the
 * text, because stores put them anywhere.
 */
export async function isAboutOneRelease(db: Db, text: string): Promise<boolean> {
  const numbers = new Set(text.match(/\b\d{12,13}\b/g)?.map(comparableCode));
  const codes = [...numbers].filter((number) => isEan(eanOf(number)));
  const words = [...new Set(text.match(/\bmsg_[0-9a-z]{26}\b/g))];
  if (codes.length > 1 || words.length > idsMax) return false;
  const ids = words.map((word) => parseId('msg', word)).filter((id) => id !== undefined);
  const targets = await findMessageTargets(db, ids);
  return new Set(Array.from(targets.values(), ({ orgId }) => orgId)).size <= 1;
}

/** Before its row says that it is there. Safe to repeat. */
export async function keepForPartner(
  storage: Storage,
  orgId: OrgId,
  id: MessageId,
  { stored, xml, signal }: AcknowledgementOfMessage,
): Promise<void> {
  if (stored.is_readable !== true) return;
  await keepXml(storage, answerKey(orgId, id, stored.sha256), xml, signal);
}

type KeepDeps = { readonly db: Database; readonly storage: Storage };

/** An answer that names only the release is shown with the last message that the store was sent about it. */
export async function noteUnaddressed(
  { db, storage }: KeepDeps,
  { kind, ...code }: StoreCode & { readonly kind: AnswerKind },
  file: AcknowledgementOfMessage,
): Promise<void> {
  const holder = (await findHolders(db.withoutTenant, [code])).get(storeCodeKey(code));
  if (holder === undefined) return;
  const { orgId } = holder;
  const id = await db.readOnce(orgId, (tenant) => findLastSentId(tenant, holder));
  if (id === undefined) return;
  await keepForPartner(storage, orgId, id, file);
  await db.transact(workflowOwner(orgId, deliveryService), async (tx) =>
    noteAcknowledgement(tx, id, { ...file.stored, about: 'release', answer: kind }),
  );
}
