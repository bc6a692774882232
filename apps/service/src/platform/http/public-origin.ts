import type { FastifyRequest } from 'fastify';

/** A host name or an IP address, and perhaps a port (RFC 3986 §3.2), at most 261 characters. */
const authority = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * What absolute links in an answer begin with: the configured public URL, or the scheme and the Host header of the
 * request. Empty if that is not well-formed: a header that the client controls never puts other text into an answer.
 * X-Forwarded-Host is not read, because a proxy may pass on the one of its client.
 */
export function publicOriginOf(publicUrl: string | undefined, request: FastifyRequest): string {
  if (publicUrl !== undefined) return publicUrl;
  const { host } = request.headers;
  if (host === undefined || !authority.test(host)) return '';
  // Fastify returns X-Forwarded-Proto of a trusted proxy as it is.
  return `${request.protocol === 'https' ? 'https' : 'http'}://${host}`;
}
