/** The HTTP server: limits, request ids, authentication, and one shape for every refusal. */
import type { Socket } from 'node:net';
import Fastify, { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { NewId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { refusalAnswer } from './answer.ts';
import { type Authenticate, credentialOf, requireScope } from './caller.ts';
import { toConnectionProblem, toProblem } from './failures.ts';
import { bodyBytesMax, parseJsonBody } from './json-body.ts';
import type { Server } from './fastify-types.ts';
import { requestIdOf, send } from './register.ts';
import { collectRoutes, type RouteTable } from './route-table.ts';
import { compileBody, compileQuery, type Validate } from './validation.ts';

export type ServerOptions = {
  readonly newId: NewId;
  readonly authenticate: Authenticate;
  readonly logger: Logger;
  /** True while the process is shutting down: every answer then closes its connection. */
  readonly isDraining: () => boolean;
};

const urlLengthMax = 8_192;
const headerBytesMax = 32 * 1024;
const paramLengthMax = 256;
/** The whole request must arrive within this time; idle connections are kept longer. */
const requestTimeoutMs = 8_000;
const connectionCheckMs = 1_000;
const keepAliveTimeoutMs = 65_000;
const clientRequestIdMax = 100;

export function buildServer(options: ServerOptions): Server {
  const { newId, logger } = options;
  const server = Fastify({
    loggerInstance: logger,
    // One line a request, written by the hook below.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    genReqId: () => newId('req'),
    requestIdHeader: false,
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: paramLengthMax },
    http: {
      maxHeaderSize: headerBytesMax,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: connectionCheckMs,
    },
    clientErrorHandler: (error, socket) => refuseConnection(newId, error, socket),
    frameworkErrors: (error, request, reply) => void refuse(error, request, reply),
  }) as unknown as Server;

  const routes = collectRoutes(server);
  server.decorate('operations', routes.operations);
  server.decorateRequest('caller', undefined);
  server.decorateRequest('rawBody', undefined);
  readJsonBodies(server);
  server.setValidatorCompiler(({ schema, httpPart }) => compileFor(httpPart, schema));
  server.setErrorHandler((error, request, reply) => refuse(error, request, reply));
  server.setNotFoundHandler((request, reply) => refuse(noRoute(routes, request), request, reply));
  addHooks(server, options);
  return server;
}

function addHooks(server: Server, { authenticate, isDraining }: ServerOptions): void {
  server.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    if (request.url.length > urlLengthMax) {
      throw new Problem('uri_too_long', `The URL must not exceed ${urlLengthMax} characters.`);
    }
    const { operation } = request.routeOptions.config;
    if (operation === undefined) return;
    request.caller = await authenticate(credentialOf(request.headers));
    requireScope(request.caller, operation.scope);
  });

  // Asked when the answer leaves, not when the request came: one that was running when the process
  // began to leave must also close its connection, or the server would wait for it.
  server.addHook('onSend', async (_request, reply) => {
    if (isDraining()) void reply.header('connection', 'close');
  });

  server.addHook('onResponse', async (request, reply) => {
    const inbound = request.headers['x-request-id'];
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 10) / 10,
        org_id: request.caller?.orgId,
        actor_id: request.caller?.actor.id,
        client_request_id:
          typeof inbound === 'string' ? inbound.slice(0, clientRequestIdMax) : undefined,
      },
      'request',
    );
  });
}

function readJsonBodies(server: Server): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      request.rawBody = bytes;
      return parseJsonBody(bytes);
    },
  );
}

function compileFor(httpPart: string | undefined, schema: unknown): Validate {
  if (httpPart === 'body') return compileBody(schema);
  if (httpPart === 'querystring') return compileQuery(schema);
  // Ids in paths are parsed by the handlers: a malformed id answers exactly as an unknown one.
  return (value) => ({ value });
}

function noRoute(routes: RouteTable, request: FastifyRequest): Problem {
  const methods = routes.methodsOf(request.url);
  if (methods.length === 0) {
    return new Problem('route_not_found', 'There is no such path. The reference is at /docs.');
  }
  const allow = methods.join(', ');
  return new Problem('method_not_allowed', `This path allows ${allow}.`, { headers: { allow } });
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toProblem(error);
  if (problem.code === 'internal_error' || problem.code === 'service_unavailable') {
    request.log.error({ err: error, route: request.routeOptions.url }, problem.code);
  }
  const requestId = requestIdOf(request);
  void reply.header('x-request-id', requestId);
  return send(reply, refusalAnswer(problem, requestId));
}

/** Node's parser gave up: there is no request object, only a socket to write the envelope to. */
function refuseConnection(newId: NewId, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newId('req');
  const { status, body } = refusalAnswer(toConnectionProblem(error.code ?? ''), requestId);
  socket.end(
    [
      `HTTP/1.1 ${status} Refused`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  // A client that keeps sending would otherwise keep the half-closed socket open.
  setTimeout(() => socket.destroy(), 500).unref();
}
