/** What the service adds to Fastify's own types. */

import type { Span } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { Caller } from './caller.ts';
import type { AnyOperation } from './operation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    rawBody: Buffer | undefined;
    /** The body of the answer as it is sent; only if requests are recorded. */
    answerBody: string | Buffer | undefined;
    span: Span | undefined;
  }
  interface FastifyInstance {
    /** Every operation registered so far, in order. */
    operations: readonly AnyOperation[];
    /** Undefined: that of `handler-timeout.ts`. */
    handlerTimeoutMs: number | undefined;
    /** What absolute links begin with in an answer to this request. */
    publicOriginOf: (request: FastifyRequest) => string;
  }
  interface FastifyContextConfig {
    operation?: AnyOperation;
  }
}

export type Server = FastifyInstance;
