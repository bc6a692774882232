/** A server over a real socket that treats each request as the test says, and remembers what it got. */

import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { Tonearm, type TonearmOptions } from '../src/index.ts';

export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

export type Handler = (response: ServerResponse, request: Received) => void;

/** The first request gets the first handler, and so on; the last one stays. */
export async function givenServer(t: TestContext, ...handlers: readonly Handler[]) {
  const received: Received[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = request;
    const body = await buffer(request);
    received.push({ method, path, headers, body });
    const handle = handlers[Math.min(received.length, handlers.length) - 1];
    handle?.(response, { method, path, headers, body });
  };
  // A client that goes away in the middle of its request gets no answer.
  const server = createServer((request, response) => {
    answer(request, response).catch(() => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, received };
}

/** Without jitter, waits between attempts are those that the server asks for. */
export async function givenClient(
  t: TestContext,
  handlers: readonly Handler[],
  options: TonearmOptions = {},
) {
  t.mock.method(Math, 'random', () => 0);
  const { url, received } = await givenServer(t, ...handlers);
  const key = options.oauth === undefined ? { apiKey: 'ta_test_key' } : {};
  return { received, tonearm: new Tonearm({ ...key, baseUrl: url, ...options }) };
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (response) =>
    response
      .writeHead(status, {
        'content-type': 'application/json',
        'x-request-id': 'req_01m74z2pe0e92rqjmzew5t1rxc',
        ...headers,
      })
      .end(JSON.stringify(body));

export const refusal = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
): Handler =>
  json(
    status,
    { error: { code, message: `It is ${code}.`, request_id: 'req_1', doc_url: '/x' } },
    headers,
  );

/** Closes the connection without an answer. */
export const hangUp: Handler = (response) => response.destroy();

/** Announces a whole body, and closes the connection in the middle. */
export const breakOff =
  (body: unknown): Handler =>
  (response) => {
    const text = JSON.stringify(body);
    response.writeHead(200, { 'content-length': Buffer.byteLength(text) });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
  };

export const neverAnswer: Handler = () => undefined;
