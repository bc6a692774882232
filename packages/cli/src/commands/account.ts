/** `login`, `logout`, `whoami`. */

import { text } from 'node:stream/consumers';
import { ApiError } from '@tonearm/sdk';
import type { Command } from 'commander';
import { runs } from '../command.ts';
import { askSecret, confirm, isInteractive } from '../confirm.ts';
import type { Context } from '../context.ts';
import { Failure, usageFailure } from '../failure.ts';
import { printFields } from '../output/fields.ts';
import { configPath, saveProfile } from '../settings/profiles.ts';
import { keyHint, requireApiKey } from '../settings/settings.ts';

const keyPattern = /^ta_(test|live)_\S{8,200}$/;

async function readKey(): Promise<string> {
  const key = (
    isInteractive()
      ? await askSecret('Paste an API key (it is not shown)')
      : await text(process.stdin)
  ).trim();
  if (keyPattern.test(key)) return key;
  throw usageFailure('That is not an API key: it begins with ta_test_ or ta_live_.');
}

/** A key that may not read the organization is still a good key. */
async function organizationOf(client: ReturnType<Context['client']>) {
  try {
    return await client.organization.get();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'insufficient_scope') return undefined;
    throw error;
  }
}

async function logIn({ settings, output, clientWith }: Context): Promise<void> {
  const key = await readKey();
  const organization = await organizationOf(clientWith(key));
  const { profileName, profile, apiUrl } = settings;
  saveProfile(process.env, profileName, { ...profile, api_key: key, api_url: apiUrl });
  const name = organization?.name ?? 'an organization that this key may not read';
  output.result(
    { profile: profileName, organization_id: organization?.id ?? null, api_url: apiUrl },
    () => {
      output.line(`Logged in to ${name} (${keyHint(key)}) at ${apiUrl}.`);
      output.line(
        output.palette.faint(`The key is in ${configPath(process.env)}, readable for you only.`),
      );
      output.next('tonearm whoami', 'tonearm releases list');
    },
  );
  if (settings.apiKeyFrom === 'TONEARM_API_KEY') {
    output.note(
      'TONEARM_API_KEY is set and wins over this profile: unset it to use the key that you stored.',
    );
  }
}

async function logOut(context: Context): Promise<void> {
  const { settings, output } = context;
  const { profileName, profile } = settings;
  if (profile.api_key === undefined) {
    throw new Failure('usage', 'not_logged_in', `The profile ${profileName} has no API key.`);
  }
  await confirm(context, `Remove the profile ${profileName} with its key?`);
  saveProfile(process.env, profileName, undefined);
  output.result({ profile: profileName }, () => {
    output.line(
      `The profile ${profileName} is removed. The key itself is still valid: revoke it if it leaked.`,
    );
  });
}

async function whoAmI({ settings, output, client }: Context): Promise<void> {
  const apiKey = requireApiKey(settings);
  const organization = await organizationOf(client());
  const { profileName, apiUrl, apiKeyFrom } = settings;
  const source = apiKeyFrom === 'profile' ? `profile ${profileName}` : apiKeyFrom;
  const value = {
    organization: organization ?? null,
    api_key: keyHint(apiKey),
    api_key_from: apiKeyFrom,
    profile: profileName,
    api_url: apiUrl,
  };
  output.result(value, () => {
    printFields(output, [
      [
        'Organization',
        organization === undefined ? '(the key has no scope organization:read)' : organization.name,
      ],
      ['Id', organization?.id],
      ['Environment', organization?.environment],
      ['Tier', organization?.tier],
      ['Verification', organization?.verification.status],
      ['Key', `${keyHint(apiKey)} from ${source}`],
      ['Address', apiUrl],
    ]);
  });
}

export function addAccountCommands(program: Command): void {
  runs(
    program
      .command('login')
      .description('store an API key in a profile; it is pasted, or read from standard input'),
    logIn,
  );
  runs(program.command('logout').description('remove a profile with its key'), logOut);
  runs(program.command('whoami').description('show the organization and the key in use'), whoAmI);
}
