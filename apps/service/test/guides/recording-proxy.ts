/** Forwards requests to the api and records the status of each answer, so that a test sees what a shell script was told. */

import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answered = { readonly what: string; readonly status: number; readonly body: string };

export async function openRecordingProxy(target: string) {
  const { hostname, port } = new URL(target);
  let answers: Answered[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const forwarded = request({ hostname, port, method, path: url, headers }, (answer) => {
      const status = answer.statusCode ?? 0;
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      // Recorded before the last byte is passed on: the script continues only afterwards.
      answer.on('end', () => {
        answers.push({ what: `${method} ${url}`, status, body: Buffer.concat(chunks).toString() });
        outgoing.writeHead(status, answer.rawHeaders).end(Buffer.concat(chunks));
      });
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The answers since the last call. */
    takeAnswers: (): Answered[] => {
      const taken = answers;
      answers = [];
      return taken;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
