import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../kernel/environment.ts';
import {
  absolutePath,
  logLevel,
  notEmpty,
  optionally,
  sandboxOnly,
  wholeNumber,
} from './parsers.ts';
import { type Env, openSettings } from './settings.ts';

export type SftpStoreConfig = {
  readonly environment: Environment;
  readonly host: string;
  /** Of SFTP. */
  readonly port: number;
  /** Of the store's book, over HTTP. */
  readonly bookPort: number;
  /** The store's keys, its book, and the files that it was sent. */
  readonly folder: string;
  /** Undefined: the store does not check messages with the schemas of DDEX. */
  readonly ddexSchemaFolder: string | undefined;
  readonly logLevel: string;
};

export function readSftpStoreConfig(env: Env = process.env): SftpStoreConfig {
  const { read, finish } = openSettings(env);
  return finish<SftpStoreConfig>({
    environment: read('TONEARM_ENVIRONMENT', sandboxOnly('the fictional store sells nothing')),
    host: read('TONEARM_SFTP_STORE_HOST', notEmpty, '127.0.0.1'),
    port: read('TONEARM_SFTP_STORE_PORT', wholeNumber(0, 65_535), '9422'),
    bookPort: read('TONEARM_SFTP_STORE_BOOK_PORT', wholeNumber(0, 65_535), '9481'),
    folder: read('TONEARM_SFTP_STORE_FOLDER', absolutePath, join(tmpdir(), 'tonearm-sftp-store')),
    ddexSchemaFolder: read('DDEX_SCHEMA_DIR', optionally(absolutePath), ''),
    logLevel: read('TONEARM_LOG_LEVEL', logLevel, 'info'),
  });
}
