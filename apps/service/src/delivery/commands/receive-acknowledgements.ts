/**
 * Reads what a store has answered: list → read → keep → end the wait of the next message → record the answers →
 * remove. Every step may be repeated: an answer that was applied changes nothing a second time. A file that cannot be
 * used is recorded for the operator, and holds up no other.
 */

import { hash } from 'node:crypto';
import { findStore, type Store } from '../../network/face.ts';
import { contactFailureOf } from '../../platform/transport/contact-failure.ts';
import { openTransport } from '../../platform/transport/open-transport.ts';
import type { RemoteFile, Transport } from '../../platform/transport/transport.ts';
import type { Connection } from '../connectors/ddex/connection.ts';
import { acknowledgementKey, keepXml } from '../connectors/ddex/kept-messages.ts';
import { acknowledgementLimits } from '../connectors/ddex/read-reports.ts';
import { type PollFailure, recordPollFailure, recordReached } from '../store/store-polls.ts';
import {
  listTooLarge,
  recordUnusable,
  type UnusableAcknowledgement,
} from '../store/unusable-acknowledgements.ts';
import { requireConnection } from './ddex-connector.ts';
import { type ReceiveDeps, recordAcknowledgement } from './record-acknowledgement.ts';

/** The next poll reads the others. */
const filesPerPollMax = 200;
/** Files that cannot be used stay in the folder, and the others are found behind them. */
const listedMax = 10_000;
/** Files that a poll tries to read: some may have to stay at the store, each at the cost of a request. */
const triesPerPollMax = 1_000;
/** A poll names at most this many files that are too large, so that thousands of them take no minutes. */
const largePerPollMax = 100;

type Poll = {
  readonly deps: ReceiveDeps;
  readonly store: Store;
  readonly transport: Transport;
  readonly folder: string;
  readonly signal: AbortSignal;
};

/** One round: returns whether there may be more. */
export async function receiveAcknowledgements(
  deps: ReceiveDeps,
  storeId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const store = await findStore(deps.db.withoutTenant, storeId);
  if (store?.connector !== 'ddex') return false;
  const connection = await orFail(deps, storeId, 'misconfigured', () =>
    requireConnection(deps.db.withoutTenant, deps.keyring, store),
  );
  const { transport, files } = await contact(deps, storeId, connection, signal);
  try {
    const folder = connection.acknowledgementFolder;
    return await receiveFiles({ deps, store, transport, folder, signal }, files);
  } finally {
    await transport.close();
  }
}

/** Opens the connection and lists the folder. */
async function contact(
  deps: ReceiveDeps,
  storeId: string,
  { transport: settings, acknowledgementFolder }: Connection,
  signal: AbortSignal,
) {
  return orFail(deps, storeId, contactFailureOf, async () => {
    const transport = await openTransport(settings, signal);
    try {
      return { transport, files: await transport.list(acknowledgementFolder, listedMax) };
    } catch (error) {
      await transport.close();
      throw error;
    }
  });
}

/** Records that the store could not be reached, and why. */
async function orFail<T>(
  { db, clock }: ReceiveDeps,
  storeId: string,
  failureOf: PollFailure | ((error: unknown) => PollFailure),
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const failure = typeof failureOf === 'string' ? failureOf : failureOf(error);
    const reason = error instanceof Error ? error.message : String(error);
    await recordPollFailure(db.withoutTenant, storeId, { failure, reason, now: clock.now() });
    throw error;
  }
}

/** Returns whether there may be more. */
export async function receiveFiles(poll: Poll, files: readonly RemoteFile[]): Promise<boolean> {
  const { db, clock } = poll.deps;
  const { storeId } = poll.store;
  const now = clock.now();
  const answers = files.filter(({ name }) => name.endsWith('.xml'));
  const large = answers.filter(isTooLarge);
  await noteLarge(poll, large);
  if (files.length === listedMax && answers.length === large.length) {
    const reason = `The first ${listedMax} files of the folder cannot be used. Remove them at the store.`;
    await recordPollFailure(db.withoutTenant, storeId, { failure: 'folder_full', reason, now });
    return false;
  }
  await recordReached(db.withoutTenant, storeId, now);
  let received = 0;
  const readable = answers.filter((file) => !isTooLarge(file));
  for (const file of readable.slice(0, triesPerPollMax)) {
    if (await receiveFile(poll, file)) received += 1;
    if (received === filesPerPollMax) return true;
  }
  return false;
}

async function noteLarge(poll: Poll, files: readonly RemoteFile[]): Promise<void> {
  if (files.length === 0) return;
  const known = await listTooLarge(poll.deps.db.withoutTenant, poll.store.storeId);
  const found = files.filter(({ name }) => !known.has(name));
  for (const file of found.slice(0, largePerPollMax)) await noteUnusable(poll, file, tooLarge);
}

const isTooLarge = ({ sizeBytes }: RemoteFile): boolean =>
  sizeBytes > acknowledgementLimits.bytesMax;

const tooLarge: Problem = {
  problem: 'too_large',
  reason: `It has more than ${acknowledgementLimits.bytesMax} bytes. It was not read, and is still at the store.`,
  sha256: null,
};

/** Returns whether the file was read, and removed at the store. */
async function receiveFile(poll: Poll, file: RemoteFile): Promise<boolean> {
  const { deps, store, transport, signal } = poll;
  const path = `${poll.folder}/${file.name}`;
  const xml = await ofThisFile(poll, path, () =>
    transport.read(path, acknowledgementLimits.bytesMax),
  );
  if (xml === undefined) return false;
  if (xml instanceof Error) {
    await noteUnusable(poll, file, { problem: 'not_readable', reason: xml.message, sha256: null });
    return false;
  }
  const sha256 = hash('sha256', xml);
  await keepXml(deps.storage, acknowledgementKey(store.storeId, sha256), xml, signal);
  const unusable = await recordAcknowledgement(deps, store, {
    name: file.name,
    sha256,
    xml,
    signal,
  });
  if (unusable !== undefined) await noteUnusable(poll, file, { ...unusable, sha256 });
  const removed = await ofThisFile(poll, path, () => transport.remove(path));
  if (removed instanceof Error) {
    const reason = `It was read, but cannot be removed: ${removed.message}`;
    await noteUnusable(poll, file, { problem: 'not_removable', reason, sha256 });
  }
  return !(removed instanceof Error);
}

/** An error that is about this file is returned; one of the connection is thrown. Undefined if the file is gone. */
async function ofThisFile<T>(
  { transport, signal }: Poll,
  path: string,
  work: () => Promise<T>,
): Promise<T | Error | undefined> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if ((await transport.find(path)) === undefined) return undefined;
    return error instanceof Error ? error : new Error(String(error));
  }
}

type Problem = Pick<UnusableAcknowledgement, 'problem' | 'reason' | 'sha256'>;

/** Once for each file, however often it is found. */
async function noteUnusable(
  { deps: { db, clock, logger }, store: { storeId } }: Poll,
  { name, sizeBytes }: RemoteFile,
  problem: Problem,
): Promise<void> {
  const unusable = { name, sizeBytes, ...problem };
  const isNew = await recordUnusable(db.withoutTenant, storeId, unusable, clock.now());
  if (isNew) logger.error({ store: storeId, ...unusable }, 'an answer cannot be used');
}
