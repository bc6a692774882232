/** How far `listen` has forwarded, for `--since last`: in the state folder, by profile. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, stateFolder, writePrivateFile } from '../settings/profiles.ts';

const pathOf = (env: Environment, profile: string): string =>
  join(stateFolder(env), `listen-${profile}.json`);

/** The place belongs to one organization at one address: with another key it means nothing. */
export type PlaceKey = {
  readonly profile: string;
  readonly organization: string;
  readonly apiUrl: string;
};

type Place = { readonly organization: string; readonly api_url: string; readonly sequence: number };

export function readPlace(env: Environment, key: PlaceKey): number | undefined {
  try {
    const place = JSON.parse(readFileSync(pathOf(env, key.profile), 'utf8')) as Partial<Place>;
    const isSame = place.organization === key.organization && place.api_url === key.apiUrl;
    return isSame ? place.sequence : undefined;
  } catch {
    return undefined;
  }
}

export const writePlace = (env: Environment, key: PlaceKey, sequence: number): void =>
  writePrivateFile(
    pathOf(env, key.profile),
    `${JSON.stringify({ organization: key.organization, api_url: key.apiUrl, sequence })}\n`,
  );
