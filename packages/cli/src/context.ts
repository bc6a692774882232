/** What every command gets: the client, the output, the settings, and a signal that Ctrl-C aborts. */

import { Tonearm } from '@tonearm/sdk';
import { debuggingFetch } from './curl.ts';
import { type Output, type OutputFlags, createOutput } from './output/output.ts';
import { safeText } from './output/safe-text.ts';
import {
  type ConnectionFlags,
  type Settings,
  requireApiKey,
  resolveSettings,
} from './settings/settings.ts';
import { version } from './version.ts';

export type GlobalFlags = ConnectionFlags &
  OutputFlags & { readonly debug?: boolean; readonly yes?: boolean };

export type Context = {
  readonly flags: GlobalFlags;
  readonly settings: Settings;
  readonly output: Output;
  readonly signal: AbortSignal;
  /** Ends with a hint to log in if there is no key. */
  readonly client: () => Tonearm;
  /** With a key that is not stored yet, or without one for what is public. */
  readonly clientWith: (apiKey: string | undefined) => Tonearm;
};

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort());
process.once('SIGTERM', () => interruption.abort());

const debug = (line: string): void => void process.stderr.write(`${safeText(line)}\n`);

export function createContext(flags: GlobalFlags): Context {
  const settings = resolveSettings(flags, process.env);
  const output = createOutput(flags, process);
  const clientWith = (apiKey: string | undefined): Tonearm =>
    new Tonearm({
      apiKey: apiKey ?? '',
      baseUrl: settings.apiUrl,
      userAgent: `tonearm-cli/${version}`,
      ...(flags.debug === true && { fetch: debuggingFetch(debug, settings.apiUrl) }),
    });
  let client: Tonearm | undefined;
  return {
    flags,
    settings,
    output,
    signal: interruption.signal,
    clientWith,
    client: () => (client ??= clientWith(requireApiKey(settings))),
  };
}
