/**
 * How far an import has come, in a file of the user's state folder. `import_id` is written before the first request, and
 * the idempotency key of every request follows from it: if the process dies between a request and the next write, the
 * next run sends the same key and gets the same answer. So a second run continues, and nothing is created twice.
 *
 * The file is not in the folder that is imported: a folder may come from somebody else, and a state that it brought along
 * could name any release of the organization, which the import would then overwrite.
 */

import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { UploadResume } from '@tonearm/sdk';
import { type Failure, usageFailure } from '../failure.ts';
import { type Environment, stateFolder, writePrivateFile } from '../settings/profiles.ts';

/** A thousand tracks whose uploads have 64 parts each take 8 MB. */
const stateBytesMax = 20_000_000;

/** What an import belongs to. A profile is no part of it: two profiles may have keys of one organization. */
export type ImportKey = {
  readonly api_url: string;
  readonly organization: string;
  /** Its real path. */
  readonly folder: string;
};

type StoredTrack = { readonly id: string; readonly digest: string };

export type ImportState = ImportKey & {
  readonly import_id: string;
  readonly release_id?: string;
  readonly release_digest?: string;
  /** By the SHA-256 of the file: a file that was changed is another asset. */
  readonly assets: Readonly<Record<string, UploadResume>>;
  /** By the name of the audio file. */
  readonly tracks: Readonly<Record<string, StoredTrack>>;
};

export type StoredImport = {
  readonly statePath: string;
  readonly state: ImportState;
  /** An earlier run has begun the import. */
  readonly isContinued: boolean;
};

export function openState(env: Environment, key: ImportKey): StoredImport {
  const name = digestOf([key.api_url, key.organization, key.folder]);
  const statePath = join(stateFolder(env), 'imports', `${name}.json`);
  const earlier = readState(statePath);
  const state = earlier ?? { ...key, import_id: randomUUID(), assets: {}, tracks: {} };
  return { statePath, state, isContinued: earlier !== undefined };
}

function readState(path: string): ImportState | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.size > stateBytesMax) {
    throw stateFailure(path, `${path} is larger than ${stateBytesMax / 1_000_000} MB.`);
  }
  try {
    const state = JSON.parse(readFileSync(path, 'utf8')) as Partial<ImportState>;
    if (typeof state.import_id === 'string') return state as ImportState;
  } catch {
    // Reported below.
  }
  throw stateFailure(path, `${path} is damaged.`);
}

/** The name of the file is a digest: nobody would find it without its path. */
export const stateFailure = (path: string, message: string, ...next: string[]): Failure =>
  usageFailure(message, ...next, `Delete ${path} to import the folder again, as a new release.`);

/** Refuses if another run has begun the same import meanwhile: two would make two releases. */
export function beginState(path: string, state: ImportState): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, textOf(state), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw usageFailure(
      'Another run has begun to import this folder.',
      'run the command again to continue it',
    );
  }
}

const textOf = (state: ImportState): string => `${JSON.stringify(state, undefined, 2)}\n`;

export const writeState = (path: string, state: ImportState): void =>
  writePrivateFile(path, textOf(state));

export const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** A key that follows from the import and the step, in the form of a UUID v4: the API takes no other. */
export function stepKey({ import_id: importId }: ImportState, ...step: string[]): string {
  const hex = digestOf([importId, ...step]);
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}
