/**
 * How far an import has come, in a file in its folder. `import_id` is written before the first request, and the
 * idempotency key of every request follows from it: if the process dies between a request and the next write, the next
 * run sends the same key and gets the same answer. So a second run continues, and nothing is created twice.
 */

import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UploadResume } from '@tonearm/sdk';
import { usageFailure } from '../failure.ts';
import { writePrivateFile } from '../settings/profiles.ts';

export const stateFileName = '.tonearm-import.json';

type StoredTrack = { readonly id: string; readonly digest: string };

export type ImportState = {
  readonly import_id: string;
  /** The organization that the release belongs to: another key must not continue the import. */
  readonly organization: string;
  readonly release_id?: string;
  readonly release_digest?: string;
  /** By the SHA-256 of the file: a file that was changed is another asset. */
  readonly assets: Readonly<Record<string, UploadResume>>;
  /** By the name of the audio file. */
  readonly tracks: Readonly<Record<string, StoredTrack>>;
};

export function readState(folder: string, organization: string): ImportState {
  const path = join(folder, stateFileName);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { import_id: randomUUID(), organization, assets: {}, tracks: {} };
  }
  const state = parseState(path, text);
  if (state.organization === organization) return state;
  throw usageFailure(
    `${path} belongs to an import into another organization (${state.organization}).`,
    `Use its key, or delete the file to import the folder into ${organization} as well.`,
  );
}

function parseState(path: string, text: string): ImportState {
  try {
    const state = JSON.parse(text) as Partial<ImportState>;
    if (typeof state.import_id === 'string' && typeof state.organization === 'string') {
      return {
        assets: {},
        tracks: {},
        ...state,
        import_id: state.import_id,
        organization: state.organization,
      };
    }
  } catch {
    // Reported below.
  }
  throw usageFailure(
    `${path} is damaged.`,
    'Delete it to import the folder again, as a new release.',
  );
}

export const writeState = (folder: string, state: ImportState): void =>
  writePrivateFile(join(folder, stateFileName), `${JSON.stringify(state, undefined, 2)}\n`);

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
