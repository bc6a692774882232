/**
 * A webhook receiver for tests and proofs: starts an HTTP server that records the exact bytes of every request and
 * answers with the responses that the test chose.
 */

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads what it expects to be there
  readonly json: any;
  readonly at: number;
};

export type CannedResponse = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
  readonly body?: string;
};

/** The receiver accepts the request and never answers it. */
export const noResponse = 'no response';

/** Chooses the response to each request. */
export type Responder = (
  received: Received,
) => CannedResponse | typeof noResponse | Promise<CannedResponse>;

export async function openReceiver(responder: Responder = () => ({ status: 200 })) {
  const all: Received[] = [];
  const state = { responder };
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      const received: Received = {
        path: request.url ?? '',
        headers: request.headers,
        body,
        json: JSON.parse(body.toString()),
        at: Date.now(),
      };
      all.push(received);
      const canned = await state.responder(received);
      if (canned === noResponse) return;
      if (canned.delayMs !== undefined) await wait(canned.delayMs);
      response.writeHead(canned.status, canned.headers).end(canned.body ?? '');
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    all,
    /** The received requests without pings. */
    events: () => all.filter(({ json }) => json.type !== 'ping'),
    respondWith: (next: Responder) => void (state.responder = next),
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** Verifies a signature (spec §5.2, contract §6) with Node alone, as a receiver would. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const digest = createHmac('sha256', secret).update(body).digest('hex');
  return headers['x-svc-signature'] === `sha256=${digest}`;
}

export function isSignedByStandard({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  const digest = createHmac('sha256', key).update(`${String(id)}.${String(timestamp)}.`);
  const signature = `v1,${digest.update(body).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(signature);
}
