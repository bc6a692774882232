import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy to a local port. While it is blocked, it closes open connections and refuses new ones. */
export async function openBlockableProxy(targetPort: number) {
  const sockets = new Set<Socket>();
  let isBlocked = false;
  const server = createServer((client) => {
    if (isBlocked) {
      client.destroy();
      return;
    }
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
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    block: () => {
      isBlocked = true;
      for (const socket of sockets) socket.destroy();
    },
    unblock: () => {
      isBlocked = false;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
