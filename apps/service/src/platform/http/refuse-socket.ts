/** Refusals without a request object: broken HTTP, and requests that Node would answer by itself. */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NewId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { refusalAnswer } from './answer.ts';
import { toConnectionProblem } from './failures.ts';
import type { Server } from './fastify-types.ts';
import { judgeAnonymous, type RateLimits } from './limits.ts';
import { safeHeaders } from './safe-headers.ts';

const lingerMs = 500;

/** The last answer begun on a socket. */
const answers = new WeakMap<Socket, ServerResponse>();

export const trackResponse = (socket: Socket, answer: ServerResponse): void =>
  void answers.set(socket, answer);

type SocketRefusalDeps = {
  readonly newId: NewId;
  readonly limits: RateLimits;
  readonly publicUrl: string | undefined;
};

/** Node closes a CONNECT without an answer, and refuses an unknown Expect header without our envelope. */
export function handleConnectAndExpect({ server }: Server, deps: SocketRefusalDeps): void {
  server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    void refuseSocket(
      deps,
      new Problem('invalid_request', 'CONNECT is not supported: this server is not a proxy.'),
      socket,
    );
  });
  // A server may ignore an unknown expectation (RFC 9110 §10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Node's parser refused the request. It reports that again with every further chunk. */
export async function refuseBrokenRequest(
  deps: SocketRefusalDeps,
  error: Error & { code?: string },
  socket: Socket,
): Promise<void> {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else await refuseSocket(deps, toConnectionProblem(error.code ?? ''), socket);
}

/** Sockets that were refused, or are being refused. */
const refused = new WeakSet<Socket>();

/** Writes the envelope to the socket. */
async function refuseSocket(
  { newId, limits, publicUrl }: SocketRefusalDeps,
  problem: Problem,
  socket: Socket,
): Promise<void> {
  if (refused.has(socket)) return;
  refused.add(socket);
  const earlier = answers.get(socket);
  if (earlier !== undefined && !earlier.closed) {
    // The client would read a second answer as that of the previous request, which gets a moment to end.
    earlier.once('close', () => socket.destroy());
    destroySoon(socket);
    return;
  }
  const { headers, refusal } = await judgeAnonymous(limits, socket.remoteAddress ?? 'unknown');
  const requestId = newId('req');
  const answer = refusalAnswer(refusal ?? problem, requestId, publicUrl ?? '');
  const lines = Object.entries({
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(answer.body)),
    'x-request-id': requestId,
    ...safeHeaders,
    connection: 'close',
    ...headers,
    ...answer.headers,
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${answer.status} Refused`, ...lines, '', answer.body].join('\r\n'));
  // A client that keeps sending would otherwise keep the half-closed socket open.
  destroySoon(socket);
}

const destroySoon = (socket: Socket) => setTimeout(() => socket.destroy(), lingerMs).unref();
