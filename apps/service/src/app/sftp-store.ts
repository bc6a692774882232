/** The store role, of the sandbox only: a fictional store that takes DDEX batches over SFTP (ADR 0049). */

import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createValidator } from '@tonearm/ern';
import { systemClock } from '../kernel/clock.ts';
import { createLogger } from '../platform/telemetry/logger.ts';
import { createBookServer } from '../sandbox/connectors/sftp-store/book-server.ts';
import { openJournal } from '../sandbox/connectors/sftp-store/journal.ts';
import { startSftpServer } from '../sandbox/connectors/sftp-store/sftp-server.ts';
import { openSftpStore } from '../sandbox/connectors/sftp-store/sftp-store.ts';
import { openStoreKeys } from '../sandbox/connectors/sftp-store/store-keys.ts';
import {
  sftpUser,
  storeConnection,
  storeDescription,
} from '../sandbox/connectors/sftp-store/store-sheet.ts';
import type { SftpStoreConfig } from './config/sftp-store.ts';
import { onShutdown } from './shutdown.ts';

const readEveryMs = 1_000;

export async function runSftpStore(config: SftpStoreConfig): Promise<void> {
  const logger = createLogger(config.logLevel);
  const inbox = join(config.folder, 'files');
  mkdirSync(inbox, { recursive: true, mode: 0o700 });
  const validator =
    config.ddexSchemaFolder === undefined ? undefined : createValidator(config.ddexSchemaFolder);
  if (validator === undefined)
    logger.warn('DDEX_SCHEMA_DIR is not set: messages are not checked against the schema');
  const store = openSftpStore({
    folder: inbox,
    validator,
    now: systemClock.now,
    journal: openJournal(join(config.folder, 'book.jsonl')),
    removesRead: true,
  });
  const keys = openStoreKeys(config.folder);
  const { host } = config;
  const sftp = await startSftpServer({
    host,
    port: config.port,
    folder: inbox,
    user: sftpUser,
    hostKey: keys.hostKey,
    userKey: keys.userKey,
    onError: (error) => logger.warn({ err: error }, 'a connection failed'),
  });
  const { port } = sftp;
  const hostKey = keys.hostKeyFingerprint;
  writeSheet(config.folder, 'store.json', storeDescription);
  writeSheet(config.folder, 'connection.json', storeConnection({ host, port, hostKey }));

  let problem: string | undefined;
  const readBatches = () => {
    try {
      store.readBatches();
      problem = undefined;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
      logger.error({ err: error }, 'batches cannot be read');
    }
  };
  const reading = setInterval(readBatches, readEveryMs);
  const book = createBookServer({ store, now: systemClock.now, problem: () => problem });
  book.listen(config.bookPort, host);
  await once(book, 'listening');
  const bookUrl = `http://${host}:${(book.address() as AddressInfo).port}`;
  logger.info({ host, port, bookUrl, releases: store.book().size }, 'taking batches');
  onShutdown(async () => {
    clearInterval(reading);
    book.closeAllConnections();
    book.close();
    await sftp.close();
    validator?.dispose();
    logger.info('shut down');
  });
}

const writeSheet = (folder: string, name: string, sheet: object): void =>
  writeFileSync(join(folder, name), `${JSON.stringify(sheet, undefined, 2)}\n`, { mode: 0o600 });
