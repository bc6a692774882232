/**
 * An SFTP server for one sender: one user with one key, no password, no shell, and one folder that is the root of every
 * path. Requests of a session are answered one after the other, so what waits is bounded by the window of SSH.
 */

import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { AuthContext, Connection, ParsedKey, ServerChannel, Session } from 'ssh2';
import { Server, utils } from '../../../platform/transport/ssh2.ts';
import { openSftpFiles } from './sftp-files.ts';
import { readPackets } from './sftp-packets.ts';

export type SftpServerOptions = {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The root of the sessions. */
  readonly folder: string;
  readonly user: string;
  /** Private, in OpenSSH's format. */
  readonly hostKey: string;
  /** Public, in OpenSSH's format. */
  readonly userKey: string;
  /** A connection that failed. Undefined: it is only closed. */
  readonly onError?: (error: unknown) => void;
};

export type SftpServer = {
  readonly port: number;
  readonly close: () => Promise<void>;
};

const connectionsMax = 32;
const sessionsPerConnectionMax = 4;
const loginTriesMax = 6;
const loginTimeoutMs = 20_000;

export async function startSftpServer(options: SftpServerOptions): Promise<SftpServer> {
  const { host, port, folder, hostKey, onError = () => undefined } = options;
  const userKey = requireKey(options.userKey);
  const connections = new Set<Connection>();
  const server = new Server({ hostKeys: [hostKey], ident: 'TonearmStore' }, (connection) => {
    if (connections.size >= connectionsMax) {
      connection.end();
      return;
    }
    connections.add(connection);
    // Nagle's algorithm costs 40 ms for each small answer.
    (connection as Connection & { setNoDelay: (isOn: boolean) => void }).setNoDelay(true);
    const login = setTimeout(() => connection.end(), loginTimeoutMs);
    connection
      .on('error', onError)
      .on('close', () => {
        clearTimeout(login);
        connections.delete(connection);
      })
      .on('authentication', admitOnly(options.user, userKey, connection))
      .on('ready', () => clearTimeout(login))
      .on('session', acceptSessions(folder, onError));
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      for (const connection of connections) connection.end();
      await closed.promise;
    },
  };
}

function requireKey(text: string): ParsedKey {
  const key = utils.parseKey(text);
  if (key instanceof Error) throw key;
  return key;
}

const isSame = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

function admitOnly(user: string, key: ParsedKey, connection: Connection) {
  let tries = 0;
  const isAdmitted = (context: AuthContext): boolean => {
    if (context.method !== 'publickey' || context.username !== user) return false;
    if (context.key.algo !== key.type || !isSame(context.key.data, key.getPublicSSH()))
      return false;
    // Without a signature the client asks whether the key would do.
    if (context.signature === undefined || context.blob === undefined) return true;
    // Against its types, it returns an error for a signature that it cannot read.
    const verdict: unknown = key.verify(context.blob, context.signature, context.hashAlgo);
    return verdict === true;
  };
  return (context: AuthContext): void => {
    if (isAdmitted(context)) return context.accept();
    if (++tries > loginTriesMax) connection.end();
    else context.reject(['publickey']);
  };
}

const acceptSessions = (folder: string, onError: (error: unknown) => void) => {
  let count = 0;
  return (accept: () => Session, reject: () => void): void => {
    if (count >= sessionsPerConnectionMax) return reject();
    count++;
    accept()
      .on('close', () => count--)
      .on('subsystem', (acceptSubsystem, rejectSubsystem, { name }) => {
        if (name !== 'sftp') return rejectSubsystem();
        const channel = acceptSubsystem();
        serve(folder, channel)
          .catch(onError)
          .finally(() => channel.destroy());
      });
  };
};

async function serve(folder: string, channel: ServerChannel): Promise<void> {
  const files = openSftpFiles(folder);
  // Also after an error, which ends the loop below.
  const closed = once(channel, 'close').catch(() => undefined);
  try {
    for await (const packet of readPackets(channel)) {
      const hasRoom = channel.write(await files.answer(packet));
      if (!hasRoom) await Promise.race([once(channel, 'drain'), closed]);
    }
    channel.exit(0);
    channel.end();
  } finally {
    await files.close();
  }
}
