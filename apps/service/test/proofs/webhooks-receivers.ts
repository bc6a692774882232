/** The receivers of all endpoints: each has its port, answers by the answer plan, and records what arrives. */

import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, attemptsMax, type AnswerPlan, statusOf } from './webhooks-answer-plan.ts';
import { type Headers, type Keychain, openKeychain } from './webhooks-keychain.ts';
import type { Verifier } from './webhooks-verify.ts';

export type Endpoint = {
  readonly index: number;
  /** Which of the organizations it belongs to. */
  readonly partner: number;
  readonly eventType: string | readonly string[];
  readonly isSubscribed: boolean;
  readonly url: string;
  readonly secret: string;
  readonly keychain: Keychain;
  /** By the release's reference. */
  readonly pairs: Map<string, Pair>;
  /** Empty until the endpoint is registered. */
  webhookId: string;
};

/** The attempts of one event at one endpoint. */
type Pair = { readonly attempts: FirstArrival[] };

type FirstArrival = {
  readonly id: string;
  readonly firstAt: number;
  /** Its connection had been used before. */
  readonly wasKept: boolean;
};

/** An event as it first arrived. Every message about it must have the same bytes. */
type ReceivedEvent = { readonly eventId: string; readonly digest: string; readonly data: unknown };

/** An attempt that arrived again. */
export type Duplicate = {
  /** Endpoint, reference and number of the attempt. */
  readonly name: string;
  readonly firstAt: number;
  readonly at: number;
  /** The receiver closed a kept connection without an answer, and this came over a new one. */
  readonly isResent: boolean;
};

type Log = {
  readonly endpoints: readonly Endpoint[];
  /** By reference. */
  readonly receivedEvents: ReadonlyMap<string, ReceivedEvent>;
  readonly duplicates: readonly Duplicate[];
  readonly counts: Readonly<Record<Count, number>>;
  /** Pairs whose first attempt has arrived. */
  readonly begun: () => number;
};

const noCounts = {
  messages: 0,
  bad_answers: 0,
  broken_off: 0,
  to_another_tenant: 0,
  not_subscribed: 0,
  wrong_headers: 0,
  differing_bodies: 0,
  redirects_followed: 0,
  reused_attempt_ids: 0,
  seventh_attempts: 0,
};
type Count = keyof typeof noCounts;

export type Receivers = Log & {
  readonly open: (plan: {
    partner: number;
    eventType: Endpoint['eventType'];
    isSubscribed: boolean;
  }) => Promise<Endpoint>;
  /** From now on more than six attempts are allowed, because redeliveries were requested. */
  readonly allowMoreAttempts: () => void;
  readonly close: () => void;
};

export const referenceOf = (partner: number, release: number): string => `p${partner}-${release}`;
const partnerOfReference = (reference: string): number => Number(/^p(\d+)-/.exec(reference)?.[1]);

const slowMs = 400;
/** Longer than the timeout of an attempt. */
const silentMs = 33_000;

