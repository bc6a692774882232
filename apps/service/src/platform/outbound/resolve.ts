/**
 * Every address of a name. Asked of name servers by c-ares and not by `dns.lookup`, for three reasons: libuv runs two
 * getaddrinfo at a time, so two strangers' name servers that do not answer hold up every other name of the process
 * (measured: 10 s); it reads /etc/hosts, whose names are of this machine; it appends search domains.
 */
import { Resolver } from 'node:dns/promises';

/** Rejects when the name has none, or nobody knows. */
export type Resolve = (name: string) => Promise<readonly string[]>;

const tryTimeoutMs = 3_000;
const triesMax = 2;

/** `servers` instead of the machine's own. */
export function resolveByDns(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: tryTimeoutMs, tries: triesMax });
  if (servers !== undefined) resolver.setServers(servers);
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    );
    if (addresses.length === 0) throw new Error(`no address for ${name}`);
    return addresses;
  };
}
