/** Sends bytes to a presigned URL of the storage. */

import { makeAttempt } from '../core/attempt.ts';
import { ApiError, ConnectionError, TonearmError } from '../core/errors.ts';
import { readRefusal } from '../core/read-refusal.ts';
import { isRetryable, retryDelayMs } from '../core/retry.ts';
import type { Fetch } from '../core/settings.ts';
import { sleep } from '../core/sleep.ts';

export type Put = {
  readonly fetch: Fetch;
  readonly url: () => string;
  /** The storage refused the URL, perhaps because it has expired. */
  readonly renewUrl: (url: string) => Promise<void>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob;
  readonly signal: AbortSignal | undefined;
  /** How many bytes of this attempt are on their way, where the runtime tells. */
  readonly onSent: (bytes: number) => void;
};

const maxRetries = 5;
const chunkBytes = 256 * 1024;
/** A part has 32 MiB, and a single file up to 100 MB: this is for 170 KB a second. */
const timeoutMs = 600_000;

/** Returns the ETag. */
export async function put(request: Put): Promise<string> {
  let isRenewed = false;
  for (let number = 1; ; number++) {
    const url = request.url();
    const outcome = await attempt(request, url, number);
    if (typeof outcome === 'string') return outcome;
    const isRefused = outcome instanceof ApiError && outcome.status === 403;
    if (isRefused && !isRenewed) {
      isRenewed = true;
      await request.renewUrl(url);
      continue;
    }
    const delayMs = retryDelayMs(number, outcome);
    if (number > maxRetries || !isRetryable(outcome, true) || delayMs === undefined) throw outcome;
    await sleep(delayMs, request.signal);
  }
}

async function attempt(
  { fetch, headers, body, signal, onSent }: Put,
  url: string,
  number: number,
): Promise<string | ApiError | ConnectionError> {
  try {
    const init = { method: 'PUT', ...countedBody(body, headers, onSent) };
    const read = async (response: Response): Promise<string | ApiError> => {
      if (!response.ok) return readRefusal(response, number);
      await response.arrayBuffer();
      return etagOf(response);
    };
    return await makeAttempt({ url, init, fetch, timeoutMs, signal, number, read });
  } catch (error) {
    if (error instanceof ConnectionError) return error;
    throw error;
  }
}

type Body = Pick<RequestInit, 'headers' | 'body' | 'duplex'>;

/**
 * `fetch` tells nothing about its progress. In Node a stream can be counted and still have the `Content-Length` that the
 * storage asks for; elsewhere a stream has none, so that the bytes are sent as they are.
 */
function countedBody(
  body: Blob,
  headers: Readonly<Record<string, string>>,
  onSent: (bytes: number) => void,
): Body {
  onSent(0);
  if (!isNode()) return { headers, body };
  let sent = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const chunk = new Uint8Array(await body.slice(sent, sent + chunkBytes).arrayBuffer());
        if (chunk.length === 0) return controller.close();
        sent += chunk.length;
        onSent(sent);
        controller.enqueue(chunk);
      },
    },
    // What is counted is what was taken, not what is waiting.
    { highWaterMark: 0 },
  );
  return {
    headers: { ...headers, 'content-length': String(body.size) },
    body: stream,
    duplex: 'half',
  };
}

function isNode(): boolean {
  const { process, Bun, Deno } = globalThis as {
    process?: { versions?: { node?: string } };
    Bun?: unknown;
    Deno?: unknown;
  };
  return process?.versions?.node !== undefined && Bun === undefined && Deno === undefined;
}

function etagOf({ headers }: Response): string {
  const etag = headers.get('etag');
  if (etag === null) {
    throw new TonearmError(
      'The storage sent no ETag. In a browser, its CORS rules must expose it.',
    );
  }
  return etag;
}
