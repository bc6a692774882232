/** A partner's receiver: a real HTTP server that keeps the exact bytes, and answers as it is told. */

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

/** How it answers each request; 200 unless told otherwise. */
export type Responder = (received: Received) => CannedResponse;

export async function openReceiver(answering: Responder = () => ({ status: 200 })) {
  const all: Received[] = [];
  const state = { answering };
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
      const canned = state.answering(received);
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
    /** Without pings. */
    events: () => all.filter(({ json }) => json.type !== 'ping'),
    respondWith: (next: Responder) => void (state.answering = next),
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** Spec §5.2, contract §6, as a receiver would check it with Node alone. */
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
