/**
 * Requests that could not be made for reasons of ours. They say nothing about the receiver, so they must not count
 * against it. Two kinds:
 *
 * - Certain by the error alone: this machine has no file descriptors, no memory for sockets or no local ports left.
 * - Suspected: no answer of a name server, no route to the address. Either may be the receiver's (name servers that
 *   are away, an address nobody routes). Then our own side is asked, without any receiver: does our name server
 *   answer for the root (`resolve.ts`), does this machine have any route to the internet. Only if not, it is ours. So
 *   one receiver that cannot be reached is never taken for a failure of ours, and a failure of ours ends with its cause.
 */

import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { OutboundFailure } from './failures.ts';

export type OwnCause = 'dns' | 'route' | 'ports' | 'files' | 'memory';

/** Thrown where it is known at once. */
export class OwnFailure extends Error {
  override readonly name = 'OwnFailure';
  readonly ownCause: OwnCause;

  constructor(ownCause: OwnCause, cause?: unknown) {
    super(`a request could not be made: ${ownCause}`, { cause });
    this.ownCause = ownCause;
  }
}

const causes: Readonly<Record<string, OwnCause>> = {
  EMFILE: 'files',
  ENFILE: 'files',
  ENOBUFS: 'memory',
  ENOMEM: 'memory',
  EADDRNOTAVAIL: 'ports',
  ENETUNREACH: 'route',
  ENETDOWN: 'route',
  EHOSTUNREACH: 'route',
};

export type HasRoute = () => Promise<boolean>;

/** Undefined: whatever it was, it is the receiver's. */
export async function ownCauseOf(
  error: unknown,
  hasRoute: HasRoute,
): Promise<OwnCause | undefined> {
  if (error instanceof OwnFailure) return error.ownCause;
  const found = systemErrorsIn(error instanceof OutboundFailure ? error.cause : error).map(causeOf);
  // Of several addresses one that was reached and refused is enough: the way there is open.
  if (found.length === 0 || found.includes(undefined)) return undefined;
  const certain = found.find((cause) => cause !== 'route');
  if (certain !== undefined) return certain;
  return (await hasRoute()) ? undefined : 'route';
}

type SystemError = Error & { readonly code: string; readonly address?: string };

function systemErrorsIn(error: unknown): readonly SystemError[] {
  if (error instanceof AggregateError) return error.errors.flatMap(systemErrorsIn);
  const isSystem = error instanceof Error && 'code' in error && typeof error.code === 'string';
  return isSystem ? [error as SystemError] : [];
}

function causeOf({ code, address = '' }: SystemError): OwnCause | undefined {
  // A machine without IPv6 has no address to connect from, however many ports are free.
  if (code === 'EADDRNOTAVAIL' && isIPv6(address)) return 'route';
  return causes[code];
}

/** Two root name servers (a.root-servers.net), as addresses that are somewhere on the internet. Nothing is sent there. */
const somewhere = ['198.41.0.4', '2001:503:ba3e::2:30'] as const;

export async function hasRouteToInternet(): Promise<boolean> {
  const found = await Promise.all(somewhere.map(hasRouteTo));
  return found.includes(true);
}

/** Connecting a UDP socket looks the route up, and sends nothing. */
export function hasRouteTo(address: string): Promise<boolean> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once('connect', () => resolve(true));
  socket.once('error', () => resolve(false));
  socket.connect(53, address);
  return promise.finally(() => socket.close());
}
