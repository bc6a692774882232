/**
 * Load for one HTTP server on this machine: a number of connections with one request in flight on each. It uses bare
 * sockets, because on two cores the processor time of the client is missing to the servers it measures.
 */

import { connect } from 'node:net';

export type LoadRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type LoadResult = {
  readonly perSecond: number;
  readonly answered: number;
  readonly failed: number;
};

export type LoadOptions = {
  readonly port: number;
  readonly connections: number;
  readonly ms: number;
  readonly next: () => LoadRequest;
  readonly expected: number;
};

const headEnd = Buffer.from('\r\n\r\n');

function serialise({ method, path, headers, body }: LoadRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === undefined ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: bench\r\n${lines.join('')}${length}\r\n${body ?? ''}`;
}

export async function runLoad({
  port,
  connections,
  ms,
  next,
  expected,
}: LoadOptions): Promise<LoadResult> {
  let answered = 0;
  let failed = 0;
  const begun = performance.now();
  const until = begun + ms;

  const runConnection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true });
      let received = Buffer.alloc(0);
      const send = () => {
        if (performance.now() >= until) socket.end();
        else socket.write(serialise(next()));
      };
      socket.once('connect', send);
      socket.once('error', reject);
      socket.once('close', () => {
        // The server closed the connection: its request has failed.
        if (performance.now() < until) failed++;
        resolve();
      });
      socket.on('data', (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const end = received.indexOf(headEnd);
        if (end < 0) return;
        const headText = received.toString('latin1', 0, end);
        const length = Number(/content-length: (\d+)/i.exec(headText)?.[1] ?? 0);
        if (received.length < end + headEnd.length + length) return;
        answered++;
        if (Number(headText.slice(9, 12)) !== expected) failed++;
        received = Buffer.alloc(0);
        send();
      });
    });
  await Promise.all(Array.from({ length: connections }, runConnection));
  const seconds = (performance.now() - begun) / 1_000;
  return { perSecond: answered / seconds, answered, failed };
}
