/**
 * Listens at every address of the network namespace, all of which lead to this process. A connection to an address that
 * is not allowed is a hit, even if nothing is sent on it.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';

export type Canary = {
  /** Forgets the hits so far. Connections to other addresses than these are hits from now on. */
  readonly allowOnly: (addresses: readonly string[]) => void;
  readonly hits: () => Promise<readonly string[]>;
};

const ports = [80, 443, 8080, 8443];
/** Always allowed. Connections are accepted in order: when these are answered, all earlier ones have been counted. */
const flushAddresses = ['5.5.5.5', '2a00::5'];

async function flushConnections(): Promise<void> {
  for (const port of ports) {
    for (const host of flushAddresses) {
      const socket = connect({ host, port });
      socket.write('GET / HTTP/1.1\r\nhost: canary\r\n\r\n');
      await once(socket, 'data');
      socket.destroy();
    }
  }
}

export async function openCanary(): Promise<Canary> {
  let allowed = new Set<string>();
  let hits: string[] = [];
  const onConnection = (socket: Socket) => {
    socket.on('error', () => undefined);
    const address = socket.localAddress ?? 'unknown';
    if (!allowed.has(address)) hits.push(`${address} ${socket.localPort}`);
  };
  for (const port of ports) {
    for (const host of ['0.0.0.0', '::']) {
      const server = createServer(respond);
      server.on('connection', onConnection);
      server.listen({ port, host, ipv6Only: true });
      await once(server, 'listening');
    }
  }
  return {
    allowOnly: (addresses) => {
      allowed = new Set([...addresses, ...flushAddresses]);
      hits = [];
    },
    hits: async () => {
      await flushConnections();
      return hits;
    },
  };
}

/** `/?status=307&to=URL` is answered with that redirect, everything else with 200. */
function respond(request: IncomingMessage, response: ServerResponse): void {
  const { searchParams } = new URL(request.url ?? '/', 'http://canary');
  const to = searchParams.get('to');
  request.resume();
  if (to === null) return void response.end('ok');
  response.writeHead(Number(searchParams.get('status')), {
    location: to,
    'content-location': to,
    refresh: `0; url=${to}`,
    link: `<${to}>; rel=preload`,
    'alt-svc': `http/1.1="${new URL(to).host}"`,
  });
  response.end(`<meta http-equiv="refresh" content="0; url=${to}">`);
}
