/**
 * Records requests after their answers were sent (ADR 0029). Everything is copied, cut and redacted when it is recorded:
 * no buffer of a request stays in memory, and no secret enters the log's memory either.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { secondMs } from '../../kernel/duration.ts';
import type { OrgId, RequestId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Authenticate, type Caller, credentialOf } from '../../platform/http/caller.ts';
import type { AnyOperation } from '../../platform/http/operation.ts';
import type { Redact } from '../../platform/http/redact.ts';
import { createBatchBuffer } from '../../platform/process/batch-buffer.ts';
import { requestsNotLogged } from '../../platform/telemetry/instruments.ts';
import {
  bodyBytesKept,
  type KeptHeaders,
  type OwnedEntry,
  type RequestEntry,
} from '../domain/request-entry.ts';
import { encodeEntry, type EncodedEntry, insertRequests } from '../store/requests.ts';

export type RequestLog = {
  readonly record: (owned: OwnedEntry) => void;
  /** Writes what was recorded until now. Never rejects. */
  readonly flush: () => Promise<void>;
};

type RequestLogOptions = {
  /** Without an organization, and with its own connection: requests never wait for the log. */
  readonly db: Pick<Database, 'transactWithoutTenant'>;
  /** How long a row waits for others. Undefined: until `flush`. */
  readonly everyMs: number | undefined;
  readonly onFailure: (cause: unknown) => void;
};

const batchMax = 500;
/** Bytes. A batch of this size is written in a few milliseconds. */
const batchSizeMax = 2 * 1024 * 1024;
/** Bytes in memory. */
const sizeMax = 16 * 1024 * 1024;
/** Of the objects around a row. */
const otherFieldsSize = 200;

export function createRequestLog({ db, everyMs, onFailure }: RequestLogOptions): RequestLog {
  const { add, flush } = createBatchBuffer<EncodedEntry>({
    write: (batch) => db.transactWithoutTenant((tx) => insertRequests(tx, batch)),
    sizeOf: ({ row, requestBody, answerBody }) =>
      row.length + (requestBody?.length ?? 0) + (answerBody?.length ?? 0) + otherFieldsSize,
    keyOf: ({ orgId }) => orgId,
    batchMax,
    batchSizeMax,
    everyMs,
    sizeMax,
    onDropped: (count, cause) => {
      requestsNotLogged().add(count);
      if (cause !== undefined) onFailure(cause);
    },
  });
  return { record: (owned) => add(encodeEntry(owned)), flush };
}

type RecorderDeps = {
  readonly log: RequestLog;
  readonly authenticate: Authenticate;
  readonly redact: Redact;
};

export type RecordRequest = (request: FastifyRequest, reply: FastifyReply) => void;

export function createRecorder({ log, authenticate, redact }: RecorderDeps): RecordRequest {
  const isBeyondLimit = createRefusalLimit();
  return (request, reply) => {
    const { operation } = request.routeOptions.config;
    const { caller } = request;
    if (operation !== undefined) {
      // A public route has no caller; an inbox has one, but its messages are the partner's to read at the inbox.
      if (caller === undefined || operation.scope === 'public') return;
      if (reply.statusCode === 429 && isBeyondLimit(caller.orgId)) return;
      const entry = entryOf(redact, caller, operation, request, reply);
      log.record({ orgId: caller.orgId, entry });
    } else if (isUnroutedWithCredential(request, reply)) {
      void recordUnrouted(log, redact, authenticate, request, reply);
    }
  };
}

/** Of one organization, in each api process. */
const refusalsPerSecondMax = 10;

/**
 * Rate limits bound how many rows an organization writes, but not its 429s: a client that ignores them could send
 * thousands a second. Returns whether the organization has as many rows for this second already.
 */
function createRefusalLimit(): (orgId: OrgId) => boolean {
  let countedUntilMs = 0;
  const counts = new Map<OrgId, number>();
  return (orgId) => {
    const nowMs = performance.now();
    if (nowMs >= countedUntilMs) {
      counts.clear();
      countedUntilMs = nowMs + secondMs;
    }
    const count = (counts.get(orgId) ?? 0) + 1;
    counts.set(orgId, count);
    return count > refusalsPerSecondMax;
  };
}

