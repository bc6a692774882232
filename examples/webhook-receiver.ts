/**
 * Receives webhooks, with Node only: verifies the signature, answers at once, and ignores events it already has.
 *
 *   SECRET=whsec_… node examples/webhook-receiver.ts      listens on http://127.0.0.1:8422
 *
 * Generate a secret (`whsec_` and the base64 of 24 to 64 random bytes), start this, and register its URL with the
 * same secret: then the first ping is signed with it too.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

const secret = process.env['SECRET'] ?? '';
// With an empty secret everyone could sign a request.
if (!secret.startsWith('whsec_')) throw new Error('SECRET=whsec_… is missing');
const bytesMax = 10_000_000;
const port = Number(process.env['PORT'] ?? 8422);

/** Signs the bytes as they were received: JSON that is parsed and written again may differ. */
function isSignedByTonearm(body: Buffer, signature: string | undefined): boolean {
  const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const [a, b] = [Buffer.from(expected), Buffer.from(signature ?? '')];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** In memory here. In your receiver, store the ids for 30 days where they survive a restart. */
const receivedEventIds = new Set<string>();

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (Number(request.headers['content-length'] ?? Infinity) > bytesMax) {
    response.writeHead(413, { connection: 'close' }).end();
    return;
  }
  const body = await buffer(request);
  const signature = request.headers['x-svc-signature'];
  if (typeof signature !== 'string' || !isSignedByTonearm(body, signature)) {
    response.writeHead(401).end('not signed with our secret');
    return;
  }
  const event = JSON.parse(body.toString()) as { id: string; type: string; sequence: number };
  // Answer first: an attempt times out if the work takes long.
  response.writeHead(200).end();
  if (receivedEventIds.has(event.id)) return;
  receivedEventIds.add(event.id);
  process.stdout.write(`${event.sequence} ${event.type} ${event.id}\n`);
}

const server = createServer((request, response) => {
  // A client that disconnects ends its request, not the receiver.
  receive(request, response).catch(() => response.destroy());
});
server.listen(port, '127.0.0.1', () => process.stdout.write(`listening on ${port}\n`));
