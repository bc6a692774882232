/**
 * Resolves all addresses of a name. With c-ares instead of `dns.lookup`, for three reasons: libuv runs two getaddrinfo
 * at a time, so two silent name servers of partners block every other name of the process (measured: 10 s); it reads
 * /etc/hosts, which has names of this machine; it appends search domains.
 *
 * A name without an answer is its owner's failure, unless our name server answers for nothing. To find that out, it is
 * asked for the root's name servers, which every resolver knows.
 */

import { Resolver } from 'node:dns/promises';
import { OwnFailure } from './own-failures.ts';

/** Rejects if the name has no address; with an `OwnFailure` if our name server does not answer. */
export type Resolve = (name: string) => Promise<readonly string[]>;

const tryTimeoutMs = 2_000;
const triesMax = 2;
/** Name and root together stay within an attempt's time, also with several name servers. */
const rootTimeoutMs = 1_000;

/** `servers` instead of the machine's own. */
export function resolveByDns(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: tryTimeoutMs, tries: triesMax });
  if (servers !== undefined) resolver.setServers(servers);
  const isAway = rootUnanswered(servers);
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    );
    if (addresses.length > 0) return addresses;
    const failures = answers.map((answer) => (answer.status === 'rejected' ? answer.reason : null));
    if (failures.every(isUnanswered) && (await isAway())) throw new OwnFailure('dns', failures[0]);
    throw new Error(`no address for ${name}`, { cause: failures[0] });
  };
}

/** There was no answer about the name, or the resolver itself got none. */
const unansweredCodes = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EREFUSED',
  'ESERVFAIL',
  'ETIMEOUT',
  'ENOMEM',
]);

const isUnanswered = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  unansweredCodes.has(error.code);

/** Callers at the same time share one query. */
function rootUnanswered(servers: readonly string[] | undefined): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  const ask = async (): Promise<boolean> => {
    const resolver = new Resolver({ timeout: rootTimeoutMs, tries: 1 });
    if (servers !== undefined) resolver.setServers(servers);
    try {
      await resolver.resolveNs('.');
      return false;
    } catch (error) {
      return isUnanswered(error);
    } finally {
      asking = undefined;
    }
  };
  return () => (asking ??= ask());
}
