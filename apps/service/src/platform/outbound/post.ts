/**
 * Requests to addresses that others gave us. Each has a connection of its own, guarded (`connect.ts`) and closed
 * afterwards: none is shared between receivers, and none can have been closed by the receiver while it lay idle.
 * HTTP/1.1, no redirects, no proxies of the environment, nothing decompressed, no cookies or credentials.
 */

import { createSecureContext } from 'node:tls';
import { Client } from 'undici';
import { ownFailures } from '../telemetry/instruments.ts';
import { createAdmission, type OutboundLimits, usualLimits } from './admission.ts';
import { addressesOf, connectGuarded, type Guard } from './connect.ts';
import { examineUrl, hostOf } from './examine-url.ts';
import { OutboundFailure, type FailureKind, toFailure } from './failures.ts';
import { type HasRoute, hasRouteToInternet, type OwnCause, ownCauseOf } from './own-failures.ts';
import type { Policy } from './policy.ts';
import { type Resolve, resolveByDns } from './resolve.ts';

export type Outbound = {
  /**
   * What is wrong with a destination, as far as its text and its name servers tell. A name that nobody knows, or not
   * soon, is not refused: whoever posts to it hears of that.
   */
  readonly examine: (destination: string, timeoutMs: number) => Promise<string | undefined>;
  /** Waits for its turn (`admission.ts`). Whatever the receiver does is an outcome. Rejects with the reason of `signal`. */
  readonly post: (
    destination: string,
    message: OutboundRequest,
    limits: RequestLimits,
  ) => Promise<PostOutcome>;
};

type OutboundRequest = {
  /** Names in lower case. Those that belong to the connection are not the caller's to set. Asked for when it is sent. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Sent as they are. */
  readonly body: Uint8Array;
};

type RequestLimits = {
  /** Whose request it is: those of one organization wait for each other, and not for long for another's. */
  readonly organization: string;
  /** Of everything: name, connection, TLS, headers, body; not of the wait for its turn. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
};

export type PostOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** What the receiver takes for the time. */
      readonly date: string | undefined;
      /** The beginning of the body as text that can be stored. */
      readonly bodyExcerpt: string;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'failed';
      readonly failure: FailureKind;
      /** For people. */
      readonly text: string;
      readonly durationMs: number;
    }
  /** For reasons of ours: it says nothing about the receiver, and is worth another try soon. */
  | { readonly kind: 'unsent'; readonly cause: OwnCause; readonly durationMs: number };

const userAgent = 'Tonearm-Webhooks/1';
const excerptBytesMax = 4_096;
const headerBytesMax = 16_384;
const answerBytesMax = headerBytesMax + excerptBytesMax;
/** Of those headers that are of use. */
const headerCharactersMax = 64;

const ownHeaders = new Set([
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

type Options = {
  readonly policy: Policy;
  readonly resolve?: Resolve;
  readonly hasRoute?: HasRoute;
  readonly limits?: OutboundLimits;
  /** Trusted instead of the usual certificates. */
  readonly ca?: string | undefined;
};

export function openOutbound(options: Options): Outbound {
  const { policy, resolve = resolveByDns(), hasRoute = hasRouteToInternet, ca } = options;
  const admit = createAdmission(options.limits ?? usualLimits);
  const guard: Guard = { policy, resolve, trust: createSecureContext({ ca }) };
  return {
    examine: async (destination, timeoutMs) => {
      const examined = examineUrl(destination, policy);
      if (!examined.isAllowed) return examined.refusal;
      try {
        await addressesOf(hostOf(examined.url), guard, AbortSignal.timeout(timeoutMs));
        return undefined;
      } catch (error) {
        return error instanceof OutboundFailure && error.kind === 'refused'
          ? error.message
          : undefined;
      }
    },
    post: async (destination, message, { organization, timeoutMs, signal }) => {
      const bytes = message.body.length + answerBytesMax;
      const release = await admit(organization, bytes, signal);
      const begun = performance.now();
      const deadline = deadlineOf(timeoutMs, signal);
      try {
        const examined = examineUrl(destination, policy);
        if (!examined.isAllowed) throw new OutboundFailure('refused', examined.refusal);
        const answer = await exchange(guard, examined.url, message, deadline.signal);
        signal?.throwIfAborted();
        return { kind: 'answered', ...answer, durationMs: elapsedMs(begun) };
      } catch (error) {
        signal?.throwIfAborted();
        return { ...(await failedBy(error, hasRoute)), durationMs: elapsedMs(begun) };
      } finally {
        deadline.end();
        release();
      }
    },
  };
}

async function failedBy(error: unknown, hasRoute: HasRoute) {
  const cause = await ownCauseOf(error, hasRoute);
  if (cause === undefined) {
    const { kind: failure, message: text } = toFailure(error);
    return { kind: 'failed', failure, text } as const;
  }
  ownFailures().add(1, { cause });
  return { kind: 'unsent', cause } as const;
}

const elapsedMs = (begun: number) => Math.round(performance.now() - begun);

function deadlineOf(timeoutMs: number, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new OutboundFailure('timeout')), timeoutMs);
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

async function exchange(guard: Guard, url: URL, message: OutboundRequest, signal: AbortSignal) {
  const headers = headersOf(message);
  const target = { protocol: url.protocol, host: hostOf(url), port: portOf(url) };
  const socket = await connectGuarded(guard, target, signal);
  const client = new Client(url.origin, {
    // Not at once: undici, still busy with the request, would forget it.
    connect: (_options, done) => queueMicrotask(() => done(null, socket)),
    // One request, and the connection is closed.
    pipelining: 0,
    allowH2: false,
    maxHeaderSize: headerBytesMax,
    // The signal ends what takes too long.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const answer = await client.request({
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers,
      body: message.body,
      signal,
    });
    const headerOf = (name: string) =>
      [answer.headers[name]].flat()[0]?.slice(0, headerCharactersMax);
    return {
      status: answer.statusCode,
      retryAfter: headerOf('retry-after'),
      date: headerOf('date'),
      bodyExcerpt: await excerptOf(answer.body),
    };
  } finally {
    await client.destroy();
    socket.destroy();
  }
}

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

function headersOf(message: OutboundRequest): Record<string, string> {
  const headers = message.headers();
  const owned = Object.keys(headers).find((name) => ownHeaders.has(name.toLowerCase()));
  if (owned !== undefined) throw new Error(`${owned} is not for the caller to set`);
  return { ...headers, 'user-agent': userAgent };
}

/** The status is the answer. A body that breaks off, or does not end in time, is kept as far as it came. */
async function excerptOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= excerptBytesMax) break;
    }
  } catch {
    // What came is what there is.
  }
  const bytes = Buffer.concat(chunks).subarray(0, excerptBytesMax);
  // `stream`: half a character at the end is left out. PostgreSQL takes no NUL.
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\u0000', '\ufffd');
}
