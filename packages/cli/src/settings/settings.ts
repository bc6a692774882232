/** Which key and which address a command uses: a flag wins over the environment, the environment over the profile. */

import { Failure, usageFailure } from '../failure.ts';
import { type Environment, type Profile, readProfiles } from './profiles.ts';

/** The sandbox that `npm run dev` starts. */
const localUrl = 'http://127.0.0.1:8420';

export type ConnectionFlags = { readonly profile?: string; readonly apiUrl?: string };

export type Settings = {
  readonly profileName: string;
  readonly profile: Profile;
  readonly apiKey: string | undefined;
  readonly apiKeyFrom: 'TONEARM_API_KEY' | 'profile' | undefined;
  readonly apiUrl: string;
};

const profileNamePattern = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$/;

/** Without a path and a slash at its end. */
function parseApiUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw usageFailure(
      `${text} is not the address of an API.`,
      `Use an address such as ${localUrl}`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw usageFailure('The address must not contain a user name or a password.');
  }
  return url.href.replace(/\/+$/, '');
}

const isSet = (value: string | undefined): value is string => value !== undefined && value !== '';

export function resolveSettings(flags: ConnectionFlags, env: Environment): Settings {
  const profileName =
    flags.profile ?? (isSet(env['TONEARM_PROFILE']) ? env['TONEARM_PROFILE'] : 'default');
  if (!profileNamePattern.test(profileName)) {
    throw usageFailure(
      `${JSON.stringify(profileName)} is not a name for a profile: use letters, digits, - and _.`,
    );
  }
  const { profiles } = readProfiles(env);
  const profile = (Object.hasOwn(profiles, profileName) ? profiles[profileName] : undefined) ?? {};
  const fromEnvironment = env['TONEARM_API_KEY'];
  const urls = [flags.apiUrl, env['TONEARM_URL'], profile.api_url];
  return {
    profileName,
    profile,
    apiKey: isSet(fromEnvironment) ? fromEnvironment : profile.api_key,
    apiKeyFrom: isSet(fromEnvironment)
      ? 'TONEARM_API_KEY'
      : profile.api_key === undefined
        ? undefined
        : 'profile',
    apiUrl: parseApiUrl(urls.find(isSet) ?? localUrl),
  };
}

export function requireApiKey({ apiKey, profileName }: Settings): string {
  if (apiKey !== undefined) return apiKey;
  throw new Failure('usage', 'not_logged_in', `The profile ${profileName} has no API key.`, [
    profileName === 'default' ? 'tonearm login' : `tonearm login --profile ${profileName}`,
    'or set TONEARM_API_KEY',
  ]);
}

/** Enough to tell two keys apart, too little to use: `ta_test_…x7Qa`. */
export const keyHint = (apiKey: string): string =>
  apiKey.length < 20 ? '…' : `${/^ta_[a-z]+_/.exec(apiKey)?.[0] ?? ''}…${apiKey.slice(-4)}`;
