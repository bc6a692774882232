import { writeFile } from 'node:fs/promises';
import { createKeyUses } from '../identity/commands/record-key-uses.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { RateLimiter } from '../kernel/rate.ts';
import { createLocalLimiter } from '../platform/cache/local-limiter.ts';
import { createKeyring } from '../platform/crypto/keyring.ts';
import { createIds } from '../platform/crypto/new-id.ts';
import { openDatabase } from '../platform/db/database.ts';
import type { Server } from '../platform/http/fastify-types.ts';
import type { AnyOperation } from '../platform/http/operation.ts';
import { openDisk } from '../platform/storage/disk-storage.ts';
import { createLogger } from '../platform/telemetry/logger.ts';
import { composeApi } from './compose.ts';
import { describeApi } from './describe-api.ts';

/** The committed document has the dates of this day, so that it changes only with the code. */
const exampleNow = new Date('2026-11-16T12:00:00.000Z');

/** The composed api for its documents and pages. Nothing connects: only requests of /v1 use the database. */
export async function composeUnconnectedApi(
  limiter: (clock: Clock) => RateLimiter = createLocalLimiter,
): Promise<{ readonly server: Server; readonly close: () => Promise<void> }> {
  const clock = systemClock;
  const newId = createIds(clock);
  const db = openDatabase({
    url: 'postgres://none@127.0.0.1:1/none',
    connectionsMax: 1,
    clock,
    newId,
    onIdleError: () => undefined,
  });
  const keyring = createKeyring([{ id: 'none', secret: Buffer.alloc(32) }]);
  const server = await composeApi({
    environment: 'sandbox',
    keyring,
    logger: createLogger('silent'),
    isDraining: () => false,
    requestLog: undefined,
    limiter: limiter(clock),
    storage: openDisk({ folder: '/nowhere', url: '', clock, keyring }),
    proxyHops: 0,
    outbound: { allowHttp: true, allowLoopback: false },
    publicUrl: undefined,
    directory: db,
    keyUses: createKeyUses({ db, clock }),
    clock,
    newId,
    db,
  });
  const close = async () => {
    await server.close();
    await db.close();
  };
  return { server, close };
}

export async function listOperations(): Promise<readonly AnyOperation[]> {
  const { server, close } = await composeUnconnectedApi();
  await close();
  return server.operations;
}

export async function renderOpenApi(): Promise<string> {
  const document = describeApi(await listOperations(), exampleNow);
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

export async function runOpenApi(file: string | undefined): Promise<void> {
  const document = await renderOpenApi();
  if (file === undefined) process.stdout.write(document);
  else await writeFile(file, document);
}
