import { once } from 'node:events';
import type { Clock } from '../../kernel/clock.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { createDiskServer } from './disk-server.ts';
import { openDisk } from './disk-storage.ts';
import { interactiveTimeouts, openS3, type S3Options } from './s3-storage.ts';
import type { Storage } from './storage.ts';

export type StorageConfig =
  | ({ readonly kind: 's3' } & S3Options)
  | { readonly kind: 'disk'; readonly folder: string; readonly port: number };

type Deps = { readonly keyring: Keyring; readonly clock: Clock };

const host = '127.0.0.1';
const diskUrl = (port: number) => `http://${host}:${port}`;

/** For a process that reads and writes files. */
export const openStorage = (config: StorageConfig, deps: Deps): Storage =>
  config.kind === 's3'
    ? openS3(config)
    : openDisk({ folder: config.folder, url: diskUrl(config.port), ...deps });

/** For the api, which serves the signed URLs itself if the files are on this disk. */
export async function serveStorage(config: StorageConfig, deps: Deps): Promise<Storage> {
  if (config.kind === 's3') return openS3(config, interactiveTimeouts);
  const disk = openDisk({ folder: config.folder, url: diskUrl(config.port), ...deps });
  const server = createDiskServer(disk).listen(config.port, host);
  await once(server, 'listening');
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { ...disk, close };
}
