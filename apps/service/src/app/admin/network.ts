/** The network's stores. */

import { readFile } from 'node:fs/promises';
import { findConnection } from '../../delivery/store/store-connections.ts';
import { Problem } from '../../kernel/problem.ts';
import { seedFictionalStores } from '../../network/commands/seed-stores.ts';
import {
  createStore,
  findStore,
  payOnValues,
  presentStore,
  setGenres,
  setPayOn,
  setReportDueDays,
  setStoreStatus,
} from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  command,
  type CommandResult,
  type Commands,
  ofPlatform,
  type Outside,
  type PreparedCommand,
} from './command.ts';
import { choice, file, integer, storeId } from './flag-types.ts';
import { required, UsageError } from './flag.ts';
import { readDescription, readGenreNames } from './store-description.ts';

const dueDaysMax = 400;

const store = required(storeId);

export const networkCommands: Commands = {
  'stores seed': command({
    summary: "add or update the sandbox's fictional stores",
    flags: {},
    orgOf: ofPlatform,
    run: (tx, _flags, { environment }) => {
      if (environment !== 'sandbox') {
        throw new Problem('invalid_state', 'Fictional stores exist only in the sandbox.');
      }
      const stores = seedFictionalStores(tx).map((each) => each.storeId);
      return { auditedId: 'stores', shown: { stores } };
    },
  }),
  'stores create': command({
    summary: 'add a store, which is paused until you resume it',
    flags: { file: required(file('STORE.json')) },
    orgOf: ofPlatform,
    prepare: (flags, outside) => create(flags.file, outside),
  }),
  'stores pause': command({
    summary: 'pause deliveries to this store',
    flags: { store },
    orgOf: ofPlatform,
    run: (tx, flags) => setStatus(tx, flags.store, 'paused'),
  }),
  // Workers find the paused deliveries within seconds (`dispatchResumedStores`).
  'stores resume': command({
    summary: 'resume deliveries to this store',
    flags: { store },
    orgOf: ofPlatform,
    run: async (tx, flags) => {
      await refuseUnreachable(tx, flags.store);
      return setStatus(tx, flags.store, 'active');
    },
  }),
  'stores genres': command({
    summary: 'set how a store names genres',
    flags: { store, file: required(file('GENRES.json')) },
    orgOf: ofPlatform,
    prepare: async (flags) => {
      const genres = readGenreNames(await readText(flags.file));
      return {
        run: async (tx) => {
          const before = await setGenres(tx, flags.store, genres);
          if (before === undefined) throw storeNotFound(flags.store);
          return {
            auditedId: flags.store,
            before: { store_id: flags.store, genres: before },
            shown: { store_id: flags.store, genres },
          };
        },
      };
    },
  }),
  'stores pay-on': command({
    summary: 'set when reports of this store may enter a run',
    flags: { store, on: required(choice(payOnValues)) },
    orgOf: ofPlatform,
    run: async (tx, flags) => {
      const before = await setPayOn(tx, flags.store, flags.on);
      if (before === undefined) throw storeNotFound(flags.store);
      return {
        auditedId: flags.store,
        before: { store_id: flags.store, pay_on: before },
        shown: { store_id: flags.store, pay_on: flags.on },
      };
    },
  }),
  'stores report-due': command({
    summary: 'set how many days after a month the store reports it',
    flags: { store, days: required(integer('DAYS', dueDaysMax)) },
    orgOf: ofPlatform,
    run: async (tx, flags) => {
      const before = await setReportDueDays(tx, flags.store, flags.days);
      if (before === undefined) throw storeNotFound(flags.store);
      return {
        auditedId: flags.store,
        before: { store_id: flags.store, report_due_days: before },
        shown: { store_id: flags.store, report_due_days: flags.days },
      };
    },
  }),
};

export const storeNotFound = (id: string): Problem =>
  new Problem(
    'resource_not_found',
    `No store has the store_id ${id}. GET /v1/stores lists the stores.`,
  );

/** In live a store takes batches or nothing. The sandbox can simulate it until it is connected. */
async function create(path: string, { config }: Outside): Promise<PreparedCommand> {
  const connector = config.environment === 'live' ? 'ddex' : 'simulated';
  const described = readDescription(await readText(path), connector);
  const presented = presentStore(described);
  let isNew = false;
  return {
    run: async (tx) => {
      isNew = await createStore(tx, described);
      return isNew ? { auditedId: described.storeId, shown: presented } : undefined;
    },
    finish: async () => ({ created: isNew, store_id: described.storeId, name: described.name }),
  };
}

const descriptionBytesMax = 65_536;

async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new UsageError(`--file: ${error instanceof Error ? error.message : 'unreadable'}`);
  });
  if (bytes.length > descriptionBytesMax)
    throw new UsageError(`--file must have at most ${descriptionBytesMax} bytes.`);
  return bytes.toString();
}

/** Every send to an active store without a connection would fail. */
async function refuseUnreachable(tx: Tx, id: string): Promise<void> {
  const found = await findStore(tx, id);
  if (found?.connector !== 'ddex' || (await findConnection(tx, id)) !== undefined) return;
  throw new Problem(
    'invalid_state',
    `${id} has no connection, so nothing could be sent to it. Set it with stores connect.`,
  );
}

async function setStatus(tx: Tx, id: string, status: 'active' | 'paused'): Promise<CommandResult> {
  if (!(await setStoreStatus(tx, id, status))) throw storeNotFound(id);
  return { auditedId: id, shown: { store_id: id, status } };
}
