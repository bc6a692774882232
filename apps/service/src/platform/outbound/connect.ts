/**
 * The guarded connection. In order:
 *
 * 1. The name is resolved once; an address needs no resolving. One refused address refuses the destination: a name with
 *    public and private addresses is an attack, or will fail every other time.
 * 2. The socket may connect only to these addresses, so a later answer of a name server does not matter.
 * 3. The socket checks Node's block list before it connects, and the connected address is checked before anything is
 *    sent, in case 1 or 2 has a hole.
 * 4. TLS with the name of the URL, over the checked socket.
 *
 * The signal ends all of it.
 */

import { isIP, type LookupFunction, connect as openTcp, type Socket } from 'node:net';
import { connect as openTls, type SecureContext, type TLSSocket } from 'node:tls';
import { blockListFor, isAllowed } from './address.ts';
import { isLocalhost } from './examine-url.ts';
import { OutboundFailure, type FailureKind } from './failures.ts';
import { OwnFailure } from './own-failures.ts';
import type { Policy } from './policy.ts';
import type { Resolve } from './resolve.ts';

export type Guard = {
  readonly policy: Policy;
  readonly resolve: Resolve;
  /** The trusted certificates; made once, because that costs as much as a handshake. */
  readonly trust: SecureContext;
};

/** Addresses of a name that are tried one after the other, per family; a name may have any number. */
const addressesPerFamilyMax = 2;
const attemptTimeoutMs = 3_000;

type Target = {
  readonly protocol: string;
  readonly host: string;
  readonly port: number;
};

export async function connectGuarded(
  guard: Guard,
  target: Target,
  signal: AbortSignal,
): Promise<Socket> {
  const addresses = await addressesOf(target.host, guard, signal);
  const socket = openPinned(addresses, target.port, guard.policy);
  try {
    await opened(socket, 'connect', 'connect', signal);
    refuseRemote(socket.remoteAddress, guard.policy);
    if (target.protocol !== 'https:') return socket;
    const secure = secured(socket, target.host, guard.trust);
    await opened(secure, 'secureConnect', 'tls', signal);
    return secure;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function refuseRemote(address: string | undefined, policy: Policy): void {
  // The connection has closed already.
  if (address === undefined) throw new OutboundFailure('connect');
  if (!isAllowed(address, policy)) throw new OutboundFailure('refused');
}

export async function addressesOf(
  host: string,
  { policy, resolve }: Guard,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await resolveName(host, resolve, signal) : [host];
  if (!addresses.every((address) => isAllowed(address, policy)))
    throw new OutboundFailure('refused');
  return [4, 6].flatMap((family) =>
    addresses.filter((address) => isIP(address) === family).slice(0, addressesPerFamilyMax),
  );
}

async function resolveName(name: string, resolve: Resolve, signal: AbortSignal) {
  if (isLocalhost(name)) return ['127.0.0.1', '::1'];
  const addresses = await orAborted(resolve(name), signal).catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof OwnFailure) throw error;
    throw new OutboundFailure('dns', undefined, error);
  });
  if (addresses.length === 0) throw new OutboundFailure('dns');
  return addresses;
}

function openPinned(addresses: readonly string[], port: number, policy: Policy): Socket {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_name, _options, done) => done(null, pinned);
  const blockList = blockListFor(policy);
  return openTcp({
    // A name, because `lookup` is not called for an address.
    host: 'pinned.invalid',
    port,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
    noDelay: true,
    ...(blockList !== undefined && { blockList }),
  });
}

function secured(socket: Socket, host: string, secureContext: SecureContext): TLSSocket {
  return openTls({
    socket,
    // An address is not a server name (RFC 6066 §3); the certificate is checked against either.
    ...(isIP(host) === 0 ? { servername: host } : { host }),
    ALPNProtocols: ['http/1.1'],
    // NODE_TLS_REJECT_UNAUTHORIZED must not change this.
    rejectUnauthorized: true,
    secureContext,
  });
}

function opened(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  kind: FailureKind,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once(event, resolve);
  // This listener stays: an 'error' event without a listener would end the process.
  socket.on('error', (error) =>
    reject(new OutboundFailure(isBlocked(error) ? 'refused' : kind, undefined, error)),
  );
  socket.once('close', () => reject(new OutboundFailure(kind)));
  return orAborted(promise, signal);
}

const isBlocked = (error: Error): boolean =>
  error instanceof AggregateError
    ? error.errors.some(isBlocked)
    : 'code' in error && error.code === 'ERR_IP_BLOCKED';

/** Races `work` even if the signal is aborted already: its unhandled rejection would end the process. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
