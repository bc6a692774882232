/** How a client is set up: by its options, and by the environment where there is one. */

import { ApiKey, type Credentials } from './credentials.ts';
import { TonearmError } from './errors.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** An OAuth client: credentials that are exchanged for tokens. */
export type OAuthOptions = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The scopes to ask for. If you omit them, all that the client has. */
  readonly scopes?: readonly string[] | undefined;
};

export type TonearmOptions = {
  /** `ta_live_…` or `ta_test_…`. If you omit it and `oauth`, the environment variable `TONEARM_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** The id and a secret of an OAuth client, instead of a key. */
  readonly oauth?: OAuthOptions | undefined;
  /**
   * Where the service is. If you omit it, the environment variable `TONEARM_BASE_URL`, then `TONEARM_URL`, then the
   * sandbox on this machine, for test keys.
   */
  readonly baseUrl?: string | undefined;
  /** How long one attempt may take, in milliseconds. If you omit it, 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** How long a call may take with all its attempts, in milliseconds. If you omit it, 3 minutes. */
  readonly totalTimeoutMs?: number | undefined;
  /** How often a failed attempt is repeated. If you omit it, 4 times. */
  readonly maxRetries?: number | undefined;
  /** Headers to add to every request to the API. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What your program is called, for example `my-label-sync/1.2`; it comes before the SDK in `User-Agent`. */
  readonly userAgent?: string | undefined;
  /** Replaces the `fetch` of the runtime, for the API and for uploads. */
  readonly fetch?: Fetch | undefined;
};

export type Settings = {
  readonly baseUrl: string;
  /** Where the address is from, and what to set if it is wrong: a sentence for errors. */
  readonly addressHint: string;
  readonly credentials: Credentials | undefined;
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly maxRetries: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
};

export const version = '0.1.0';
const localSandbox = 'http://127.0.0.1:8420';

type Environment = { readonly [name: string]: string | undefined };

/** Browsers and some runtimes have no `process`. */
const environment = (): Environment =>
  (globalThis as { process?: { env?: Environment } }).process?.env ?? {};

export function settingsOf(options: TonearmOptions): Settings {
  const apiKey = options.apiKey ?? (options.oauth ? undefined : environment()['TONEARM_API_KEY']);
  if (options.apiKey !== undefined && options.oauth !== undefined) {
    throw new TonearmError('Give the client apiKey or oauth, not both.');
  }
  return {
    ...addressOf(options.baseUrl, apiKey),
    // Public operations and the verification of webhooks need no key; others are refused with 401.
    credentials: apiKey === undefined || apiKey === '' ? undefined : new ApiKey(apiKey),
    timeoutMs: options.timeoutMs ?? 30_000,
    totalTimeoutMs: options.totalTimeoutMs ?? 180_000,
    maxRetries: options.maxRetries ?? 4,
    headers: {
      accept: 'application/json',
      'user-agent': [options.userAgent, `tonearm-sdk/${version}`].filter(Boolean).join(' '),
      ...options.headers,
    },
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  };
}

type Address = Pick<Settings, 'baseUrl' | 'addressHint'>;

function addressOf(option: string | undefined, apiKey: string | undefined): Address {
  const env = environment();
  const given = [
    ['baseUrl', option],
    ['TONEARM_BASE_URL', env['TONEARM_BASE_URL']],
    ['TONEARM_URL', env['TONEARM_URL']],
  ] as const;
  const [name, text] = given.find(([, value]) => value !== undefined) ?? [];
  if (name === undefined || text === undefined || text === '') {
    if (apiKey?.startsWith('ta_live_'))
      throw new TonearmError('Set baseUrl or TONEARM_BASE_URL to the address of the live service.');
    return {
      baseUrl: localSandbox,
      addressHint:
        'Neither baseUrl nor TONEARM_BASE_URL is set, so the SDK asks the sandbox on this machine: start it, or set one of them.',
    };
  }
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new TonearmError(
      `${name} must be an absolute URL with http or https, for example ${localSandbox}.`,
    );
  return {
    baseUrl: text.replace(/\/+$/, '').replace(/\/v1$/, ''),
    addressHint: `The address is from ${name}: check that it is the address of the service.`,
  };
}
