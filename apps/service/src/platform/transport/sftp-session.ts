/** One SFTP session over SSH, with the server's host key pinned. */

import { hash, timingSafeEqual } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { SFTPWrapper } from 'ssh2';
import { Client } from './ssh2.ts';
import { WrongHostKey } from './transport.ts';

export type SftpSettings = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** SHA-256 of the server's public key, as `ssh-keygen -l` shows it: `SHA256:…`. */
  readonly hostKey: string;
  readonly privateKey: string;
  /** Below which all paths are; empty: the folder in which a session starts. */
  readonly folder: string;
};

const connectTimeoutMs = 15_000;
/** A server that does not answer for half a minute is gone: every waiting call then fails. */
const keepaliveMs = 10_000;
const keepalivesMax = 3;

/** Node's own ciphers. The default of ssh2 may be one that it computes in JavaScript. */
const ciphers = [
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'aes128-ctr',
  'aes256-ctr',
] as const;

/** As `ssh-keygen -l` shows it. */
export const fingerprintOf = (publicKey: Buffer): string =>
  `SHA256:${hash('sha256', publicKey, 'base64').replace(/=+$/, '')}`;

const isSameText = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/**
 * ssh2 writes the length, the content and the tag of each packet by itself. What is written in one turn of the event loop
 * leaves in one call to the system.
 */
function gatherWrites(socket: Socket): Socket {
  const write = socket.write.bind(socket) as (...parameters: unknown[]) => boolean;
  socket.write = (...parameters: unknown[]) => {
    if (socket.writableCorked === 0) {
      socket.cork();
      setImmediate(() => socket.uncork());
    }
    return write(...parameters);
  };
  return socket;
}

type Done<T> = (error: Error | null | undefined, value: T) => void;

export type SftpSession = {
  readonly sftp: SFTPWrapper;
  /** The answer to one request. Rejects when the connection is lost: ssh2 then forgets some of its requests. */
  readonly ask: <T = void>(request: (done: Done<T>) => void) => Promise<T>;
  readonly close: () => Promise<void>;
};

/** The signal ends the session at any time; whatever waits for an answer then rejects. */
export async function openSftpSession(
  { host, port, user, hostKey, privateKey }: SftpSettings,
  signal: AbortSignal,
): Promise<SftpSession> {
  signal.throwIfAborted();
  const client = new Client();
  let wrongKey: string | undefined;
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  const { promise: closed, resolve: resolveClosed } = Promise.withResolvers<void>();
  const waiting = new Set<(error: Error) => void>();
  let isClosed = false;
  client
    .on('ready', resolve)
    .on('error', (error) =>
      reject(
        wrongKey === undefined
          ? error
          : new WrongHostKey(`the host key of ${host} is ${wrongKey}, not ${hostKey}`),
      ),
    )
    .on('close', () => {
      isClosed = true;
      const lost = new Error(`the connection to ${host} was closed`);
      for (const rejectRequest of [reject, ...waiting]) rejectRequest(lost);
      resolveClosed();
    });
  const ask: SftpSession['ask'] = async <T>(request: (done: Done<T>) => void): Promise<T> => {
    if (isClosed) throw new Error(`the connection to ${host} is closed`);
    const answer = Promise.withResolvers<T>();
    waiting.add(answer.reject);
    request((error, value) =>
      error === null || error === undefined ? answer.resolve(value) : answer.reject(error),
    );
    try {
      return await answer.promise;
    } finally {
      waiting.delete(answer.reject);
    }
  };
  const abort = () => client.destroy();
  signal.addEventListener('abort', abort, { once: true });
  // ssh2 opens its own socket with Nagle's algorithm on, which costs 40 ms per small request.
  const sock = gatherWrites(connect({ host, port, noDelay: true }));
  sock.once('error', reject);
  const close = async () => {
    signal.removeEventListener('abort', abort);
    client.end();
    await closed;
  };
  try {
    client.connect({
      sock,
      username: user,
      privateKey,
      readyTimeout: connectTimeoutMs,
      keepaliveInterval: keepaliveMs,
      keepaliveCountMax: keepalivesMax,
      algorithms: { cipher: [...ciphers] },
      hostVerifier: (publicKey: Buffer) => {
        const found = fingerprintOf(publicKey);
        if (isSameText(found, hostKey)) return true;
        wrongKey = found;
        return false;
      },
    });
    await ready;
    return { sftp: await ask<SFTPWrapper>((done) => client.sftp(done)), ask, close };
  } catch (error) {
    client.destroy();
    // ssh2 does not have it yet if it could not read the key.
    sock.destroy();
    throw error;
  }
}
