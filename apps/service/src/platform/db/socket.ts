import { Socket } from 'node:net';

const silent = () => Object.assign(new Error('PostgreSQL is silent'), { code: 'ETIMEDOUT' });

/**
 * The driver's connection, with two habits of its own.
 *
 * What is written within one tick leaves in one packet: the driver writes each statement of a pipeline by
 * itself, a read is four of them, and a call into the kernel costs more than the statement. (Not so with
 * TLS, whose records the driver writes past this.)
 *
 * A server that has been silent for too long is taken for gone. Statements have limits of their own on the
 * server, which are shorter, and the pool closes idle connections sooner; so whoever still waits here waits
 * for an answer that will not come. One timer a connection, not one a statement as the driver has it.
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
  // Not before: connecting puts Node's own `write` back.
  socket.once('connect', () => Object.assign(socket, { write: gather }));
  return socket;
}
