/**
 * Decoders need no network, so on Linux each gets a new network namespace, in which no interface is up. Creating one
 * needs a user namespace, which some machines and container runtimes do not allow.
 */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const inOwnNamespace = ['unshare', '--user', '--net', '--'] as const;
const probeTimeoutMs = 5_000;

/** How the messages of `unshare` begin. It can fail after a successful probe, if the machine runs out of namespaces. */
export const unsharePrefix = 'unshare: ';

let probed: Promise<readonly string[]> | undefined;

/** The words before a command that runs it without a network; none if the machine does not allow that. Probed once. */
export const withoutNetwork = (): Promise<readonly string[]> => (probed ??= probe());

async function probe(): Promise<readonly string[]> {
  const [program, ...flags] = inOwnNamespace;
  try {
    await promisify(execFile)(program, [...flags, '/bin/sh', '-c', ':'], {
      timeout: probeTimeoutMs,
    });
    return inOwnNamespace;
  } catch {
    return [];
  }
}
