import type { FastifyReply, FastifyRequest } from 'fastify';

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The handler took too long; what it began continues. */
export class HandlerTimeout extends Error {
  override readonly name = 'HandlerTimeout';
}

/** Shorter than the silence after which the connection is closed, so that the client gets its 503. */
const handlerTimeoutMs = 25_000;

/**
 * Fastify's own `handlerTimeout` ends with the request's body (fastify/fastify#6725), before the handler begins. Fastify logs
 * the error of a handler whose request was answered.
 */
export const answeringInTime =
  (handler: Handler, timeoutMs = handlerTimeoutMs): Handler =>
  async (request, reply) => {
    const timer = setTimeout(() => {
      if (!reply.sent) void reply.send(new HandlerTimeout());
    }, timeoutMs);
    // A handler that sends a stream ends with it: from here on, its own limit counts (`stream-lines.ts`).
    reply.raw.once('pipe', () => clearTimeout(timer));
    try {
      return await handler(request, reply);
    } finally {
      clearTimeout(timer);
    }
  };
