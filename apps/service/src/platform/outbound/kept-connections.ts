/**
 * Connections that stay open for a few seconds after an answer, so that the next request of the same organization to the
 * same origin needs no name server, no TCP and no TLS handshake. Organizations share none. Each is used by one request at
 * a time, and is closed when it is old, so that a name that moves is resolved and its addresses are checked again.
 */

import type { Socket } from 'node:net';
import type { Client } from 'undici';

export type Connection = {
  readonly organization: string;
  /** The organization and the origin. */
  readonly key: string;
  readonly client: Client;
  readonly socket: Socket;
  readonly openedAt: number;
  isOpen: boolean;
};

/** Below the shortest usual timeout of a server (Node: 5 s), so that the receiver rarely closes first. */
export const idleMsMax = 4_000;
const ageMsMax = 60_000;
/** As many as a direct send uses at once (`send-new-events.ts`). */
const keptPerKeyMax = 4;
/** An organization with many endpoints does not close the connections of others. */
const keptPerOrganizationMax = 32;

type Owner = { readonly organization: string; readonly origin: string };

export type KeptConnections = {
  /** A new connection, to be used first and kept then. */
  readonly add: (owner: Owner, opened: Pick<Connection, 'client' | 'socket'>) => Connection;
  readonly take: (owner: Owner) => Connection | undefined;
  /** After an answer that was read to its end. Closes the connection if it is old, or if there is no room for it. */
  readonly keep: (connection: Connection) => void;
};

export function createKeptConnections(keptMax = 256): KeptConnections {
  /** The keys in the order in which they were last used. */
  const keptOf = new Map<string, Connection[]>();
  const keptOfOrganization = new Map<string, number>();
  let kept = 0;

  const count = (organization: string, change: 1 | -1): void => {
    const own = (keptOfOrganization.get(organization) ?? 0) + change;
    if (own === 0) keptOfOrganization.delete(organization);
    else keptOfOrganization.set(organization, own);
    kept += change;
  };

  const remove = (connection: Connection): void => {
    const connections = keptOf.get(connection.key) ?? [];
    const place = connections.indexOf(connection);
    if (place === -1) return;
    connections.splice(place, 1);
    count(connection.organization, -1);
    if (connections.length === 0) keptOf.delete(connection.key);
  };
  const closeLeastRecent = (): void => {
    const [[connection] = []] = keptOf.values();
    if (connection === undefined) return;
    remove(connection);
    close(connection);
  };

  return {
    add: (owner, { client, socket }) => {
      const { organization } = owner;
      const key = keyOf(owner);
      const connection = {
        organization,
        key,
        client,
        socket,
        openedAt: performance.now(),
        isOpen: true,
      };
      // By the receiver, or by the client after `idleMsMax`.
      client.once('disconnect', () => {
        connection.isOpen = false;
        remove(connection);
      });
      return connection;
    },
    take: (owner) => {
      const connection = keptOf.get(keyOf(owner))?.at(-1);
      if (connection === undefined) return undefined;
      remove(connection);
      if (isUsable(connection)) return connection;
      close(connection);
      return undefined;
    },
    keep: (connection) => {
      const connections = keptOf.get(connection.key) ?? [];
      const own = keptOfOrganization.get(connection.organization) ?? 0;
      const hasRoom = connections.length < keptPerKeyMax && own < keptPerOrganizationMax;
      if (!isUsable(connection) || !hasRoom) return close(connection);
      if (kept >= keptMax) closeLeastRecent();
      keptOf.delete(connection.key);
      keptOf.set(connection.key, [...connections, connection]);
      count(connection.organization, 1);
    },
  };
}

const keyOf = ({ organization, origin }: Owner) => `${organization} ${origin}`;

/** The client destroys the socket at once if the receiver wants the connection closed, and says so later. */
const isUsable = ({ isOpen, socket, openedAt }: Connection): boolean =>
  isOpen && !socket.destroyed && performance.now() - openedAt <= ageMsMax;

/** The socket too: a client that was destroyed before its first request has not taken it. */
export function close({ client, socket }: Connection): void {
  void client.destroy();
  socket.destroy();
}
