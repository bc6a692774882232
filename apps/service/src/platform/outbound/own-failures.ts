/**
 * Own failures: requests that could not be made for a reason on our side. They say nothing about the receiver, so they
 * must not count against it. Two kinds:
 *
 * - Certain by the error alone: this machine has no file descriptors, no memory for sockets or no local ports left.
 * - Suspected: no answer of a name server, or no route to the address. Either may be the receiver's fault (its name
 *   servers are away, its address is not routed). Then our side is checked without any receiver: does our name server
 *   answer for the root (`resolve.ts`), does this machine have a route to the internet? Only if not, the failure is our
 *   own. So one unreachable receiver never counts as an own failure, and an own failure ends with its cause.
 */

import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { OutboundFailure } from './failures.ts';

export type OwnCause = 'dns' | 'route' | 'ports' | 'files' | 'memory';

/** For an own failure that is certain where it happens. */
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

/** Undefined: the failure is the receiver's. */
export async function ownCauseOf(
  error: unknown,
  hasRoute: HasRoute,
): Promise<OwnCause | undefined> {
  if (error instanceof OwnFailure) return error.ownCause;
  const found = systemErrorsIn(error instanceof OutboundFailure ? error.cause : error).map(causeOf);
  // If one of several addresses was reached and refused, this machine has a route.
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

/** The addresses of a root name server (a.root-servers.net), as examples on the internet. Nothing is sent there. */
const internetAddresses = ['198.41.0.4', '2001:503:ba3e::2:30'] as const;

export async function hasRouteToInternet(): Promise<boolean> {
  const found = await Promise.all(internetAddresses.map(hasRouteTo));
  return found.includes(true);
}

/** Connecting a UDP socket looks up the route and sends nothing. */
export function hasRouteTo(address: string): Promise<boolean> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once('connect', () => resolve(true));
  socket.once('error', () => resolve(false));
  socket.connect(53, address);
  return promise.finally(() => socket.close());
}
