/** The HTTP server: limits, request ids, authentication, and one shape for every refusal. */

import Fastify, { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { NewId } from '../../kernel/ids.ts';
import { Problem, problems } from '../../kernel/problem.ts';
import { QueueFull } from '../process/fair-queue.ts';
import { rateLimited, requestDuration } from '../telemetry/instruments.ts';
import { inRequestSpan } from '../telemetry/trace.ts';
import { refusalAnswer } from './answer.ts';
import {
  type Authenticate,
  type Caller,
  credentialOf,
  requireAccess,
  requireScope,
} from './caller.ts';
import { announceDeprecations, type RecordDeprecatedUse } from './deprecation.ts';
import { toProblem, withMistakenId } from './failures.ts';
import type { Server } from './fastify-types.ts';
import { bodyBytesMax, parseJsonBody } from './json-body.ts';
import {
  isPage,
  isProbe,
  judgeCaller,
  judgeAnonymous,
  judgePage,
  type Judgement,
  type RateLimits,
  uncounted,
} from './limits.ts';
import { publicOriginOf } from './public-origin.ts';
import { compileQuery } from './query.ts';
import { redactBankNumbers } from './redact-bank-numbers.ts';
import { handleConnectAndExpect, trackResponse, refuseBrokenRequest } from './refuse-socket.ts';
import { requestIdOf, send } from './register.ts';
import { collectRoutes, type RouteTable } from './route-table.ts';
import { safeHeaders } from './safe-headers.ts';
import { compileBody, type Validate } from './validation.ts';

export type ServerOptions = {
  readonly newId: NewId;
  readonly authenticate: Authenticate;
  readonly limits: RateLimits;
  readonly recordDeprecatedUse: RecordDeprecatedUse;
  /** How many proxies are in front; their X-Forwarded-For is trusted. */
  readonly proxyHops: number;
  /** The address that partners use. Undefined: that of the request. */
  readonly publicUrl: string | undefined;
  readonly logger: Logger;
  /** True while the process is shutting down: every answer then closes its connection. */
  readonly isDraining: () => boolean;
  /** Undefined: that of `handler-timeout.ts`. */
  readonly handlerTimeoutMs?: number | undefined;
  /** Called after each answer; it must not throw. Undefined: requests are not recorded. */
  readonly recordRequest?: ((request: FastifyRequest, reply: FastifyReply) => void) | undefined;
};

const urlLengthMax = 8_192;
const headerBytesMax = 32 * 1024;
/** The whole request must arrive in this time. Idle connections are kept longer. */
const requestTimeoutMs = 8_000;
const connectionCheckMs = 1_000;
/** The connection of a client that neither sends nor reads for this long is closed. */
const silenceTimeoutMs = 30_000;
const keepAliveTimeoutMs = 65_000;
const clientRequestIdMax = 100;

export function buildServer(options: ServerOptions): Server {
  const { newId, logger, proxyHops } = options;
  const server = Fastify({
    loggerInstance: logger,
    // One line per request, written by the hook below.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId('req'),
    requestIdHeader: false,
    trustProxy: (_address, hop) => hop < proxyHops,
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: silenceTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: urlLengthMax },
    http: {
      maxHeaderSize: headerBytesMax,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: connectionCheckMs,
      // Node would refuse without our envelope; a hook below refuses.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => void refuseBrokenRequest(options, error, socket),
    frameworkErrors: (error, request, reply) => void refuseUnrouted(options, error, request, reply),
  }) as unknown as Server;

  // No logger per request: hardly any would be used, and each line has its request id.
  server.setChildLoggerFactory((parent) => parent);
  const routes = collectRoutes(server);
  server.decorate('operations', routes.operations);
  server.decorate('handlerTimeoutMs', options.handlerTimeoutMs);
  server.decorate('publicOriginOf', (request) => publicOriginOf(options.publicUrl, request));
  server.decorateRequest('caller', undefined);
  server.decorateRequest('rawBody', undefined);
  server.decorateRequest('answerBody', undefined);
  server.decorateRequest('span', undefined);
  handleConnectAndExpect(server, options);
  readJsonBodies(server);
  server.setValidatorCompiler(({ schema, httpPart }) => compileFor(httpPart, schema));
  server.setErrorHandler((error, request, reply) => refuse(options, error, request, reply));
  server.setNotFoundHandler((request, reply) =>
    refuse(options, noRoute(routes, request), request, reply),
  );
  addHooks(server, options);
  return server;
}

function addHooks(server: Server, options: ServerOptions): void {
  const { isDraining, recordRequest } = options;
  // With a callback, so that everything after it runs inside the span.
  server.addHook('onRequest', (request, _reply, done) => {
    inRequestSpan(`${request.method} ${request.routeOptions.url ?? 'nowhere'}`, (span) => {
      span.setAttribute('tonearm.request_id', request.id);
      request.span = span;
      done();
    });
  });

  server.addHook('onRequest', async (request, reply) => {
    trackResponse(request.raw.socket, reply.raw);
    void reply.headers({ 'x-request-id': request.id, ...safeHeaders });
    await admitRequest(options, request, reply);
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      throw new Problem(
        'invalid_request',
        'The Host header is missing, which HTTP/1.1 requires. Send it.',
      );
    }
    if (request.url.length > urlLengthMax) {
      throw new Problem(
        'uri_too_long',
        `The URL must have at most ${urlLengthMax} characters. Shorten the query.`,
      );
    }
  });

  // Only of routes that can use a deprecated feature, and before validation, so that its refusals have the headers too.
  server.addHook('onRoute', (route) => {
    const { deprecations } = route.config?.operation ?? {};
    if (deprecations === undefined) return;
    route.preValidation = async (request: FastifyRequest, reply: FastifyReply) => {
      const { caller } = request;
      for (const feature of announceDeprecations(deprecations, request, reply)) {
        if (caller !== undefined)
          await options.recordDeprecatedUse(feature, caller, requestIdOf(request));
      }
    };
  });

  // Checked when the answer leaves, not when the request arrived: a request that was running when the shutdown began
  // must also close its connection, or the server would wait for it.
  server.addHook('onSend', (request, reply, payload, done) => {
    if (isDraining()) void reply.header('connection', 'close');
    if (recordRequest !== undefined && (typeof payload === 'string' || Buffer.isBuffer(payload))) {
      request.answerBody = payload;
    }
    done();
  });

  // The fields of this line are fixed, so it is not searched for secrets; only the client's id may have one.
  const requestLog = options.logger.child({}, { redact: [] });
  server.addHook('onResponse', (request, reply, done) => {
    measure(request, reply);
    const inbound = request.headers['x-request-id'];
    requestLog.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 10) / 10,
        org_id: request.caller?.orgId,
        actor_id: request.caller?.actor.id,
        client_request_id:
          typeof inbound === 'string'
            ? redactBankNumbers(inbound.slice(0, clientRequestIdMax), '[redacted]')
            : undefined,
      },
      'request',
    );
    recordRequest?.(request, reply);
    done();
  });
}

