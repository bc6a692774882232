import { writeFile } from 'node:fs/promises';
import { systemClock } from '../kernel/clock.ts';
import { createLocalLimiter } from '../platform/cache/local-limiter.ts';
import { createKeyring } from '../platform/crypto/keyring.ts';
import { createIds } from '../platform/crypto/new-id.ts';
import { openDatabase } from '../platform/db/database.ts';
import { openApiDocument } from '../platform/http/openapi.ts';
import { openDisk } from '../platform/storage/disk-storage.ts';
import { createLogger } from '../platform/telemetry/logger.ts';
import { composeApi } from './compose.ts';

/** The document of the composed api. Nothing connects: only requests use the database. */
export async function renderOpenApi(): Promise<string> {
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
    limiter: createLocalLimiter(clock),
    storage: openDisk({ folder: '/nowhere', url: '', clock, keyring }),
    proxyHops: 0,
    outbound: { allowHttp: true, allowLoopback: false },
    publicUrl: undefined,
    directory: db,
    clock,
    newId,
    db,
  });
  const document = openApiDocument(server.operations);
  await server.close();
  await db.close();
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

export async function runOpenApi(file: string | undefined): Promise<void> {
  const document = await renderOpenApi();
  if (file === undefined) process.stdout.write(document);
  else await writeFile(file, document);
}
