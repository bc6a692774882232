/**
 * Decoders need no network, so on Linux they get a network namespace of their own, which has no interface that is
 * up. Creating one takes a user namespace, which some machines and container runtimes do not allow.
 */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const inOwnNamespace = ['unshare', '--user', '--net', '--'] as const;
const probeTimeoutMs = 5_000;

/** How its messages begin. It fails later too, where the machine has run out of namespaces. */
export const unsharePrefix = 'unshare: ';

let probed: Promise<readonly string[]> | undefined;

/** What to put before a command so that it has no network; nothing where that is not allowed. Probed once. */
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
