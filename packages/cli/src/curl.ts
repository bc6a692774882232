/**
 * `--debug`: each request as a curl command that can be copied into a bug report. The key is the name of a variable;
 * secrets and personal fields in bodies, and the signatures of upload addresses, are left out. Of an answer it prints the
 * status and the id of the request.
 */

import type { Fetch } from '@tonearm/sdk';
import { personalFields, redact, redactText } from './mcp/redact.ts';

const hidden = '…';
/** An upload's body is a file, and a bulk request's has a megabyte. */
const bodyCharactersMax = 4_000;

/** Safe in a POSIX shell: a word of plain characters, or single quotes. */
export const shellQuote = (text: string): string =>
  /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const withoutPersonalFields = (text: string): string | undefined => {
  try {
    return JSON.stringify(redact(JSON.parse(text), personalFields));
  } catch {
    return undefined;
  }
};

/** A misspelled field of these may have a bank number too: their bodies are not shown at all. */
const privatePaths = /\/v1\/(?:payout_methods|tax_profile)(?:\/|$)/;

function bodyArguments(body: unknown, { pathname }: URL): string[] {
  if (body === undefined || body === null) return [];
  const isShown = typeof body === 'string' && !privatePaths.test(pathname);
  const json = isShown ? withoutPersonalFields(body) : undefined;
  if (json === undefined) return ['--data-binary', '@FILE'];
  return json.length > bodyCharactersMax ? ['--json', '@FILE'] : ['--json', shellQuote(json)];
}

const shownHeaders = ['idempotency-key', 'if-match', 'if-none-match', 'content-type'];

/** `isApi` is false for the storage: its address carries a signature, and it gets no key. */
function curlCommand(
  request: { readonly method: string; readonly url: URL; readonly headers: Headers },
  body: unknown,
  isApi: boolean,
): string {
  const { method, url, headers } = request;
  const address = isApi || url.search === '' ? url.href : `${url.origin}${url.pathname}?${hidden}`;
  const shown = shownHeaders.flatMap((name) => {
    const value = headers.get(name);
    // --json sets the type of a body by itself.
    if (value === null || (name === 'content-type' && value.startsWith('application/json')))
      return [];
    return ['-H', shellQuote(`${name}: ${value}`)];
  });
  return [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    shellQuote(redactText(address)),
    ...(isApi ? ['-H', '"Authorization: Bearer $TONEARM_API_KEY"'] : []),
    ...shown,
    ...bodyArguments(body, url),
  ].join(' ');
}

/** `fetch` that prints each request before it is sent, and each answer. */
export function debuggingFetch(say: (line: string) => void, apiUrl: string): Fetch {
  return async (address, init) => {
    const url = new URL(address);
    const request = { method: init.method ?? 'GET', url, headers: new Headers(init.headers) };
    say(curlCommand(request, init.body, address.startsWith(`${apiUrl}/`)));
    const begun = performance.now();
    const took = () => `in ${Math.round(performance.now() - begun)} ms`;
    try {
      const answer = await fetch(address, init);
      say(`# ${answer.status} ${took()} ${answer.headers.get('x-request-id') ?? ''}`.trimEnd());
      return answer;
    } catch (error) {
      say(`# no answer ${took()}: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    }
  };
}