function measure(request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply): void {
  const route = request.routeOptions.url ?? 'nowhere';
  requestDuration().record(elapsedTime / 1_000, {
    method: request.method,
    route,
    status: statusCode,
  });
  if (statusCode === 429) rateLimited().add(1, { route });
  request.span?.setAttributes({ 'http.route': route, 'http.response.status_code': statusCode });
  request.span?.end();
}

/** By the route: the owner of its path, nothing for a public route, or a credential. */
async function admitRequest(
  { authenticate, limits }: ServerOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { operation } = request.routeOptions.config;
  const { scope = 'public', alsoNeeds = [], ownerOf, ownCounter } = operation ?? {};
  if (ownerOf !== undefined) {
    await admitCaller(() => ownerOf(request.params), limits, request, reply);
  } else if (scope === 'public') {
    await admitAnonymous(limits, request, reply, ownCounter);
  } else {
    void reply.header('cache-control', 'private, no-store');
    const identify = async () => authenticate(credentialOf(request.headers));
    const caller = await admitCaller(identify, limits, request, reply);
    for (const each of [scope, ...alsoNeeds]) requireScope(caller, each);
    requireAccess(caller, operation ?? {});
  }
}

async function admitCaller(
  identify: () => Promise<Caller>,
  limits: RateLimits,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  let caller: Caller;
  try {
    caller = await identify();
  } catch (error) {
    // A refused credential counts for its address, against guessing. A failed look-up is not counted.
    if (isRefusal(error)) await admitAnonymous(limits, request, reply);
    else admit(reply, uncounted(limits));
    throw error;
  }
  // Before its limit is checked: a request that is refused with 429 is logged with its caller too.
  request.caller = caller;
  admit(reply, await judgeCaller(limits, caller));
  return caller;
}

