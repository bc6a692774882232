/** Why there is no answer, in words for the owner of the receiver. They reveal nothing about our network or machine. */

import { errors } from 'undici';
import { notPublic } from './examine-url.ts';

export type FailureKind =
  | 'refused'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'headers_too_large'
  | 'not_http';

const texts: Record<FailureKind, string> = {
  refused: notPublic,
  dns: 'The host name could not be resolved.',
  connect: 'No connection to the receiver could be made.',
  tls: 'No TLS connection to the receiver could be made; its certificate may be invalid.',
  timeout: 'The receiver did not answer in time.',
  reset: 'The receiver closed the connection before it answered.',
  headers_too_large: 'The headers of the answer are too large.',
  not_http: 'The answer is not HTTP.',
};

/** `cause` is for the log. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, text: string = texts[kind], cause?: unknown) {
    super(text, { cause });
    this.kind = kind;
  }
}

/** Errors of undici and the socket after the connection was made. Any other error is a bug and is thrown again. */
export function toFailure(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  if (error instanceof errors.HeadersOverflowError) return new OutboundFailure('headers_too_large');
  // undici's name for the closing of a connection by either side.
  const isClosed = error instanceof errors.InformationalError;
  if (isClosed || error instanceof errors.SocketError || isSystemError(error))
    return new OutboundFailure('reset');
  const isOurs = error instanceof errors.InvalidArgumentError;
  const isUndici = error instanceof errors.HTTPParserError || error instanceof errors.UndiciError;
  if (isUndici && !isOurs) return new OutboundFailure('not_http');
  throw error;
}

const isSystemError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && typeof error.syscall === 'string';
