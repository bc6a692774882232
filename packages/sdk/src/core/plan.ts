/** What all attempts of a call have in common. */

import type { Credentials } from './credentials.ts';
import type { ApiRequest, RawBody } from './request.ts';
import type { Settings } from './settings.ts';
import { queryString } from './url.ts';

export type Plan = {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: RawBody | undefined;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly endsAt: number;
  readonly maxRetries: number;
  readonly isStreamed: boolean;
  /** Whether a second execution changes nothing. */
  readonly isRepeatable: boolean;
  /** None if the caller sends a header of his own. */
  readonly credentials: Credentials | undefined;
};

export function planOf(settings: Settings, request: ApiRequest): Plan {
  const { method, path, query, options = {}, takesKey = false, isStreamed = false } = request;
  const { body, contentType } = bodyOf(request);
  const headers = headersOf(settings, request, contentType);
  return {
    url: settings.baseUrl + path + queryString(query),
    method,
    headers,
    body,
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? settings.timeoutMs,
    endsAt: Date.now() + (options.totalTimeoutMs ?? settings.totalTimeoutMs),
    maxRetries: options.maxRetries ?? settings.maxRetries,
    isStreamed,
    isRepeatable: method !== 'POST' || takesKey,
    credentials: 'authorization' in headers ? undefined : settings.credentials,
  };
}

function headersOf(
  settings: Settings,
  { options = {}, takesKey }: ApiRequest,
  contentType: string | undefined,
): Record<string, string> {
  const headers: Record<string, string> = { ...settings.headers };
  if (contentType !== undefined) headers['content-type'] = contentType;
  if (takesKey) headers['idempotency-key'] = options.idempotencyKey ?? crypto.randomUUID();
  if (options.ifMatch !== undefined) headers['if-match'] = options.ifMatch;
  if (options.ifNoneMatch !== undefined) headers['if-none-match'] = options.ifNoneMatch;
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

type Body = { readonly body: RawBody | undefined; readonly contentType: string | undefined };

function bodyOf({ body, textType }: ApiRequest): Body {
  if (body === undefined || body === null) return { body: undefined, contentType: undefined };
  if (typeof body === 'string' && textType !== undefined) return { body, contentType: textType };
  // `fetch` knows the types of these.
  if (isRaw(body)) return { body, contentType: undefined };
  return { body: JSON.stringify(body), contentType: 'application/json' };
}

const isRaw = (body: unknown): body is RawBody =>
  body instanceof Uint8Array ||
  body instanceof ArrayBuffer ||
  body instanceof Blob ||
  body instanceof URLSearchParams;
