/** What a call can fail with. Each class is for something else that a program does about it. */

import type { ApiError as ErrorEnvelope } from '../generated/schema.ts';

type ErrorCode = ErrorEnvelope['error']['code'];

/** Every error of the SDK. */
export class TonearmError extends Error {
  override readonly name: string = this.constructor.name;
}

/** No answer: the connection failed or broke, and so did every retry. */
export class ConnectionError extends TonearmError {
  /** How many attempts were made. */
  readonly attempts: number;

  constructor(message: string, attempts: number, cause?: unknown) {
    super(message, { cause });
    this.attempts = attempts;
  }
}

/** No answer in time. */
export class TimeoutError extends ConnectionError {}

/** One value that is wrong. */
export type ErrorDetail = {
  /** The path of the field, or the name of the parameter. */
  readonly field: string;
  /** What is wrong with it. */
  readonly issue: string;
};

/** What an answer that is no success says. */
export type Refusal = {
  readonly status: number;
  readonly headers: Headers;
  readonly message: string;
  readonly code?: ErrorCode | undefined;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly docUrl?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly attempts: number;
};

/** An answer that is no success. */
export class ApiError extends TonearmError {
  /** The HTTP status. */
  readonly status: number;
  /** What is wrong, for programs. `undefined`: the answer is not one of the API, for example that of a proxy. */
  readonly code: ErrorCode | undefined;
  /** Every value that is wrong. */
  readonly details: readonly ErrorDetail[];
  /** Send it to support if you have a question about the request. */
  readonly requestId: string | undefined;
  /** The page about the code. */
  readonly docUrl: string | undefined;
  /** How many seconds the API asks you to wait. */
  readonly retryAfter: number | undefined;
  readonly headers: Headers;
  /** How many attempts were made. */
  readonly attempts: number;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.status = refusal.status;
    this.code = refusal.code;
    this.details = refusal.details ?? [];
    this.requestId = refusal.headers.get('x-request-id') ?? undefined;
    this.docUrl = refusal.docUrl;
    this.retryAfter = refusal.retryAfter;
    this.headers = refusal.headers;
    this.attempts = refusal.attempts;
  }
}

/** 304: the resource is still what `ifNoneMatch` says. */
export class NotModifiedError extends ApiError {}
/** 400: the request itself is wrong, for example a parameter of the query. */
export class BadRequestError extends ApiError {}
/** 401: the key or the token is missing, wrong or has expired. */
export class AuthenticationError extends ApiError {}
/** 403: the key has no scope for it, or the tier does not include it. */
export class PermissionDeniedError extends ApiError {}
/** 404: nothing has this id. */
export class NotFoundError extends ApiError {}
/** 409: the state of a resource does not allow it. */
export class ConflictError extends ApiError {}
/** 412: the resource is no longer what `ifMatch` says. */
export class PreconditionFailedError extends ApiError {}
/** 422: values of the body are wrong. `details` lists them. */
export class UnprocessableError extends ApiError {}
/** 429: too many requests, and every retry was refused too. */
export class RateLimitError extends ApiError {}
/** 5xx: the service failed, and so did every retry. */
export class ServerError extends ApiError {}

const classByStatus: Readonly<Record<number, typeof ApiError>> = {
  304: NotModifiedError,
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  422: UnprocessableError,
  429: RateLimitError,
};

export function errorOf(refusal: Refusal): ApiError {
  const Class = classByStatus[refusal.status] ?? (refusal.status >= 500 ? ServerError : ApiError);
  return new Class(refusal);
}
