/**
 * What can be said of a destination by its text alone, for whoever registers it and again for whoever sends to it.
 * The text is read as the WHATWG URL standard has it, which turns every spelling of an IPv4 address (decimal, octal,
 * hexadecimal, fewer parts, full-width digits, percent-encoded) into the usual one. So it is the parsed URL that is
 * judged, and nothing but the parsed URL is ever sent to.
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

/** Under these, names are somebody's own: they mean another machine for whoever asks from inside. */
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
 * Below 1024 only HTTP's own ports. Above, whatever is not on the list of the Fetch standard ("port blocking"):
 * protocols that can be made to act on what we would say to them. 0 is no port.
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
  if (url === null) return { isAllowed: false, refusal: 'This is not a URL.' };
  const reason = refuseScheme(url, policy) ?? refusePort(url) ?? refuseHost(url, policy);
  return reason === undefined ? { isAllowed: true, url } : { isAllowed: false, refusal: reason };
}

/** What the parser would forgive: it drops line breaks, and an empty fragment or user leaves no trace. */
function refuseText(text: string): string | undefined {
  if (text.length > charactersMax) return `A URL has at most ${charactersMax} characters.`;
  if (/[ \\]/.test(text) || forbiddenCharacterIn(text) !== undefined) {
    return 'A URL has no spaces, line breaks, control characters or backslashes.';
  }
  if (text.includes('#')) return 'The URL must not have a fragment.';
  const authority = /^[^/]*\/\/([^/?]*)/.exec(text)?.[1];
  if (authority === undefined || authority === '') return 'This is not a URL with a host.';
  if (authority.includes('@')) return 'The URL must not have a user name or a password.';
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
    ? `A URL has at most ${charactersMax} characters, encoded too.`
    : undefined;
}

function refusePort({ port }: URL): string | undefined {
  if (port === '') return undefined;
  const number = Number(port);
  const isOpen = lowPorts.has(number) || (number >= highPortsFrom && !blockedPorts.has(number));
  return isOpen
    ? undefined
    : `Port ${port} is not allowed: 80, 443, or one from ${highPortsFrom} up.`;
}

function refuseHost(url: URL, policy: Policy): string | undefined {
  const host = hostOf(url);
  if (isIP(host) !== 0) return isAllowed(host, policy) ? undefined : notPublic;
  if (isLocalhost(host)) {
    return policy.allowLoopback ? undefined : 'This host name is not public.';
  }
  const isPrivate = privateSuffixes.some((suffix) => isUnder(host, suffix));
  // A trailing dot is another spelling of the name, which certificates and the list above would miss.
  if (isPrivate || !host.includes('.') || host.endsWith('.'))
    return 'This host name is not public.';
  return undefined;
}

const isUnder = (host: string, suffix: string) => host === suffix || host.endsWith(`.${suffix}`);

export const notPublic = 'The URL leads to an address that is not public.';

/** Always the loopback, whatever a name server says (RFC 6761 §6.3). */
export const isLocalhost = (host: string): boolean => isUnder(host, 'localhost');

/** Without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
