import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../kernel/environment.ts';
import { absolutePath, logLevel, notEmpty, sandboxOnly, wholeNumber } from './parsers.ts';
import { type Env, openSettings } from './settings.ts';

export type RailConfig = {
  readonly environment: Environment;
  readonly host: string;
  readonly port: number;
  /** Every payment is a line of this file. */
  readonly journalFile: string;
  readonly logLevel: string;
};

export function readRailConfig(env: Env = process.env): RailConfig {
  const { read, finish } = openSettings(env);
  return finish<RailConfig>({
    environment: read('TONEARM_ENVIRONMENT', sandboxOnly('the scripted rail pays nobody')),
    host: read('TONEARM_RAIL_HOST', notEmpty, '127.0.0.1'),
    port: read('TONEARM_RAIL_PORT', wholeNumber(0, 65_535), '9480'),
    journalFile: read('TONEARM_RAIL_JOURNAL', absolutePath, join(tmpdir(), 'tonearm-rail.jsonl')),
    logLevel: read('TONEARM_LOG_LEVEL', logLevel, 'info'),
  });
}
