/** A TCP proxy to a local port that can fall silent: connections stay open, and no byte comes back. */

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export async function openStallingProxy(targetPort: number) {
  const sockets = new Set<Socket>();
  let bytesLeft = Infinity;
  const server = createServer((client) => {
    const upstream = connect({ host: '127.0.0.1', port: targetPort });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on('data', (bytes) => {
      const passed = bytes.subarray(0, Math.min(bytes.length, bytesLeft));
      bytesLeft -= passed.length;
      client.write(passed);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    /** After this many more bytes of answers. */
    stallAfter: (bytes: number) => {
      bytesLeft = bytes;
    },
    /** Connections that stalled have lost bytes: they are closed. */
    recover: () => {
      bytesLeft = Infinity;
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
