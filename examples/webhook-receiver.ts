/**
 * A receiver of webhooks, with Node alone: verifies, answers at once, knows what it has seen.
 *
 *   SECRET=whsec_… node examples/webhook-receiver.ts      listens on http://127.0.0.1:8422
 *
 * Make a secret of your own (`whsec_` and the base64 of 24 to 64 random bytes), start this, and register its address
 * with the same secret: the first ping is verified too.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

const secret = process.env['SECRET'] ?? '';
// Signed with an empty secret, anything would be ours.
if (!secret.startsWith('whsec_')) throw new Error('SECRET=whsec_… is missing');
const bytesMax = 10_000_000;
const port = Number(process.env['PORT'] ?? 8422);

/** The bytes as they came: parsed and written again they may differ. */
function isOurs(body: Buffer, signature: string | undefined): boolean {
  const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const [a, b] = [Buffer.from(expected), Buffer.from(signature ?? '')];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Kept in memory for the example: yours should outlive a restart, for 30 days. */
const seen = new Set<string>();

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (Number(request.headers['content-length'] ?? Infinity) > bytesMax) {
    response.writeHead(413, { connection: 'close' }).end();
    return;
  }
  const body = await buffer(request);
  const signature = request.headers['x-svc-signature'];
  if (typeof signature !== 'string' || !isOurs(body, signature)) {
    response.writeHead(401).end('not signed with our secret');
    return;
  }
  const event = JSON.parse(body.toString()) as { id: string; type: string; sequence: number };
  // First the answer, then the work.
  response.writeHead(200).end();
  if (seen.has(event.id)) return;
  seen.add(event.id);
  process.stdout.write(`${event.sequence} ${event.type} ${event.id}\n`);
}

const server = createServer((request, response) => {
  // Whoever hangs up in the middle ends a request, not the receiver.
  receive(request, response).catch(() => response.destroy());
});
server.listen(port, '127.0.0.1', () => process.stdout.write(`listening on ${port}\n`));
