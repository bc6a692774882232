/** Verifies that a request comes from Tonearm, and returns its event. */

import { TonearmError } from '../core/errors.ts';
import type { WebhookEvent } from '../generated/schema.ts';
import { isSigned } from './hmac.ts';

export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /**
   * `standard` (the default): `webhook-signature`, which covers the time of the attempt. `svc`: `X-SVC-Signature`, which
   * covers the body alone, so that only the ids of the events that you have processed protect you against a replay.
   */
  readonly scheme?: 'standard' | 'svc';
  /** How far `webhook-timestamp` may be off, in seconds. If you omit it, 5 minutes. */
  readonly toleranceSeconds?: number;
  /** The time now, in milliseconds, for tests. */
  readonly now?: number;
};

/** The request is not from Tonearm, was changed on its way, or is too old. Answer it with 401. */
export class WebhookVerificationError extends TonearmError {}

const toleranceSecondsDefault = 300;
/** A rotation has two. */
const signaturesMax = 10;

/**
 * `body` is the raw body: JSON that is parsed and written again may differ. `secrets` is one `whsec_…`, or a list of them
 * while you rotate. Rejects with `WebhookVerificationError`.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const list = secretsOf(secrets);
  const bytes = bytesOf(body);
  const isGenuine =
    options.scheme === 'svc'
      ? await hasSvcSignature(bytes, headers, list)
      : await hasStandardSignature(bytes, headers, list, options);
  if (!isGenuine) throw new WebhookVerificationError('No signature of the webhook is valid.');
  return parsedEvent(bytes);
}

function secretsOf(secrets: string | readonly string[]): readonly string[] {
  const list = (typeof secrets === 'string' ? [secrets] : secrets).filter((each) => each !== '');
  // Without a secret, everyone could sign a request.
  if (list.length === 0) throw new TonearmError('There is no webhook secret to verify with.');
  for (const secret of list) {
    if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) {
      throw new TonearmError('A webhook secret begins with whsec_ and continues in base64.');
    }
  }
  return list;
}

async function hasSvcSignature(
  body: Bytes,
  headers: WebhookHeaders,
  secrets: readonly string[],
): Promise<boolean> {
  const signature = /^sha256=([0-9a-f]{64})$/.exec(headerOf(headers, 'x-svc-signature'))?.[1];
  if (signature === undefined) throw new WebhookVerificationError('X-SVC-Signature is malformed.');
  const keys = secrets.map((secret) => new TextEncoder().encode(secret));
  return isSigned(body, keys, [fromHex(signature)]);
}

async function hasStandardSignature(
  body: Bytes,
  headers: WebhookHeaders,
  secrets: readonly string[],
  { toleranceSeconds = toleranceSecondsDefault, now = Date.now() }: VerifyOptions,
): Promise<boolean> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError('webhook-timestamp is malformed.');
  }
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    throw new WebhookVerificationError('webhook-timestamp is too far from the time now.');
  }
  const signatures = headerOf(headers, 'webhook-signature').split(' ').slice(0, signaturesMax);
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const keys = secrets.map((secret) => fromBase64(secret.slice('whsec_'.length)));
  return isSigned(
    signed,
    keys,
    signatures.flatMap((text) => (text.startsWith('v1,') ? [fromBase64(text.slice(3))] : [])),
  );
}

/** Names of headers may have any case, and values may be lists. */
function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  const text = typeof value === 'object' && value !== null ? value[0] : value;
  if (typeof text !== 'string' || text === '') {
    throw new WebhookVerificationError(`The header ${name} is missing.`);
  }
  return text;
}

function parsedEvent(bytes: Bytes): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
  } catch (error) {
    throw new WebhookVerificationError('The body is signed, but not JSON.', { cause: error });
  }
}

type Bytes = Uint8Array<ArrayBuffer>;

function bytesOf(body: string | Uint8Array | ArrayBuffer): Bytes {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  return body instanceof ArrayBuffer ? new Uint8Array(body) : new Uint8Array(body);
}

function joined(first: Bytes, second: Bytes): Bytes {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

const fromHex = (text: string): Bytes =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** An empty array if the text is not base64: it equals no signature. */
function fromBase64(text: string): Bytes {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