export function openReceivers(answerPlan: AnswerPlan, verifier: Verifier): Receivers {
  const endpoints: Endpoint[] = [];
  const receivedEvents = new Map<string, ReceivedEvent>();
  const pairOfAttempt = new Map<string, string>();
  const duplicates: Duplicate[] = [];
  const counts: Record<Count, number> = { ...noCounts };
  const servers: ReturnType<typeof createServer>[] = [];
  const usedSockets = new WeakSet<Socket>();
  let begun = 0;
  let areMoreAttemptsAllowed = false;

  const recordEvent = (reference: string, eventId: string, data: unknown, body: Buffer): void => {
    const digest = hash('sha256', body);
    const earlier = receivedEvents.get(reference);
    if (earlier === undefined) receivedEvents.set(reference, { eventId, digest, data });
    else if (earlier.digest !== digest) counts.differing_bodies++;
  };

  /** Returns the number of the attempt. A repeated attempt keeps its number. */
  const recordAttempt = (
    endpoint: Endpoint,
    reference: string,
    id: string,
    wasKept: boolean,
  ): number => {
    const key = `${endpoint.index}/${reference}`;
    if ((pairOfAttempt.get(id) ?? key) !== key) counts.reused_attempt_ids++;
    pairOfAttempt.set(id, key);
    const pair = endpoint.pairs.get(reference) ?? { attempts: [] };
    if (pair.attempts.length === 0) begun++;
    endpoint.pairs.set(reference, pair);
    const knownIndex = pair.attempts.findIndex((attempt) => attempt.id === id);
    if (knownIndex !== -1) {
      const name = `${key} attempt ${knownIndex + 1}`;
      const first = pair.attempts[knownIndex]!;
      const { kind } = answerPlan.answerOf(endpoint.index, reference, knownIndex + 1);
      const isResent = kind === 'reset' && first.wasKept && !wasKept;
      duplicates.push({ name, firstAt: first.firstAt, at: Date.now(), isResent });
      return knownIndex + 1;
    }
    pair.attempts.push({ id, firstAt: Date.now(), wasKept });
    if (pair.attempts.length > attemptsMax && !areMoreAttemptsAllowed) counts.seventh_attempts++;
    return pair.attempts.length;
  };

  const receive = (
    endpoint: Endpoint,
    headers: Headers,
    body: Buffer,
    wasKept: boolean,
  ): Answer => {
    const event = JSON.parse(body.toString()) as Record<string, unknown>;
    verifier.verify(endpoint.keychain, headers, body);
    const hasRightHeaders =
      headers['x-svc-event'] === event['type'] && headers['webhook-id'] === event['id'];
    if (!hasRightHeaders) counts.wrong_headers++;
    if (event['type'] === 'ping') return { kind: 'good', status: 200 };
    counts.messages++;
    if (event['type'] !== 'release.created' || !endpoint.isSubscribed) {
      counts.not_subscribed++;
      return { kind: 'good', status: 200 };
    }
    const { reference } = event['data'] as { reference: string };
    if (partnerOfReference(reference) !== endpoint.partner) counts.to_another_tenant++;
    recordEvent(reference, event['id'] as string, event['data'], body);
    const attempt = recordAttempt(endpoint, reference, headers['x-svc-delivery'] ?? '', wasKept);
    return answerPlan.answerOf(endpoint.index, reference, attempt);
  };

  const handle = async (
    endpoint: Endpoint,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const wasKept = usedSockets.has(request.socket);
    usedSockets.add(request.socket);
    // The sending worker may be killed while it sends.
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return void counts.broken_off++;
    if (request.url !== '/hooks') counts.redirects_followed++;
    const answer = receive(endpoint, request.headers as Headers, body, wasKept);
    if (answer.kind !== 'good') counts.bad_answers++;
    await respond(request, response, answer);
  };

  return {
    endpoints,
    receivedEvents,
    duplicates,
    counts,
    begun: () => begun,
    allowMoreAttempts: () => void (areMoreAttemptsAllowed = true),
    open: async (plan) => {
      const secret = `whsec_${randomBytes(32).toString('base64')}`;
      const server = createServer((request, response) => void handle(endpoint, request, response));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      servers.push(server);
      const endpoint: Endpoint = {
        ...plan,
        index: endpoints.length,
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
        secret,
        keychain: openKeychain(secret),
        pairs: new Map(),
        webhookId: '',
      };
      endpoints.push(endpoint);
      return endpoint;
    },
    close: () => {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, answer: Answer) {
  const status = statusOf(answer);
  if (answer.kind === 'slow') await wait(slowMs);
  if (answer.kind === 'silent') await wait(silentMs);
  // The worker that waits for the answer may have been killed.
  if (request.socket.destroyed) return;
  if (status === null) {
    request.socket.resetAndDestroy();
    return;
  }
  response.writeHead(status, {
    ...(answer.kind === 'redirect' && { location: '/elsewhere' }),
    ...(answer.kind === 'limited' && { 'retry-after': String(answer.retryAfterSeconds) }),
  });
  response.end();
}
