import type { FastifyRequest } from 'fastify';
import type { Answer } from './answer.ts';
import type { Server } from './fastify-types.ts';
import type { Operation } from './operation.ts';
import { register, send } from './register.ts';

/** A route without authentication. It has no caller, and so reads no tenant's rows. */
export function publicRead(
  server: Server,
  operation: Operation<undefined, undefined, undefined> & { readonly scope: 'public' },
  answer: (request: FastifyRequest) => Answer | Promise<Answer>,
): void {
  register(server, operation, async (request, reply) => send(reply, await answer(request)));
}
