/** A TCP proxy in front of PostgreSQL, for tests that count round trips or need a failing network. */

import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/**
 * Listens on a free port and forwards to `targetPort`. A round trip begins each time the client sends after the
 * server has answered (or for the first time): statements that are sent together are one round trip.
 */
export async function openCountingProxy(targetPort: number) {
  const counts = { roundTrips: 0, statements: 0 };
  const sockets = new Set<Socket>();
  const state = { isBlackholed: false };
  const server = createServer((client) => {
    const upstream = connect({ host: '127.0.0.1', port: targetPort, noDelay: true });
    let hasAnswered = true;
    client.setNoDelay(true);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('data', (bytes) => {
      if (hasAnswered) counts.roundTrips++;
      hasAnswered = false;
      counts.statements += countStatements(bytes);
      if (!state.isBlackholed) upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      hasAnswered = true;
      if (!state.isBlackholed) client.write(bytes);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    measure: async (work: () => Promise<unknown>) => {
      const earlier = { ...counts };
      await work();
      return {
        roundTrips: counts.roundTrips - earlier.roundTrips,
        statements: counts.statements - earlier.statements,
      };
    },
    /** While set, connections stay open and no byte passes, as when a host is lost without closing them. */
    setBlackhole: (isBlackholed: boolean) => {
      state.isBlackholed = isBlackholed;
    },
    /** Cuts every connection, as a failing network would. */
    dropConnections: () => sockets.forEach((socket) => socket.destroy()),
    close: async () => {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Counts the Execute ('E') and simple Query ('Q') messages that the client sent. */
function countStatements(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    const type = bytes.readUInt8(at);
    if (type === 0x45 || type === 0x51) count++;
    if (bytes.readInt32BE(at + 1) < 4) break;
  }
  return count;
}
