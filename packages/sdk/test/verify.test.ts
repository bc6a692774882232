/** The verification of webhooks (contract §6), with signatures that are made as the service makes them. */

import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import {
  Tonearm,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '../src/index.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = newSecret();
const id = 'evt_01m7avavw0e559ryprz8wfgh6j';
const now = Date.parse('2026-11-18T12:00:00Z');
const seconds = now / 1000;
const body = JSON.stringify({ id, type: 'delivery.completed', data: { title: 'Äther' } });

const standardSignature = (key: string, timestamp = seconds, signed = body): string =>
  `v1,${createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'))
    .update(`${id}.${timestamp}.${signed}`)
    .digest('base64')}`;

const svcSignature = (key: string): string =>
  `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;

/** What the service sends while the secrets are valid, the old one first. */
const headersOf = (secrets: readonly string[], timestamp = seconds): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': secrets.map((key) => standardSignature(key, timestamp)).join(' '),
  'x-svc-signature': svcSignature(secrets[0] ?? ''),
});

const verify = (
  headers: Record<string, string>,
  secrets: string | readonly string[] = secret,
  options: VerifyOptions = {},
  text: string | Uint8Array | ArrayBuffer = body,
) => verifyWebhook(text, headers, secrets, { now, ...options });

const refuses = (verification: Promise<WebhookEvent>, message?: RegExp) =>
  assert.rejects(verification, (error: unknown) => {
    assert.ok(error instanceof WebhookVerificationError);
    if (message !== undefined) assert.match(error.message, message);
    return true;
  });

test('a genuine request is verified under both schemes, and its event is typed', async () => {
  const event = await verify(headersOf([secret]));
  assert.ok(event.type === 'delivery.completed' && event.id === id);
  await verify(headersOf([secret]), secret, { scheme: 'svc' });
  const tonearm = new Tonearm({ apiKey: 'ta_test_x' });
  assert.equal((await tonearm.webhooks.verify(body, headersOf([secret]), secret, { now })).id, id);
});

test('bodies of every kind, and headers of every kind', async () => {
  const bytes = new TextEncoder().encode(body);
  for (const each of [body, bytes, Buffer.from(body), bytes.buffer]) {
    await verify(headersOf([secret]), secret, {}, each);
  }
  const entries = Object.entries(headersOf([secret]));
  const upperCase = Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value]));
  const lists = Object.fromEntries(entries.map(([name, value]) => [name, [value]]));
  for (const headers of [new Headers(entries), upperCase, lists]) {
    await verifyWebhook(body, headers, secret, { now });
  }
});

test('a request that was tampered with is refused, wherever', async () => {
  const headers = headersOf([secret]);
  const tampered = body.replace('Äther', 'Ather');
  for (const scheme of ['standard', 'svc'] as const) {
    await refuses(verify(headers, secret, { scheme }, tampered));
    await refuses(verify(headers, newSecret(), { scheme }));
  }
  await refuses(verify({ ...headers, 'webhook-id': 'evt_other' }));
  await refuses(verify({ ...headers, 'webhook-timestamp': String(seconds + 1) }));
  const [first = '', ...rest] = standardSignature(secret).slice(3);
  const flipped = `v1,${first === 'A' ? 'B' : 'A'}${rest.join('')}`;
  for (const signature of [
    flipped,
    'v1,',
    'v1,!!!',
    'v1',
    standardSignature(secret).slice(3),
    '',
  ]) {
    await refuses(verify({ ...headers, 'webhook-signature': signature }));
  }
  await refuses(verify({ ...headers, 'webhook-signature': `v2${flipped.slice(2)}` }));
  for (const signature of ['sha256=', `sha1=${'0'.repeat(64)}`, `sha256=${'0'.repeat(64)}`]) {
    await refuses(verify({ ...headers, 'x-svc-signature': signature }, secret, { scheme: 'svc' }));
  }
});

test('a replay is refused: too old, too new, and without its time', async () => {
  await verify(headersOf([secret], seconds - 300));
  await verify(headersOf([secret], seconds + 300));
  await refuses(verify(headersOf([secret], seconds - 301)), /too far from the time now/);
  await refuses(verify(headersOf([secret], seconds + 301)), /too far from the time now/);
  await verify(headersOf([secret], seconds - 900), secret, { toleranceSeconds: 1000 });
  await refuses(verify({ ...headersOf([secret]), 'webhook-timestamp': 'NaN' }), /malformed/);
  const { 'webhook-timestamp': _, ...timeless } = headersOf([secret]);
  await refuses(verify(timeless), /webhook-timestamp is missing/);
});

test('X-SVC-Signature, which covers no time, is no way around the replay protection', async () => {
  const { 'x-svc-signature': signature = '' } = headersOf([secret]);
  await refuses(verify({ 'x-svc-signature': signature }), /webhook-id is missing/);
  const old = headersOf([secret], seconds - 3600);
  await refuses(verify({ ...old, 'webhook-timestamp': String(seconds) }));
});

test('during a rotation old and new secrets verify, afterwards only the new one', async () => {
  const next = newSecret();
  const rotating = headersOf([secret, next]);
  for (const known of [secret, next, [next, secret]]) await verify(rotating, known);
  await verify(rotating, [next, secret], { scheme: 'svc' });
  await refuses(verify(rotating, next, { scheme: 'svc' })); // It stays on the old secret until the grace period ends.
  const rotated = headersOf([next]);
  await verify(rotated, [next, secret]);
  await refuses(verify(rotated, secret));
});

test('a receiver without a secret verifies nothing', async () => {
  const empty = `v1,${createHmac('sha256', '').update(`${id}.${seconds}.${body}`).digest('base64')}`;
  const headers = { ...headersOf([secret]), 'webhook-signature': empty };
  for (const secrets of ['', [], [''], 'whsec_', 'secret', [secret, 'whsec_%%']]) {
    await assert.rejects(verify(headers, secrets), /webhook secret/);
  }
});

test('a signed body that is not JSON is refused', async () => {
  const headers = {
    ...headersOf([secret]),
    'webhook-signature': standardSignature(secret, seconds, '{'),
  };
  await refuses(verify(headers, secret, {}, '{'), /not JSON/);
});
