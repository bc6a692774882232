/** The answer of a route: serialised once; the same bytes are sent, hashed for the ETag and stored for replays. */

import { hash } from 'node:crypto';
import type { RequestId } from '../../kernel/ids.ts';
import { type Problem, problems } from '../../kernel/problem.ts';
import { docUrlOf } from './doc-url.ts';

type Headers = Readonly<Record<string, string>>;

export type Answer<Body extends string | Buffer = string> = {
  readonly status: number;
  readonly headers: Headers;
  /** JSON text, or empty where the status has no body. */
  readonly body: Body;
  /** SHA-256 of the bytes that the ETag covers, as base64url, for the audit log. Undefined: of the body. */
  readonly digest?: string;
};

export const ok = (value: unknown): Answer => ({
  status: 200,
  headers: {},
  body: JSON.stringify(value),
});

/** For work that has begun and continues in the background. */
export const accepted = (value: unknown): Answer => ({ ...ok(value), status: 202 });

/** A resource with fields that differ in every answer, such as signed URLs. Its ETag does not cover them. */
export const decorated = (value: object, fresh: object): Answer => ({
  ...resource(value),
  body: JSON.stringify({ ...value, ...fresh }),
});

/** One resource, with the ETag of exactly these bytes. */
export function resource(value: unknown): Answer {
  const body = JSON.stringify(value);
  const digest = sha256Of(body);
  return { status: 200, headers: { etag: etagOf(digest) }, body, digest };
}

export const created = (value: unknown, location: string): Answer =>
  asCreated(resource(value), location);

/** A decorated resource too: a secret that is shown once is in the body, not in the ETag and the digest. */
export const asCreated = (answer: Answer, location: string): Answer => ({
  ...answer,
  status: 201,
  headers: { ...answer.headers, location },
});

export const noContent = (): Answer => ({ status: 204, headers: {}, body: '' });

/** The error envelope of spec §7. `docsOrigin`: of the request (`doc-url.ts`). */
export function refusalAnswer(problem: Problem, requestId: RequestId, docsOrigin: string): Answer {
  const { code, message, details, headers } = problem;
  const error = {
    code,
    message,
    request_id: requestId,
    doc_url: docUrlOf(docsOrigin, code),
    ...(details.length > 0 && { details }),
  };
  return { status: problems[code].status, headers, body: JSON.stringify({ error }) };
}

const sha256Of = (body: string): string => hash('sha256', body, 'base64url');

const etagOf = (digest: string): string => `"${digest.slice(0, 27)}"`;

/** For the audit log: what the answer presents after a change. Undefined: nothing is left of it. */
export const digestOfAnswer = ({ body, digest }: Answer): Buffer | undefined =>
  body === '' ? undefined : Buffer.from(digest ?? sha256Of(body), 'base64url');

/** If-Match and If-None-Match: a list of tags, or `*`. A weak tag compares by its opaque part. */
export function matchesEtag(condition: string, etag: string): boolean {
  return condition
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag);
}

/** The precondition of a change: whether the current resource still has the caller's ETag. */
export const stillMatches = (condition: string, value: unknown): boolean =>
  matchesEtag(condition, etagOf(sha256Of(JSON.stringify(value))));
