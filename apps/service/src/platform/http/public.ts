import type { Answer } from './answer.ts';
import type { Server } from './fastify-types.ts';
import type { Operation } from './operation.ts';
import { register, send } from './register.ts';

/** A route without authentication: it has no caller and reads no database. */
export function publicRead(
  server: Server,
  operation: Operation<undefined, undefined, undefined> & { readonly scope: 'public' },
  answer: () => Answer,
): void {
  register(server, operation, async (_request, reply) => send(reply, answer()));
}
