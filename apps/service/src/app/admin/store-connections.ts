/** How stores are reached: their settings and secrets, and a test of both. */

import { readFile } from 'node:fs/promises';
import { settingsProblem } from '../../delivery/connectors/ddex/connection-settings.ts';
import { openConnection, sealSecret } from '../../delivery/connectors/ddex/connection.ts';
import { acknowledgementKey } from '../../delivery/connectors/ddex/kept-messages.ts';
import { findConnection, putConnection } from '../../delivery/store/store-connections.ts';
import { findPoll } from '../../delivery/store/store-polls.ts';
import { dismissUnusable, listUnusable } from '../../delivery/store/unusable-acknowledgements.ts';
import { Problem } from '../../kernel/problem.ts';
import { findStore, setConnector, type Store } from '../../network/face.ts';
import { createKeyring, type Keyring } from '../../platform/crypto/keyring.ts';
import type { Db } from '../../platform/db/database.ts';
import type { AdminConfig } from '../config/admin.ts';
import {
  command,
  type Commands,
  ofPlatform,
  onlyReads,
  type Outside,
  type PreparedCommand,
} from './command.ts';
import { file, storeId, text } from './flag-types.ts';
import { optional, required, UsageError } from './flag.ts';
import { storeNotFound } from './network.ts';
import { probeConnection } from './probe-connection.ts';

const secretBytesMax = 16_384;

const store = required(storeId);

export const storeConnectionCommands: Commands = {
  'stores connect': command({
    summary: 'set how a store is reached and wants its messages',
    flags: {
      store,
      file: required(file('SETTINGS.json')),
      'secret-file': required(
        file(),
        'with the private key (SFTP) or the secret access key (S3), which is sealed with TONEARM_KEYS',
      ),
    },
    orgOf: ofPlatform,
    prepare: connect,
  }),
  'stores connection': command({
    summary: 'show the connection of a store, without the secret',
    flags: { store },
    noDryRun: onlyReads,
    orgOf: ofPlatform,
    run: async (tx, flags) => {
      const { settings } = await requireStored(tx, flags.store);
      return { auditedId: flags.store, shown: { store_id: flags.store, settings } };
    },
  }),
  'stores test': command({
    summary: 'try the connection: write, read and remove a file',
    flags: { store },
    noDryRun: 'it writes to the store',
    orgOf: ofPlatform,
    prepare: test,
  }),
  'stores health': command({
    summary: 'show whether the store is reached, and its files that could not be used',
    flags: { store },
    noDryRun: onlyReads,
    orgOf: ofPlatform,
    run: async (tx, flags) => {
      const { storeId: id } = await requireStore(tx, flags.store);
      const poll = await findPoll(tx, id);
      const unusable = await listUnusable(tx, id);
      return {
        auditedId: id,
        shown: {
          store_id: id,
          reached_at: poll?.reached_at ?? null,
          failing_since: poll?.failing_since ?? null,
          failure: poll?.failure ?? null,
          reason: poll?.reason ?? null,
          unusable_acknowledgements: unusable.map((each) => ({
            ...each,
            size_bytes: Number(each.size_bytes),
            kept_at: each.sha256 === null ? null : acknowledgementKey(id, each.sha256),
          })),
        },
      };
    },
  }),
  'stores dismiss': command({
    summary: 'forget the files that could not be used, or one of them',
    flags: { store, name: optional(text('NAME')) },
    orgOf: ofPlatform,
    run: async (tx, flags) => {
      const { storeId: id } = await requireStore(tx, flags.store);
      const dismissed = await dismissUnusable(tx, id, flags.name);
      return { auditedId: id, shown: { store_id: id, dismissed } };
    },
  }),
  'stores disconnect': command({
    summary: 'simulate the store again, in the sandbox only',
    flags: { store },
    orgOf: ofPlatform,
    run: async (tx, flags, { environment }) => {
      if (environment !== 'sandbox')
        throw new Problem(
          'invalid_state',
          'Only the sandbox can simulate a store. Pause it instead.',
        );
      const { storeId: id, connector: before } = await requireStore(tx, flags.store);
      await setConnector(tx, id, 'simulated');
      return {
        auditedId: id,
        before: { store_id: id, connector: before },
        shown: { store_id: id, connector: 'simulated' },
      };
    },
  }),
};

type ConnectFlags = {
  readonly store: string;
  readonly file: string;
  readonly 'secret-file': string;
};

async function connect(flags: ConnectFlags, { config, read }: Outside): Promise<PreparedCommand> {
  const keyring = requireKeyring(config);
  const { storeId: id } = await read((db) => requireStore(db, flags.store));
  const settings = await readSettings(flags.file);
  const secret = await readFile(flags['secret-file']);
  if (secret.length === 0 || secret.length > secretBytesMax)
    throw new UsageError('--secret-file must have 1 to 16,384 bytes.');
  return {
    run: async (tx) => {
      const stored = await findConnection(tx, id);
      putConnection(tx, id, {
        settings,
        secret: sealSecret(keyring, id, Buffer.from(secret.toString().trimEnd() + '\n')),
      });
      await setConnector(tx, id, 'ddex');
      const before = stored && { store_id: id, settings: stored.settings };
      return { auditedId: id, before, shown: { store_id: id, connector: 'ddex', settings } };
    },
  };
}

async function readSettings(path: string): Promise<unknown> {
  let settings: unknown;
  try {
    settings = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`--file: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
  const problem = settingsProblem(settings);
  if (problem !== undefined) throw new UsageError(`--file: ${problem}`);
  return settings;
}

async function test(
  flags: { readonly store: string },
  { config, read }: Outside,
): Promise<PreparedCommand> {
  const keyring = requireKeyring(config);
  const { found, stored } = await read(async (db) => ({
    found: await requireStore(db, flags.store),
    stored: await requireStored(db, flags.store),
  }));
  const { transport, acknowledgementFolder } = await openConnection(keyring, found, stored);
  const started = Date.now();
  const waiting = await probeConnection(transport, acknowledgementFolder);
  const shown = {
    store_id: found.storeId,
    transport: transport.kind,
    steps: ['connected', 'wrote', 'read', 'removed'],
    acknowledgements_waiting: waiting,
    milliseconds: Date.now() - started,
  };
  return { run: () => ({ auditedId: found.storeId, shown }) };
}

function requireKeyring({ keys }: AdminConfig): Keyring {
  if (keys === undefined)
    throw new UsageError('TONEARM_KEYS is not set: it seals the secrets of stores.');
  return createKeyring(keys);
}

async function requireStore(db: Db, id: string): Promise<Store> {
  const found = await findStore(db, id);
  if (found === undefined) throw storeNotFound(id);
  return found;
}

async function requireStored(db: Db, id: string) {
  const stored = await findConnection(db, id);
  if (stored !== undefined) return stored;
  throw new Problem('resource_not_found', `${id} has no connection. Set it with stores connect.`);
}
