import type { FastifyReply, FastifyRequest } from 'fastify';

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The handler took too long; what it began continues. */
export class HandlerTimeout extends Error {
  override readonly name = 'HandlerTimeout';
}

/** Shorter than the silence after which the connection is closed, so that the client gets its 503. */
export const handlerTimeoutMs = 25_000;

/** Fastify's own `handlerTimeout` ends with the request's body (fastify/fastify#6725), before the handler begins. */
export const answeringInTime =
  (timeoutMs: number, handler: Handler): Handler =>
  async (request, reply) => {
    const timer = setTimeout(() => {
      if (reply.raw.headersSent) reply.raw.destroy();
      else if (!reply.sent) void reply.send(new HandlerTimeout());
    }, timeoutMs);
    reply.raw.once('close', () => clearTimeout(timer));
    try {
      return await handler(request, reply);
    } catch (error) {
      if (reply.sent) return reply;
      throw error;
    }
  };
