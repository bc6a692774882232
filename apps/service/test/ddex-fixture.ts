/**
 * A test service whose store `aurora` is a fictional store behind a real SFTP server, connected as an operator would.
 * `exchange` lets both sides work until neither has anything to do.
 */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createValidator } from '@tonearm/ern';
import { ddexConnector } from '../src/delivery/commands/ddex-connector.ts';
import { openSchemas } from '../src/delivery/connectors/ddex/schemas.ts';
import { pollStore } from '../src/delivery/messages.ts';
import { acknowledgementWorkflow } from '../src/delivery/workflows/acknowledgements.ts';
import { type Id, toUuid } from '../src/kernel/ids.ts';
import { createIds } from '../src/platform/crypto/new-id.ts';
import { createLogger } from '../src/platform/telemetry/logger.ts';
import {
  openSftpStore,
  type SftpStore,
  type SftpStoreOptions,
} from '../src/sandbox/connectors/sftp-store/sftp-store.ts';
import { connectStore, givenFile as givenStoredFile, schemaFolder } from './ddex-given.ts';
import { startSftpServer } from './sftp-fixture.ts';
import {
  completeDraft,
  openTestService,
  type OrgClient,
  type Reply,
  trackCredits,
} from './test-service.ts';
import { openWorkerDriver } from './worker-driver.ts';

const monday = '2026-11-16T12:00:00.000Z';
const storeId = 'aurora';
const roundsMax = 20;
let nextDesignation = 1;

type Json = Reply['json'];
export type DdexFixture = Awaited<ReturnType<typeof openDdexFixture>>;

export async function openDdexFixture(
  usualPort: number,
  storeOptions: Partial<Omit<SftpStoreOptions, 'folder' | 'now'>> = {},
  settings: object = {},
) {
  const server = await startSftpServer(usualPort);
  const service = await openTestService({ now: monday });
  await service.admin('stores', 'seed');
  const { folder, connection } = await connectStore(service, server, storeId, settings);

  const logger = createLogger('silent');
  const { clock, workerDb: db, storage, keyring } = service;
  const deps = {
    db,
    storage,
    keyring,
    clock,
    newId: createIds(clock),
    ...openSchemas(schemaFolder, { isLive: false, logger }),
    logger,
  };
  const acknowledgements = acknowledgementWorkflow(deps);
  const driver = openWorkerDriver(service, { ddex: ddexConnector(deps) }, undefined, undefined, [
    acknowledgements,
  ]);
  const validator = createValidator(schemaFolder);
  const openStore = (options: typeof storeOptions = {}): SftpStore =>
    openSftpStore({ folder, now: clock.now, validator, ...storeOptions, ...options });
  const store = openStore();
  const label = await service.givenOrganization();

  /** Returns how many messages to handlers followed. */
  const poll = async (): Promise<number> => {
    await driver.handle(pollStore(storeId));
    return driver.runUntilIdle();
  };
  /** What we have to send is sent, what the store has to read is read, and its answers are applied. */
  const exchange = async (): Promise<void> => {
    for (let round = 0; round < roundsMax; round++) {
      await driver.runUntilIdle();
      const count = store.readBatches();
      const handled = await poll();
      if (count === 0 && handled === 0) return;
    }
    throw new Error('the exchange does not end');
  };

  const givenFile = (type: 'audio' | 'artwork', bytes = randomBytes(50_000)) =>
    givenStoredFile(service, label, type, bytes);
  const expect = async (status: number, ...call: Parameters<OrgClient['call']>): Promise<Json> => {
    const reply = await label.call(...call);
    assert.equal(reply.status, status, reply.text);
    return reply.json;
  };
  /** An approved release whose files are real. */
  const givenRelease = async (tracks = 2, fields: object = {}): Promise<Json> => {
    const type = tracks > 3 ? 'album' : 'single';
    const { id } = await expect(201, 'POST', '/v1/releases', completeDraft({ type, ...fields }));
    const artwork_asset_id = await givenFile('artwork');
    await expect(200, 'PATCH', `/v1/releases/${id}`, { artwork_asset_id });
    for (let number = 1; number <= tracks; number++) {
      await expect(201, 'POST', '/v1/tracks', {
        release_id: id,
        title: `Track ${number}`,
        isrc: `QZDDX26${String(nextDesignation++).padStart(5, '0')}`,
        audio_asset_id: await givenFile('audio'),
        ...trackCredits,
      });
    }
    await expect(200, 'POST', `/v1/releases/${id}/submit`);
    await driver.runUntilIdle();
    return expect(200, 'GET', `/v1/releases/${id}`);
  };
  const deliver = async (release_id: string): Promise<string> => {
    const request = { release_id, stores: [storeId], territory_codes: ['WORLDWIDE'] };
    return (await expect(201, 'POST', '/v1/deliveries', request)).id;
  };
  /** The store's share of a delivery. */
  const shareOf = async (id: string): Promise<Json> =>
    (await expect(200, 'GET', `/v1/deliveries/${id}`)).stores[0];
  const batchesOf = (id: string): Promise<Json[]> =>
    service.query('select * from store_batches where delivery_id = $1 order by batch_id', [
      toUuid(id as Id<'dlv'>),
    ]);

  return {
    service,
    server,
    label,
    folder,
    store,
    driver,
    deps,
    connection,
    exchange,
    poll,
    expect,
    givenFile,
    givenRelease,
    deliver,
    shareOf,
    batchesOf,
    close: async () => {
      validator.dispose();
      await service.close();
      await server.stop();
      server.wipe();
    },
  };
}
