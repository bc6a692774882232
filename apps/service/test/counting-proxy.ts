import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/**
 * A wire to PostgreSQL that counts round trips: each time the client speaks after the server has
 * answered (or for the first time) is one. What travels together is one, however many statements.
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
    /** Connections stay, and nothing comes through: a host that is gone without a word. */
    setBlackhole: (isSwallowing: boolean) => {
      state.isBlackholed = isSwallowing;
    },
    /** Cuts every connection, as a failing network would. */
    dropConnections: () => sockets.forEach((socket) => socket.destroy()),
    close: async () => {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Execute ('E') and simple Query ('Q') messages in what the client sent. */
function countStatements(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    const type = bytes.readUInt8(at);
    if (type === 0x45 || type === 0x51) count++;
    if (bytes.readInt32BE(at + 1) < 4) break;
  }
  return count;
}
