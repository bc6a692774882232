import { Socket } from 'node:net';

const silent = () => Object.assign(new Error('PostgreSQL is silent'), { code: 'ETIMEDOUT' });

/**
 * The driver's socket, with two changes.
 *
 * Writes of one tick leave in one packet. The driver writes each statement of a pipeline separately, a read is four
 * statements, and a system call costs more than a statement. (TLS connections do not profit: the driver writes their
 * records past this function.)
 *
 * A server that is silent for `silenceTimeoutMs` counts as gone. The server's own statement limits are shorter, and the
 * pool closes idle connections sooner, so a socket that waits this long waits for an answer that will not come. This is
 * one timer per connection; the driver's is one per statement.
 */
export function openSocket(silenceTimeoutMs: number): Socket {
  const socket = new Socket();
  socket.setTimeout(silenceTimeoutMs, () => socket.destroy(silent()));

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
