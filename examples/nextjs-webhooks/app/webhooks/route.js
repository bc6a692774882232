/** Receives webhooks at /webhooks, as a route handler of Next.js. */

import { openInbox } from '../../../webhook-inbox/inbox.ts';
import { bodyBytesMax, readSecrets, receive } from '../../../webhook-inbox/receive.ts';

// SQLite needs Node, and an answer must never come from a cache.
export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';

/** Opened by the first request: Next.js also loads this file while it builds, without your secrets. */
let opened;
function open() {
  if (opened === undefined) {
    const inbox = openInbox(process.env.INBOX_FILE ?? 'inbox.sqlite');
    // What arrived before the process ended last time.
    inbox.drain();
    opened = { inbox, secrets: readSecrets() };
  }
  return opened;
}

export async function POST(request) {
  if (Number(request.headers.get('content-length') ?? 0) > bodyBytesMax) {
    return new Response(null, { status: 413 });
  }
  const { inbox, secrets } = open();
  // The signature is over the raw bytes: request.json() would lose them.
  const body = new Uint8Array(await request.arrayBuffer());
  return new Response(null, { status: await receive(inbox, secrets, body, request.headers) });
}
