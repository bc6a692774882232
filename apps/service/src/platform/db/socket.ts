import { Socket } from 'node:net';
import type pg from 'pg';

const silent = () => Object.assign(new Error('PostgreSQL is silent'), { code: 'ETIMEDOUT' });

/**
 * The driver's socket, with one change: writes of one tick leave in one packet. The driver writes each statement of a
 * pipeline separately, a read is four statements, and a system call costs more than a statement. (TLS connections do
 * not profit: the driver writes their records past this function.)
 */
export function openSocket(): Socket {
  const socket = new Socket();

  const write = socket.write.bind(socket);
  let isGathering = false;
  const gather = (...args: Parameters<typeof write>): boolean => {
    if (!isGathering) {
      isGathering = true;
      socket.cork();
      process.nextTick(() => {
        isGathering = false;
        socket.uncork();
      });
    }
    return write(...args);
  };
  // Not before 'connect': connecting restores Node's own `write`.
  socket.once('connect', () => Object.assign(socket, { write: gather }));
  return socket;
}

/**
 * A server that is silent for `silenceTimeoutMs` while a connection is in use, or is being closed, counts as gone. The
 * server's own statement limits are shorter, so a socket that waits this long waits for an answer that will not come.
 * Silence of an idle connection means nothing. This is one timer per connection; the driver's is one per statement.
 */
export function closeSilentConnections(pool: pg.Pool, silenceTimeoutMs: number): void {
  const clientsInUse = new WeakSet<pg.PoolClient>();
  pool.on('connect', (client) => {
    const { stream } = client.connection;
    stream.on('timeout', () => {
      if (clientsInUse.has(client) || stream.writableEnded) stream.destroy(silent());
    });
  });
  pool.on('acquire', (client) => {
    clientsInUse.add(client);
    const { stream } = client.connection;
    // Starts the timer again: it may have run while the connection was idle.
    if (stream instanceof Socket) stream.setTimeout(silenceTimeoutMs);
  });
  pool.on('release', (_error, client) => void clientsInUse.delete(client));
}
