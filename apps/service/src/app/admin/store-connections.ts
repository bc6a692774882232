/** How stores are reached: their settings and secrets, and a test of both. */

import { hash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { settingsProblem } from '../../delivery/connectors/ddex/connection-settings.ts';
import { openConnection, sealSecret } from '../../delivery/connectors/ddex/connection.ts';
import { acknowledgementKey } from '../../delivery/connectors/ddex/kept-messages.ts';
import { findConnection, putConnection } from '../../delivery/store/store-connections.ts';
import { findPoll } from '../../delivery/store/store-polls.ts';
import { dismissUnusable, listUnusable } from '../../delivery/store/unusable-acknowledgements.ts';
import { Problem } from '../../kernel/problem.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import { findStore, setConnector, type Store } from '../../network/face.ts';
import { createKeyring, type Keyring } from '../../platform/crypto/keyring.ts';
import type { Db } from '../../platform/db/database.ts';
import { openTransport, type TransportSettings } from '../../platform/transport/open-transport.ts';
import type { AdminConfig } from '../config/admin.ts';
import {
  type Commands,
  type Flags,
  type Outside,
  type PreparedCommand,
  required,
  UsageError,
} from './command.ts';

const testTimeoutMs = 60_000;
const secretBytesMax = 16_384;

export const storeConnectionCommands: Commands = {
  'stores connect': { orgOf: () => systemOrgId, prepare: connect },
  'stores connection': {
    orgOf: () => systemOrgId,
    run: async (tx, flags) => {
      const storeId = required(flags, 'store');
      const { settings } = await requireStored(tx, storeId);
      return { auditedId: storeId, shown: { store_id: storeId, settings } };
    },
  },
  'stores health': {
    orgOf: () => systemOrgId,
    run: async (tx, flags) => {
      const { storeId } = await requireStore(tx, flags);
      const poll = await findPoll(tx, storeId);
      const unusable = await listUnusable(tx, storeId);
      return {
        auditedId: storeId,
        shown: {
          store_id: storeId,
          reached_at: poll?.reached_at ?? null,
          failing_since: poll?.failing_since ?? null,
          failure: poll?.failure ?? null,
          reason: poll?.reason ?? null,
          unusable_acknowledgements: unusable.map((file) => ({
            ...file,
            size_bytes: Number(file.size_bytes),
            kept_at: file.sha256 === null ? null : acknowledgementKey(storeId, file.sha256),
          })),
        },
      };
    },
  },
  'stores dismiss': {
    orgOf: () => systemOrgId,
    run: async (tx, flags) => {
      const { storeId } = await requireStore(tx, flags);
      const dismissed = await dismissUnusable(tx, storeId, flags['name']);
      return { auditedId: storeId, shown: { store_id: storeId, dismissed } };
    },
  },
  'stores test': { orgOf: () => systemOrgId, prepare: test },
  'stores disconnect': {
    orgOf: () => systemOrgId,
    run: async (tx, flags, { environment }) => {
      if (environment !== 'sandbox')
        throw new Problem(
          'invalid_state',
          'Only the sandbox can simulate a store. Pause it instead.',
        );
      const { storeId, connector: before } = await requireStore(tx, flags);
      await setConnector(tx, storeId, 'simulated');
      return {
        auditedId: storeId,
        before: { store_id: storeId, connector: before },
        shown: { store_id: storeId, connector: 'simulated' },
      };
    },
  },
};

async function connect(flags: Flags, { config, read }: Outside): Promise<PreparedCommand> {
  const keyring = requireKeyring(config);
  const { storeId } = await read((db) => requireStore(db, flags));
  const settings = await readSettings(required(flags, 'file'));
  const secret = await readFile(required(flags, 'secret-file'));
  if (secret.length === 0 || secret.length > secretBytesMax)
    throw new UsageError('--secret-file must have 1 to 16,384 bytes.');
  const shown = { store_id: storeId, connector: 'ddex', settings };
  return {
    run: async (tx) => {
      const stored = await findConnection(tx, storeId);
      putConnection(tx, storeId, {
        settings,
        secret: sealSecret(keyring, storeId, Buffer.from(secret.toString().trimEnd() + '\n')),
      });
      await setConnector(tx, storeId, 'ddex');
      const before = stored && { store_id: storeId, settings: stored.settings };
      return { auditedId: storeId, before, shown };
    },
    finish: async () => shown,
  };
}

async function readSettings(file: string): Promise<unknown> {
  let settings: unknown;
  try {
    settings = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--file: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
  const problem = settingsProblem(settings);
  if (problem !== undefined) throw new UsageError(`--file: ${problem}`);
  return settings;
}

/** The probe has a name that no store takes for a batch. */
async function test(flags: Flags, { config, read }: Outside): Promise<PreparedCommand> {
  const keyring = requireKeyring(config);
  const { store, stored } = await read(async (db) => {
    const found = await requireStore(db, flags);
    return { store: found, stored: await requireStored(db, found.storeId) };
  });
  const { transport, acknowledgementFolder } = await openConnection(keyring, store, stored);
  const started = Date.now();
  const waiting = await probe(transport, acknowledgementFolder);
  const shown = {
    store_id: store.storeId,
    transport: transport.kind,
    steps: ['connected', 'wrote', 'read', 'removed'],
    acknowledgements_waiting: waiting,
    milliseconds: Date.now() - started,
  };
  return {
    run: () => ({ auditedId: store.storeId, shown }),
    finish: async () => shown,
  };
}

const acknowledgementsCountedMax = 1_000;

async function probe(settings: TransportSettings, folder: string): Promise<number> {
  const bytes = Buffer.from(`Tonearm tests this connection: ${randomUUID()}\n`);
  const name = `tonearm-probe-${randomUUID()}.txt`;
  const transport = await openTransport(settings, AbortSignal.timeout(testTimeoutMs));
  try {
    await transport.put(name, {
      open: async () => Readable.from([bytes]),
      sizeBytes: bytes.length,
      sha256: hash('sha256', bytes),
    });
    const found = await transport.read(name, bytes.length);
    await transport.remove(name);
    if (!found.equals(bytes)) throw new Problem('invalid_state', 'The store returned other bytes.');
    return (await transport.list(folder, acknowledgementsCountedMax)).length;
  } finally {
    await transport.close();
  }
}

function requireKeyring({ keys }: AdminConfig): Keyring {
  if (keys === undefined)
    throw new UsageError('TONEARM_KEYS is not set: it seals the secrets of stores.');
  return createKeyring(keys);
}

async function requireStore(db: Db, flags: Flags): Promise<Store> {
  const storeId = required(flags, 'store');
  const store = await findStore(db, storeId);
  if (store !== undefined) return store;
  throw new Problem(
    'resource_not_found',
    `No store has the store_id ${storeId}. GET /v1/stores lists the stores.`,
  );
}

async function requireStored(db: Db, storeId: string) {
  const stored = await findConnection(db, storeId);
  if (stored !== undefined) return stored;
  throw new Problem(
    'resource_not_found',
    `${storeId} has no connection. Set it with stores connect.`,
  );
}
