/** `doctor`: what is wrong with this machine's setup, check by check. */

import { ApiError } from '@tonearm/sdk';
import type { Command } from 'commander';
import { runs } from '../command.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { paintStatus, statusText } from '../output/status.ts';
import { configPath, isReadableByOthers } from '../settings/profiles.ts';
import { keyHint } from '../settings/settings.ts';

type Check = {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message: string;
  readonly next?: string;
};

/** Signatures of webhooks are refused when clocks differ by 5 minutes; this is well before. */
const skewMaxSeconds = 30;

function checkConfiguration(): Check {
  const path = configPath(process.env);
  const isOpen = isReadableByOthers(process.env);
  if (isOpen === undefined)
    return { name: 'configuration', status: 'ok', message: `${path} does not exist yet` };
  return isOpen
    ? {
        name: 'configuration',
        status: 'failed',
        message: `other users can read ${path}, which has your keys`,
        next: `chmod 600 ${path}`,
      }
    : { name: 'configuration', status: 'ok', message: path };
}

function checkKey({ settings: { apiKey, apiKeyFrom, profileName } }: Context): Check {
  if (apiKey === undefined) {
    return { name: 'key', status: 'failed', message: 'there is no API key', next: 'tonearm login' };
  }
  const from = apiKeyFrom === 'profile' ? `the profile ${profileName}` : 'TONEARM_API_KEY';
  if (/^ta_(test|live)_/.test(apiKey))
    return { name: 'key', status: 'ok', message: `${keyHint(apiKey)} from ${from}` };
  return {
    name: 'key',
    status: 'failed',
    message: `the key from ${from} does not begin with ta_test_ or ta_live_`,
  };
}

/** Any answer will do: a public page that needs no key. */
async function checkReachability({ settings, clientWith, signal }: Context) {
  const begun = Date.now();
  try {
    const { response } = await clientWith(undefined)
      .reference.listErrorCodes({ signal, maxRetries: 0, timeoutMs: 10_000 })
      .withResponse();
    const ms = Date.now() - begun;
    const check: Check = {
      name: 'service',
      status: 'ok',
      message: `${settings.apiUrl} answers in ${ms} ms`,
    };
    return { check, date: response.headers.get('date'), midway: begun + ms / 2 };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const check: Check = {
      name: 'service',
      status: 'failed',
      message: `${settings.apiUrl} does not answer: ${reason}`,
      next: 'set TONEARM_URL or --api-url; the sandbox of this repository starts with: npm run dev',
    };
    return { check, date: null, midway: begun };
  }
}

function checkClock(date: string, midway: number): Check {
  const skewSeconds = Math.round((midway - Date.parse(date)) / 1_000);
  if (Math.abs(skewSeconds) <= skewMaxSeconds) {
    return { name: 'clock', status: 'ok', message: 'this machine and the service agree' };
  }
  const direction = skewSeconds > 0 ? 'ahead of' : 'behind';
  return {
    name: 'clock',
    status: 'failed',
    message: `this machine is ${Math.abs(skewSeconds)} s ${direction} the service: signatures of webhooks will be refused`,
    next: 'let the machine set its clock, for example with systemd-timesyncd',
  };
}

async function checkAccess({ client, signal }: Context): Promise<Check> {
  try {
    const { name, environment } = await client().organization.get({ signal, maxRetries: 0 });
    return { name: 'access', status: 'ok', message: `${name} (${environment})` };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'insufficient_scope') {
      return {
        name: 'access',
        status: 'ok',
        message: 'the key is valid, without the scope organization:read',
      };
    }
    return {
      name: 'access',
      status: 'failed',
      message: `${error.code ?? error.status}: ${error.message}`,
      next: 'tonearm login',
    };
  }
}

async function examine(context: Context): Promise<void> {
  const { output } = context;
  const configuration = checkConfiguration();
  const key = checkKey(context);
  const { check: service, date, midway } = await checkReachability(context);
  const checks = [configuration, key, service];
  if (date !== null) checks.push(checkClock(date, midway));
  if (service.status === 'ok' && key.status === 'ok') checks.push(await checkAccess(context));
  output.result({ checks }, () => {
    const cellOf = ({ status, name, message }: Check) => [
      {
        text: statusText(status),
        paint: (text: string) => paintStatus(output.palette, status, text),
      },
      name,
      message,
    ];
    output.table(
      [{ title: 'Check' }, { title: '' }, { title: '', shrinksTo: 20 }],
      checks.map(cellOf),
    );
    output.next(...checks.flatMap(({ next }) => (next === undefined ? [] : [next])));
  });
  const failed = checks.filter(({ status }) => status === 'failed');
  if (failed.length > 0) {
    throw new Failure(
      'api',
      'doctor',
      `${failed.length} of ${checks.length} checks failed: ${failed.map(({ name }) => name).join(', ')}.`,
    );
  }
}

export const addDoctorCommand = (program: Command): Command =>
  runs(
    program.command('doctor').description('check configuration, key, service and clock'),
    examine,
  );
