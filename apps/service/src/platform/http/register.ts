import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TObject, Type } from 'typebox';
import { parseId, type RequestId } from '../../kernel/ids.ts';
import type { Answer } from './answer.ts';
import { type DeprecatedUse, refuseRemovedFeatures } from './deprecation.ts';
import type { Server } from './fastify-types.ts';
import { answeringInTime, type Handler } from './handler-timeout.ts';
import type { Input, Operation } from './operation.ts';
import { closed } from './schema.ts';

/** An unknown parameter is refused, not dropped (contract §1). */
const NoQuery = Type.Object({}, closed);

/** Puts an operation on the server. The hooks of `server.ts` authenticate by its scope. */
export function register<
  Params extends TObject | undefined,
  Query extends TObject | undefined,
  Body extends TObject | undefined,
>(server: Server, operation: Operation<Params, Query, Body>, handler: Handler): void {
  const { method, path, params, query, body, bodyBytesMax, deprecations } = operation;
  server.route({
    method,
    url: path,
    config: { operation },
    ...(bodyBytesMax !== undefined && { bodyLimit: bodyBytesMax }),
    schema: {
      ...(params !== undefined && { params }),
      querystring: query ?? NoQuery,
      ...(body !== undefined && { body }),
    },
    attachValidation: deprecations !== undefined,
    handler: answeringInTime(
      deprecations === undefined ? handler : refusingRemovedFeatures(deprecations, handler),
      server.handlerTimeoutMs,
    ),
  });
}

/** With `attachValidation` the handler also receives requests that are not valid. */
const refusingRemovedFeatures =
  (uses: readonly DeprecatedUse[], handler: Handler): Handler =>
  async (request, reply) => {
    if (request.validationError === undefined) return handler(request, reply);
    await refuseRemovedFeatures(uses, request);
    throw request.validationError;
  };

/** The request as its operation's schemas have checked it. */
export function inputOf<
  Params extends TObject | undefined,
  Query extends TObject | undefined,
  Body extends TObject | undefined,
>(request: FastifyRequest): Input<Params, Query, Body> {
  const { caller, params, query, body, headers } = request;
  if (caller === undefined) throw new Error('the route has no authenticated caller');
  // The parse boundary: Fastify has run the validators compiled from these very schemas.
  return { caller, params, query, body, ifMatch: headers['if-match'] } as Input<
    Params,
    Query,
    Body
  >;
}

export function send(reply: FastifyReply, answer: Answer<string | Buffer>): FastifyReply {
  void reply.code(answer.status).headers(answer.headers);
  if (answer.body === '') return reply.send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(answer.body);
}

export function requestIdOf(request: FastifyRequest): RequestId {
  const id = parseId('req', request.id);
  if (id === undefined) throw new Error(`not a request id: ${request.id}`);
  return id;
}
