/**
 * Profiles: an API key and where it is used, by name, in one file of the user's configuration folder. The file has
 * secrets, so only its owner may read it, and it is replaced in one step: a crash leaves the old file or the new one.
 */

import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { usageFailure } from '../failure.ts';

export type Profile = {
  readonly api_key?: string;
  readonly api_url?: string;
  /** What `tonearm listen` signs events with. It stays the same, so that it can stay in the receiver's settings. */
  readonly listen_secret?: string;
};

export type ProfileFile = { readonly profiles: Readonly<Record<string, Profile>> };

export type Environment = Readonly<Record<string, string | undefined>>;

/** The specification of XDG ignores a relative path. */
const baseFolder = (value: string | undefined, ...usual: string[]): string =>
  value?.startsWith('/') === true ? value : join(homedir(), ...usual);

export const configPath = (env: Environment): string =>
  join(baseFolder(env['XDG_CONFIG_HOME'], '.config'), 'tonearm', 'config.json');

/** What is convenient to keep but no setting, such as how far `listen` has read. */
export const stateFolder = (env: Environment): string =>
  join(baseFolder(env['XDG_STATE_HOME'], '.local', 'state'), 'tonearm');

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseProfiles(path: string, text: string): ProfileFile {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw usageFailure(
      `${path} is not valid JSON.`,
      `Correct the file, or delete it and run: tonearm login`,
    );
  }
  const profiles = isObject(parsed) ? parsed['profiles'] : undefined;
  if (!isObject(profiles) || !Object.values(profiles).every(isObject)) {
    throw usageFailure(`${path} has no "profiles".`, `Delete the file and run: tonearm login`);
  }
  return { profiles: profiles as Record<string, Profile> };
}

export function readProfiles(env: Environment): ProfileFile {
  const path = configPath(env);
  try {
    return parseProfiles(path, readFileSync(path, 'utf8'));
  } catch (error) {
    if (isMissing(error)) return { profiles: {} };
    throw error;
  }
}

/**
 * Creates the folder for its owner alone, and replaces the file in one step. It follows no link: `wx` creates a file or
 * fails, and a rename replaces a link, not the file that it leads to.
 */
export function writePrivateFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** `undefined` removes the profile. */
export function saveProfile(env: Environment, name: string, profile: Profile | undefined): void {
  const { [name]: _, ...others } = readProfiles(env).profiles;
  const profiles = profile === undefined ? others : { ...others, [name]: profile };
  writePrivateFile(configPath(env), `${JSON.stringify({ profiles }, undefined, 2)}\n`);
}

/** True if somebody else may read the file; undefined if there is none. */
export function isReadableByOthers(env: Environment): boolean | undefined {
  try {
    return (statSync(configPath(env)).mode & 0o077) !== 0;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
