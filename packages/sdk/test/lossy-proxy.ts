/**
 * An HTTP proxy to a service that can lose an answer: the service executes the request, and the client hears nothing. It
 * also serves the files of a folder under `/sdk`, for a page of the same origin.
 */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as send, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

function serveFile(folder: string, path: string, response: ServerResponse): void {
  const isModule = path.startsWith('/sdk/');
  response.writeHead(200, { 'content-type': isModule ? 'text/javascript' : 'text/html' });
  response.end(isModule ? readFileSync(join(folder, path.slice('/sdk/'.length))) : '<title>SDK');
}

export async function openLossyProxy(target: string, folder?: string) {
  const { hostname, port } = new URL(target);
  let answersToLose = 0;
  let lost = 0;
  const server = createServer((request, response: ServerResponse) => {
    const { method, url: path = '', headers } = request;
    if (folder !== undefined && !path.startsWith('/v1/')) {
      serveFile(folder, path, response);
      return;
    }
    const upstream = send({ hostname, port, method, path, headers }, (answer) => {
      if (answersToLose > 0) {
        answersToLose--;
        lost++;
        answer.resume();
        answer.on('end', () => response.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The next answers do not arrive. */
    lose: (answers: number) => {
      answersToLose = answers;
    },
    lost: () => lost,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
