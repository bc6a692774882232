/** Receives webhooks with Express: node examples/express-webhooks/server.ts */

import express from 'express';
import { openInbox } from '../webhook-inbox/inbox.ts';
import { bodyBytesMax, readSecrets, receive } from '../webhook-inbox/receive.ts';

const port = Number(process.env['PORT'] ?? 3000);
const inbox = openInbox(process.env['INBOX_FILE'] ?? 'inbox.sqlite');
const secrets = readSecrets();
// What arrived before the process ended last time.
inbox.drain();

const app = express();
// The signature is over the raw bytes: express.json() would replace them before they are verified.
app.post(
  '/webhooks',
  express.raw({ type: () => true, limit: bodyBytesMax }),
  async (request, response) => {
    const body: unknown = request.body;
    // Express leaves an empty body undefined.
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    response.sendStatus(await receive(inbox, secrets, bytes, request.headers));
  },
);

app.listen(port, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}/webhooks`));
