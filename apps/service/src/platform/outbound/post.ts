/**
 * Requests to URLs of partners, over guarded connections (`connect.ts`) that are kept for a few seconds
 * (`kept-connections.ts`). HTTP/1.1, no redirects, no proxies of the environment, nothing decompressed, no cookies or
 * credentials.
 */

import { createSecureContext } from 'node:tls';
import { Client, type Dispatcher } from 'undici';
import { ownFailures } from '../telemetry/instruments.ts';
import { createAdmission, type OutboundLimits, usualLimits } from './admission.ts';
import { addressesOf, connectGuarded, type Guard } from './connect.ts';
import { examineUrl, hostOf } from './examine-url.ts';
import { OutboundFailure, type FailureKind, toFailure } from './failures.ts';
import {
  close,
  type Connection,
  createKeptConnections,
  idleMsMax,
  type KeptConnections,
} from './kept-connections.ts';
import { type HasRoute, hasRouteToInternet, type OwnCause, ownCauseOf } from './own-failures.ts';
import type { Policy } from './policy.ts';
import { type Resolve, resolveByDns } from './resolve.ts';

export type Outbound = {
  /**
   * Why a destination is not allowed, by its text and the addresses of its name; undefined if it is. A name that does
   * not resolve in time is not refused: a later `post` to it fails.
   */
  readonly examine: (destination: string, timeoutMs: number) => Promise<string | undefined>;
  /** Waits for admission (`admission.ts`). Every reaction of the receiver is an outcome; an abort of `signal` rejects. */
  readonly post: (
    destination: string,
    message: OutboundRequest,
    limits: RequestLimits,
  ) => Promise<PostOutcome>;
};

type OutboundRequest = {
  /** Called when the request is sent. Names in lower case, without those of the connection (`ownHeaders`). */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Sent unchanged. */
  readonly body: Uint8Array;
};

type RequestLimits = {
  /** For the fair queues: requests of one organization wait for each other, and only briefly for those of others. */
  readonly organization: string;
  /** For name, connection, TLS, headers and body together, without the wait for admission. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
};

export type PostOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** The receiver's Date header. */
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
  /** An own failure (`own-failures.ts`): it says nothing about the receiver, and a retry soon is worthwhile. */
  | { readonly kind: 'unsent'; readonly cause: OwnCause; readonly durationMs: number };

const userAgent = 'Tonearm-Webhooks/1';
const excerptBytesMax = 4_096;
const headerBytesMax = 16_384;
const answerBytesMax = headerBytesMax + excerptBytesMax;
/** Of each header in the outcome. */
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
  /** Trusted instead of the default certificates. */
  readonly ca?: string | undefined;
};

export function openOutbound(options: Options): Outbound {
  const { policy, resolve = resolveByDns(), hasRoute = hasRouteToInternet, ca } = options;
  const admit = createAdmission(options.limits ?? usualLimits);
  const guard: Guard = { policy, resolve, trust: createSecureContext({ ca }) };
  const kept = createKeptConnections();
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
        const route = { guard, kept, organization, url: examined.url };
        const answer = await exchange(route, message, deadline.signal);
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

type Route = {
  readonly guard: Guard;
  readonly kept: KeptConnections;
  readonly organization: string;
  readonly url: URL;
};

async function exchange(route: Route, message: OutboundRequest, signal: AbortSignal) {
  const { kept, organization, url } = route;
  const request = { headers: headersOf(message), body: message.body, signal };
  const owner = { organization, origin: url.origin };
  const idle = kept.take(owner);
  if (idle !== undefined) {
    try {
      return await exchangeOver(idle, route, request);
    } catch (error) {
      // The receiver closed it while it was idle, or had sent more than one answer: that is no failure.
      if (signal.aborted || !['reset', 'not_http'].includes(toFailure(error).kind)) throw error;
    }
  }
  const opened = kept.add(owner, await openClient(route, signal));
  return exchangeOver(opened, route, request);
}

async function openClient({ guard, url }: Route, signal: AbortSignal) {
  const target = { protocol: url.protocol, host: hostOf(url), port: portOf(url) };
  const socket = await connectGuarded(guard, target, signal);
  let isUsed = false;
  const client = new Client(url.origin, {
    // Not synchronously: undici is still processing the request and would lose the socket.
    connect: (_options, done) =>
      queueMicrotask(() => {
        // A client whose connection was closed would connect again, past the guard.
        if (isUsed) return done(new OutboundFailure('reset'), null);
        isUsed = true;
        done(null, socket);
      }),
    allowH2: false,
    maxHeaderSize: headerBytesMax,
    // The signal ends a request that takes too long.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMsMax,
    // The receiver may ask for less in its Keep-Alive header, not for more.
    keepAliveMaxTimeout: idleMsMax,
  });
  return { client, socket };
}

async function exchangeOver(
  connection: Connection,
  { kept, url }: Route,
  request: Pick<Dispatcher.RequestOptions, 'headers' | 'body' | 'signal'>,
) {
  let isComplete = false;
  try {
    const answer = await connection.client.request({
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      ...request,
    });
    const headerOf = (name: string) =>
      [answer.headers[name]].flat()[0]?.slice(0, headerCharactersMax);
    const excerpt = await excerptOf(answer.body);
    isComplete = excerpt.isComplete;
    return {
      status: answer.statusCode,
      retryAfter: headerOf('retry-after'),
      date: headerOf('date'),
      bodyExcerpt: excerpt.text,
    };
  } finally {
    if (isComplete) kept.keep(connection);
    else close(connection);
  }
}

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

function headersOf(message: OutboundRequest): Record<string, string> {
  const headers = message.headers();
  const reserved = Object.keys(headers).find((name) => ownHeaders.has(name.toLowerCase()));
  if (reserved !== undefined) throw new Error(`${reserved} is not for the caller to set`);
  return { ...headers, 'user-agent': userAgent };
}

/** The status is the answer. If the body breaks off or does not end in time, its beginning is kept. */
async function excerptOf(body: AsyncIterable<Uint8Array>) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isComplete = false;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= excerptBytesMax) break;
    }
    isComplete = size < excerptBytesMax;
  } catch {
    // Keep what has arrived.
  }
  const bytes = Buffer.concat(chunks).subarray(0, excerptBytesMax);
  // `stream`: half a character at the end is left out. PostgreSQL does not accept NUL.
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll('\u0000', '\ufffd');
  return { text, isComplete };
}