/** The request is at fault (401, 403, an inbox that does not exist), not an unavailable PostgreSQL. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Problem && problems[error.code].status < 500;

async function admitAnonymous(
  limits: RateLimits,
  request: FastifyRequest,
  reply: FastifyReply,
  counter?: string,
): Promise<void> {
  const { url, ip } = request;
  if (isProbe(url)) admit(reply, uncounted(limits));
  else if (isPage(url)) admit(reply, await judgePage(limits, ip));
  else admit(reply, await judgeAnonymous(limits, ip, counter));
}

function admit(reply: FastifyReply, { headers, refusal }: Judgement): void {
  void reply.headers(headers);
  if (refusal !== undefined) throw refusal;
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

/** Compiles each schema once in a process: tests open hundreds of servers with the same schemas. */
function oncePerSchema(compile: (schema: object) => Validate): (schema: object) => Validate {
  const compiled = new WeakMap<object, Validate>();
  return (schema) => {
    const validate = compiled.get(schema) ?? compile(schema);
    compiled.set(schema, validate);
    return validate;
  };
}

const compileBodyOnce = oncePerSchema(compileBody);
const compileQueryOnce = oncePerSchema(compileQuery);

function compileFor(httpPart: string | undefined, schema: object): Validate {
  if (httpPart === 'body') return compileBodyOnce(schema);
  if (httpPart === 'querystring') return compileQueryOnce(schema);
  // Handlers parse the ids in paths, so that a malformed id answers exactly as an unknown one.
  return (value) => ({ value });
}

function noRoute(routes: RouteTable, request: FastifyRequest): Problem {
  const methods = routes.methodsOf(request.url);
  if (methods.length === 0) {
    const near = routes.nearestPathTo(request.url);
    const question = near === undefined ? '' : ` Did you mean \`${near}\`?`;
    return new Problem(
      'route_not_found',
      `This path does not exist; /docs lists the paths.${question}`,
    );
  }
  const allow = methods.join(', ');
  return new Problem(
    'method_not_allowed',
    `${request.method} is not allowed on this path. Use ${allow}.`,
    { headers: { allow } },
  );
}

/** The client hung up in the middle of its request: not a failure of the service, and it will not read the answer. */
const isCutOff = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;
const cutOff = () =>
  new Problem(
    'invalid_request',
    'The connection was closed before the request was complete. Send it again.',
  );

function refuse(
  { publicUrl }: ServerOptions,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = isCutOff(request) ? cutOff() : withMistakenId(toProblem(error), request.params);
  const { id, routeOptions } = request;
  // The requests of one organization are too many, which is no failure of ours.
  if (error instanceof QueueFull) {
    request.log.warn({ request_id: id, route: routeOptions.url }, error.message);
  } else if (problem.code === 'internal_error' || problem.code === 'service_unavailable') {
    request.log.error({ err: error, request_id: id, route: routeOptions.url }, problem.code);
  }
  const requestId = requestIdOf(request);
  void reply.headers({ 'x-request-id': requestId, ...safeHeaders });
  // `doc_url` may have the Host header of this client: a cache must not give the answer to another one.
  if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
  const docsOrigin = publicOriginOf(publicUrl, request);
  const { ownRefusals } = request.routeOptions.config.operation ?? {};
  const own = ownRefusals?.present(problem, docsOrigin);
  return send(reply, own ?? refusalAnswer(problem, requestId, docsOrigin));
}

/** For a URL so malformed that Fastify finds no route and runs no hook. */
async function refuseUnrouted(
  options: ServerOptions,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  trackResponse(request.raw.socket, reply.raw);
  const { headers, refusal } = await judgeAnonymous(options.limits, request.ip);
  void refuse(options, refusal ?? error, request, reply.headers(headers));
}
