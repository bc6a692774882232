/** Turns any error into a problem of the catalogue (contract §7). Never a bare 500. */

import { mistakenId } from '../../kernel/id-kinds.ts';
import { Problem, type ProblemCode, unavailableMessage } from '../../kernel/problem.ts';
import { failureOf } from '../db/failures.ts';
import { QueueFull } from '../process/fair-queue.ts';
import { StorageUnavailable } from '../storage/storage.ts';
import { ThreadTimeout } from '../threads/threads.ts';
import { HandlerTimeout } from './handler-timeout.ts';

const retryAfter = { 'retry-after': '2' };

type Translation = { readonly code: ProblemCode; readonly message: string };

/** Fastify's own refusals, by its error codes. */
const fastifyProblems: Readonly<Record<string, Translation>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'payload_too_large',
    message:
      'The body is larger than this route accepts. Send at most 256 KiB (1 MiB for bulk requests and ERN messages).',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    message:
      'The Content-Type is not supported. Send the body as application/json, or an ERN message as application/xml.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'invalid_request',
    message:
      'Content-Length does not match the body. Send the exact number of bytes, or omit the header.',
  },
  FST_ERR_MAX_PARAM_LENGTH: {
    code: 'uri_too_long',
    message: 'The URL is too long. Shorten it to 8,192 characters.',
  },
  FST_ERR_BAD_URL: {
    code: 'invalid_request',
    message: 'The URL is not valid. Check its percent-encoding.',
  },
  FST_ERR_ASYNC_CONSTRAINT: {
    code: 'invalid_request',
    message: 'The request cannot be routed. Check its path and headers.',
  },
};

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = fastifyProblems[code];
  if (known !== undefined) return new Problem(known.code, known.message);
  if (error instanceof QueueFull) {
    return new Problem(
      'service_unavailable',
      'Your organization has too many requests waiting for the database at once. Wait for the seconds in Retry-After, and send fewer requests at the same time.',
      { headers: retryAfter },
    );
  }
  const isOverload =
    error instanceof StorageUnavailable ||
    error instanceof ThreadTimeout ||
    error instanceof HandlerTimeout;
  if (isOverload || failureOf(error) !== 'other') {
    return new Problem('service_unavailable', unavailableMessage, {
      headers: retryAfter,
    });
  }
  return new Problem(
    'internal_error',
    'Something failed on our side, and was recorded under this request_id. Send the request again with the same Idempotency-Key.',
  );
}

/** Ids are copied from one answer into the next request: one of another kind is the usual reason of a 404. */
export function withMistakenId(problem: Problem, parameters: unknown): Problem {
  if (problem.code !== 'resource_not_found') return problem;
  const hint = mistakenId(Object.entries(parameters ?? {}));
  return hint === undefined ? problem : new Problem(problem.code, `${problem.message} ${hint}`);
}

/** For requests that Node's parser refused before Fastify received them, by the parser's error codes. */
export function toConnectionProblem(code: string): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(
        'headers_too_large',
        'The request line and headers are larger than 32 KiB. Send fewer or shorter headers.',
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(
        'invalid_request',
        'The request did not arrive completely within 8 seconds. Send it again.',
      );
    default:
      return new Problem(
        'invalid_request',
        'The request is not valid HTTP/1.1. Check the client that sends it.',
      );
  }
}
