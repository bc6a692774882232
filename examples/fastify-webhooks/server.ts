/** Receives webhooks with Fastify: node examples/fastify-webhooks/server.ts */

import Fastify from 'fastify';
import { openInbox } from '../webhook-inbox/inbox.ts';
import { bodyBytesMax, readSecrets, receive } from '../webhook-inbox/receive.ts';

const port = Number(process.env['PORT'] ?? 3000);
const inbox = openInbox(process.env['INBOX_FILE'] ?? 'inbox.sqlite');
const secrets = readSecrets();
// What arrived before the process ended last time.
inbox.drain();

const app = Fastify({ bodyLimit: bodyBytesMax });
// The signature is over the raw bytes: Fastify's own parser would replace them before they are verified.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

app.post<{ Body: Buffer | undefined }>('/webhooks', async (request, reply) => {
  const body = request.body ?? Buffer.alloc(0);
  return reply.code(await receive(inbox, secrets, body, request.headers)).send();
});

await app.listen({ port, host: '127.0.0.1' });
console.log(`listening on http://127.0.0.1:${port}/webhooks`);
