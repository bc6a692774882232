/**
 * Checks a destination by its text alone: when it is registered, and again before each request. The text is parsed by
 * the WHATWG URL standard, which normalizes every notation of an IPv4 address (decimal, octal, hexadecimal, fewer parts,
 * full-width digits, percent-encoded). The checks apply to the parsed URL, and requests use only the parsed URL.
 */

import { isIP } from 'node:net';
import { forbiddenCharacterIn } from '../../kernel/text.ts';
import { isAllowed } from './address.ts';
import type { Policy } from './policy.ts';

export type Examined =
  | { readonly isAllowed: true; readonly url: URL }
  /** For people. */
  | { readonly isAllowed: false; readonly refusal: string };

/** Contract §6. */
const charactersMax = 2048;

/** Names under these suffixes are private: inside a network they resolve to machines of that network. */
const privateSuffixes = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'private',
  'lan',
  'home',
  'home.arpa',
  'corp',
];

/**
 * Below 1024 only the ports of HTTP. Above, all except those that the Fetch standard blocks ("port blocking"): their
 * protocols might act on an HTTP request. 0 is not a port.
 */
const lowPorts = new Set([80, 443]);
const highPortsFrom = 1024;
const blockedPorts = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10_080,
]);

export function examineUrl(text: string, policy: Policy): Examined {
  const refusal = refuseText(text);
  if (refusal !== undefined) return { isAllowed: false, refusal };
  const url = URL.parse(text);
  if (url === null)
    return {
      isAllowed: false,
      refusal: 'url is not a URL. Send one such as https://partner.example/hooks.',
    };
  const reason = refuseScheme(url, policy) ?? refusePort(url) ?? refuseHost(url, policy);
  return reason === undefined ? { isAllowed: true, url } : { isAllowed: false, refusal: reason };
}

/** What the parser would accept silently: it drops line breaks, an empty fragment and an empty user. */
function refuseText(text: string): string | undefined {
  if (text.length > charactersMax)
    return `The URL must have at most ${charactersMax} characters. Shorten it.`;
  if (/[ \\]/.test(text) || forbiddenCharacterIn(text) !== undefined) {
    return 'The URL must not contain spaces, line breaks, control characters or backslashes. Percent-encode or remove them.';
  }
  if (text.includes('#')) return 'The URL must not have a fragment. Remove the part from # on.';
  const authority = /^[^/]*\/\/([^/?]*)/.exec(text)?.[1];
  if (authority === undefined || authority === '')
    return 'url is not a URL with a host. Send one such as https://partner.example/hooks.';
  if (authority.includes('@'))
    return 'The URL must not have a user name or a password. Remove the part before @.';
  return undefined;
}

function refuseScheme({ protocol, href }: URL, { allowHttp }: Policy): string | undefined {
  if (protocol !== 'https:' && !(allowHttp && protocol === 'http:')) {
    return allowHttp
      ? 'The URL must begin with https:// or http://.'
      : 'The URL must begin with https://.';
  }
  // Percent-encoding and Punycode lengthen it.
  return href.length > charactersMax
    ? `The URL must have at most ${charactersMax} characters when it is percent-encoded. Shorten it.`
    : undefined;
}

function refusePort({ port }: URL): string | undefined {
  if (port === '') return undefined;
  const number = Number(port);
  const isOpen = lowPorts.has(number) || (number >= highPortsFrom && !blockedPorts.has(number));
  return isOpen
    ? undefined
    : `Port ${port} is not allowed. Use 80, 443 or a port from ${highPortsFrom} on.`;
}

function refuseHost(url: URL, policy: Policy): string | undefined {
  const host = hostOf(url);
  if (isIP(host) !== 0) return isAllowed(host, policy) ? undefined : notPublic;
  if (isLocalhost(host)) {
    return policy.allowLoopback
      ? undefined
      : 'The host name of the URL is not public. Use a host name that the internet can resolve.';
  }
  const isPrivate = privateSuffixes.some((suffix) => isUnder(host, suffix));
  // A trailing dot is another form of the name, which certificates and the list above do not match.
  if (isPrivate || !host.includes('.') || host.endsWith('.'))
    return 'The host name of the URL is not public. Use a host name that the internet can resolve.';
  return undefined;
}

const isUnder = (host: string, suffix: string) => host === suffix || host.endsWith(`.${suffix}`);

export const notPublic = 'The URL resolves to an address that is not public. Use a public address.';

/** Always the loopback, even if a name server has another answer (RFC 6761 §6.3). */
export const isLocalhost = (host: string): boolean => isUnder(host, 'localhost');

/** Without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
