import type { ClientCredentials } from '../domain/oauth-token.ts';

/**
 * RFC 6749 §2.3.1: `Basic`, then the base64 of id and secret, each form-encoded, with a colon between them. Undefined:
 * there is no Authorization header.
 */
export function readBasic(
  authorization: string | undefined,
): ClientCredentials | 'malformed' | undefined {
  if (authorization === undefined) return undefined;
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization) ?? [];
  if (encoded === undefined) return 'malformed';
  const [, clientId, secret] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  if (clientId === undefined || secret === undefined) return 'malformed';
  return { clientId: decodeForm(clientId), secret: decodeForm(secret) };
}

/** As in a form: `+` is a space, and a broken escape stays as it is. */
const decodeForm = (text: string): string =>
  new URLSearchParams(`value=${text.replaceAll('&', '%26')}`).get('value') ?? '';
