/** The network's stores. */

import { readFile } from 'node:fs/promises';
import { findConnection } from '../../delivery/store/store-connections.ts';
import { Problem } from '../../kernel/problem.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import { seedFictionalStores } from '../../network/commands/seed-stores.ts';
import { createStore, findStore, presentStore, setStoreStatus } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  type CommandResult,
  type Commands,
  type Flags,
  type Outside,
  type PreparedCommand,
  required,
  UsageError,
} from './command.ts';
import { readDescription } from './store-description.ts';

export const networkCommands: Commands = {
  'stores seed': {
    orgOf: () => systemOrgId,
    run: (tx, _flags, { environment }) => {
      if (environment !== 'sandbox') {
        throw new Problem('invalid_state', 'Fictional stores exist only in the sandbox.');
      }
      const stores = seedFictionalStores(tx).map(({ storeId }) => storeId);
      return { auditedId: 'stores', shown: { stores } };
    },
  },
  'stores create': { orgOf: () => systemOrgId, prepare: create },
  'stores pause': { orgOf: () => systemOrgId, run: (tx, flags) => setStatus(tx, flags, 'paused') },
  // Workers find the paused deliveries within seconds (`dispatchResumedStores`).
  'stores resume': {
    orgOf: () => systemOrgId,
    run: async (tx, flags) => {
      await refuseUnreachable(tx, required(flags, 'store'));
      return setStatus(tx, flags, 'active');
    },
  },
};

/** In live a store takes batches or nothing. The sandbox can simulate it until it is connected. */
async function create(flags: Flags, { config }: Outside): Promise<PreparedCommand> {
  const connector = config.environment === 'live' ? 'ddex' : 'simulated';
  const store = readDescription(await readText(required(flags, 'file')), connector);
  const presented = presentStore(store);
  let isNew = false;
  return {
    run: async (tx) => {
      isNew = await createStore(tx, store);
      return isNew ? { auditedId: store.storeId, shown: presented } : undefined;
    },
    finish: async () => ({ created: isNew, store_id: store.storeId, name: store.name }),
  };
}

const descriptionBytesMax = 65_536;

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new UsageError(`--file: ${error instanceof Error ? error.message : 'unreadable'}`);
  });
  if (bytes.length > descriptionBytesMax)
    throw new UsageError(`--file must have at most ${descriptionBytesMax} bytes.`);
  return bytes.toString();
}

/** Every send to an active store without a connection would fail. */
async function refuseUnreachable(tx: Tx, storeId: string): Promise<void> {
  const store = await findStore(tx, storeId);
  if (store?.connector !== 'ddex' || (await findConnection(tx, storeId)) !== undefined) return;
  throw new Problem(
    'invalid_state',
    `${storeId} has no connection, so nothing could be sent to it. Set it with stores connect.`,
  );
}

async function setStatus(
  tx: Tx,
  flags: Flags,
  status: 'active' | 'paused',
): Promise<CommandResult> {
  const storeId = required(flags, 'store');
  if (!(await setStoreStatus(tx, storeId, status))) {
    throw new Problem(
      'resource_not_found',
      `No store has the store_id ${storeId}. GET /v1/stores lists the stores.`,
    );
  }
  return { auditedId: storeId, shown: { store_id: storeId, status } };
}
