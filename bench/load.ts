/**
 * Load for one HTTP server on this machine: so many connections, one request in flight on each. Written on
 * bare sockets, because on two cores what the client costs is taken from the servers it measures.
 */
import { connect } from 'node:net';

export type Shot = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type LoadResult = {
  readonly perSecond: number;
  readonly requests: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

export type LoadOptions = {
  readonly port: number;
  readonly connections: number;
  readonly ms: number;
  readonly next: () => Shot;
  readonly expected: number;
};

const head = Buffer.from('\r\n\r\n');

function serialise({ method, path, headers, body }: Shot): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === undefined ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: bench\r\n${lines.join('')}${length}\r\n${body ?? ''}`;
}

export async function load({
  port,
  connections,
  ms,
  next,
  expected,
}: LoadOptions): Promise<LoadResult> {
  const latencies: number[] = [];
  let failed = 0;
  const begun = performance.now();
  const until = begun + ms;

  const shoot = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true });
      let received = Buffer.alloc(0);
      let sentAt = 0;
      const send = () => {
        sentAt = performance.now();
        if (sentAt >= until) socket.end();
        else socket.write(serialise(next()));
      };
      socket.once('connect', send);
      socket.once('error', reject);
      socket.once('close', () => {
        // Not by us: whoever is hung up on does not count as served.
        if (performance.now() < until) failed++;
        resolve();
      });
      socket.on('data', (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const end = received.indexOf(head);
        if (end < 0) return;
        const top = received.toString('latin1', 0, end);
        const length = Number(/content-length: (\d+)/i.exec(top)?.[1] ?? 0);
        if (received.length < end + head.length + length) return;
        latencies.push(performance.now() - sentAt);
        if (Number(top.slice(9, 12)) !== expected) failed++;
        received = Buffer.alloc(0);
        send();
      });
    });
  await Promise.all(Array.from({ length: connections }, shoot));
  const seconds = (performance.now() - begun) / 1_000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round((latencies[Math.floor(latencies.length * share)] ?? 0) * 100) / 100;
  return {
    perSecond: latencies.length / seconds,
    requests: latencies.length,
    failed,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}