/** There is no such path or method, and the limit for the client's address was not exceeded. */
const isUnroutedWithCredential = ({ headers }: FastifyRequest, { statusCode }: FastifyReply) =>
  (statusCode === 404 || statusCode === 405) &&
  (headers.authorization !== undefined || headers['x-api-key'] !== undefined);

/** A path without a route is answered without a look at the credential; it is checked afterwards, for the log. */
async function recordUnrouted(
  log: RequestLog,
  redact: Redact,
  authenticate: Authenticate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  try {
    const caller = await authenticate(credentialOf(request.headers));
    const entry = entryOf(redact, caller, undefined, request, reply);
    log.record({ orgId: caller.orgId, entry });
  } catch {
    // The request belongs to no organization, or PostgreSQL is away.
  }
}

const pathMax = 2_048;

function entryOf(
  redact: Redact,
  { actor }: Caller,
  operation: AnyOperation | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): RequestEntry {
  const { rawBody, answerBody } = request;
  const status = reply.statusCode;
  const answerText = answerBody === undefined ? null : textOf(answerBody);
  const isForgotten = operation?.forgetsRefusedBodies === true && status >= 400;
  return {
    // The server made it with `newId`; parsing it once more costs as much as the rest of this function.
    id: request.id as RequestId,
    method: request.method,
    path: redact(storable(request.url.slice(0, pathMax))),
    route: operation?.path ?? null,
    status,
    code: status < 400 || answerText === null ? null : (codePattern.exec(answerText)?.[1] ?? null),
    actorType: actor.type,
    actorId: actor.id,
    address: request.ip,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    requestHeaders: keptHeaders(redact, requestHeaders, (name) => request.headers[name]),
    requestBody: rawBody === undefined || isForgotten ? null : redact(storable(textOf(rawBody))),
    requestBytes: rawBody?.length ?? 0,
    answerHeaders: keptHeaders(redact, answerHeaders, (name) => reply.getHeader(name)),
    answerBody: answerText === null ? null : redact(storable(answerText)),
    answerBytes: answerBody === undefined ? 0 : Buffer.byteLength(answerBody),
  };
}

/** The error envelope (spec §7) as `answer.ts` serialises it. */
const codePattern = /^\{"error":\{"code":"([a-z_]+)"/;

/** The first bytes. A text that is cut is copied: a part of a text keeps the whole text in memory. */
function textOf(body: string | Buffer): string {
  if (typeof body !== 'string') return body.toString('utf8', 0, bodyBytesKept);
  if (Buffer.byteLength(body) <= bodyBytesKept) return body;
  return Buffer.from(body.slice(0, bodyBytesKept)).toString('utf8', 0, bodyBytesKept);
}

/** PostgreSQL stores no NUL and no unpaired surrogate. */
const storable = (text: string): string => {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\uFFFD') : wellFormed;
};

const requestHeaders = [
  'content-length',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'user-agent',
  'x-request-id',
];
const answerHeaders = ['etag', 'idempotency-replayed', 'location', 'retry-after'];
const headerMax = 256;

function keptHeaders(
  redact: Redact,
  names: readonly string[],
  read: (name: string) => string | number | readonly string[] | undefined,
): KeptHeaders {
  const kept: Record<string, string> = {};
  let all = '';
  for (const name of names) {
    const value = read(name);
    if (value === undefined) continue;
    const text = storable(typeof value === 'string' ? value : [value].flat().join(', '));
    kept[name] = text.length > headerMax ? text.slice(0, headerMax) : text;
    all += `${kept[name]}\n`;
  }
  // Together: one search instead of one for each.
  if (redact(all) === all) return kept;
  return Object.fromEntries(Object.entries(kept).map(([name, text]) => [name, redact(text)]));
}
