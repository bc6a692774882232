import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { Database, Db } from '../db/database.ts';
import { type Answer, matchesEtag } from './answer.ts';
import { codingOf, weakened } from './compression.ts';
import type { Server } from './fastify-types.ts';
import type { Input, Operation } from './operation.ts';
import { inputOf, register, send } from './register.ts';

/** Runs one statement in the caller's organization, in one round trip. */
export type Ask = <T>(query: (db: Db) => Promise<T>) => Promise<T>;

/** A route that only reads, even if its method is POST. */
export function read<
  Params extends TObject | undefined,
  Query extends TObject | undefined,
  Body extends TObject | undefined = undefined,
>(
  server: Server,
  db: Database,
  operation: Operation<Params, Query, Body>,
  handle: (ask: Ask, input: Input<Params, Query, Body>) => Promise<Answer<string | Buffer>>,
): void {
  register(server, operation, async (request, reply) => {
    const input = inputOf<Params, Query, Body>(request);
    const ask: Ask = (query) => db.readOnce(input.caller.orgId, query);
    return sendUnlessKnown(request, reply, await handle(ask, input));
  });
}

function sendUnlessKnown(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer<string | Buffer>,
): FastifyReply {
  const condition = request.headers['if-none-match'];
  const { etag } = answer.headers;
  if (condition !== undefined && etag !== undefined && matchesEtag(condition, etag)) {
    const isCompressed = codingOf(request, answer.body) !== undefined;
    return reply
      .code(304)
      .header('etag', isCompressed ? weakened(etag) : etag)
      .send();
  }
  return send(reply, answer);
}
