/**
 * Sends a message as a batch (`domain/batch.ts`):
 *
 *   claim: begin the batch → build → check against the schema → files → message → mark complete → manifest
 *
 * Every step may be repeated. The batch is marked as complete before its manifest is written: a message that replaces
 * this one in between waits for the store's answer, because the store may have read the manifest.
 */

import type { Logger } from 'pino';
import { workflowOwner } from '../../kernel/actor.ts';
import { addMs } from '../../kernel/duration.ts';
import type { OrgId } from '../../kernel/ids.ts';
import type { Store } from '../../network/face.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { TerminalFailure } from '../../platform/engine/workflow.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { openTransport } from '../../platform/transport/open-transport.ts';
import { WrongContent, WrongHostKey } from '../../platform/transport/transport.ts';
import type { BatchContent, BatchPlan } from '../connectors/ddex/batch-content.ts';
import { type Connection, openConnection } from '../connectors/ddex/connection.ts';
import { messageKey, keepXml } from '../connectors/ddex/kept-messages.ts';
import { runBuild } from '../connectors/ddex/run-build.ts';
import type { Schemas } from '../connectors/ddex/schemas.ts';
import { contentOfText, uploadFiles } from '../connectors/ddex/upload-batch.ts';
import type { BatchConnector, ScheduledAnswer } from '../connectors/store-connector.ts';
import type { StoreAnswer } from '../domain/answer.ts';
import { laneService } from '../messages.ts';
import { completeBatch, refuseBatch } from '../store/batches.ts';
import { findConnection } from '../store/store-connections.ts';
import { beginBatch } from './begin-batch.ts';

export type DdexDeps = Pick<Schemas, 'findSchemaErrors'> & {
  readonly db: Database;
  readonly storage: Storage;
  readonly keyring: Keyring;
  readonly logger: Logger;
};

export const ddexConnector = (deps: DdexDeps): BatchConnector => ({
  prepare: async (tx, storeMessage, store) => {
    const connection = await requireConnection(tx, deps.keyring, store);
    const batch = await beginBatch(tx, connection, storeMessage);
    const plan = { store, connection, storeMessage, batch };
    return (signal) => sendBatch(deps, tx.orgId, plan, signal);
  },
});

export async function requireConnection(
  tx: Pick<Tx, 'query'>,
  keyring: Keyring,
  store: Store,
): Promise<Connection> {
  const stored = await findConnection(tx, store.storeId);
  if (stored === undefined) throw new TerminalFailure(`${store.storeId} has no connection`);
  return openConnection(keyring, store, stored);
}

async function sendBatch(
  deps: DdexDeps,
  orgId: OrgId,
  plan: BatchPlan,
  signal: AbortSignal,
): Promise<readonly ScheduledAnswer[]> {
  const { message, storeId } = plan.storeMessage;
  const content = await runBuild(orgId, plan);
  const errors = await deps.findSchemaErrors(content.xml);
  if (errors.length > 0) {
    deps.logger.error({ message: message.id, store: storeId, errors }, 'a message is not valid');
    const refusedAt = await deps.db.transact(workflowOwner(orgId, laneService), async (tx) => {
      refuseBatch(tx, message.id);
      return tx.now;
    });
    return [{ dueAt: refusedAt, answer: refusalOf(plan, errors) }];
  }
  await keepXml(deps.storage, messageKey(orgId, message.id), content.xml, signal);
  await upload(deps, orgId, plan, content, signal).catch((error: unknown) => {
    // A retry would find the same.
    if (error instanceof WrongContent || error instanceof WrongHostKey) {
      deps.logger.error({ message: message.id, store: storeId, err: error }, 'a batch is not sent');
      throw new TerminalFailure(error.message, { cause: error });
    }
    throw error;
  });
  return [];
}

async function upload(
  { db, storage }: DdexDeps,
  orgId: OrgId,
  { connection, storeMessage }: BatchPlan,
  { paths, uploads, xml, manifest }: BatchContent,
  signal: AbortSignal,
): Promise<void> {
  const { id } = storeMessage.message;
  const transport = await openTransport(connection.transport, signal);
  try {
    await uploadFiles(transport, storage, uploads);
    const message = contentOfText(xml);
    await transport.put(paths.message, message);
    const isCurrent = await db.transact(workflowOwner(orgId, laneService), (tx) =>
      completeBatch(tx, id, {
        messageSha256: message.sha256,
        messageBytes: message.sizeBytes,
        timesOutAt: addMs(tx.now, connection.acknowledgementTimeoutMs),
      }),
    );
    if (!isCurrent) throw new TerminalFailure(`${id} was replaced while it was sent`);
    signal.throwIfAborted();
    await transport.put(paths.manifest, contentOfText(manifest));
  } finally {
    await transport.close();
  }
}

/** The release cannot be said in the store's version of the standard, or we say it wrongly: somebody must correct it. */
const refusalOf = (
  { storeMessage: { message } }: BatchPlan,
  errors: readonly string[],
): StoreAnswer => ({
  messageId: message.id,
  kind: message.kind === 'takedown' ? 'removal_refused' : 'rejected',
  rejection: { code: 'message_invalid', reason: errors.slice(0, 5).join(' ').slice(0, 2_000) },
});
