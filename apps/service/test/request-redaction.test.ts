/**
 * Nothing secret enters the request log. Every secret that the service issues or receives is sent in every place of a
 * request, also malformed, misplaced, escaped and echoed by an error; then every partition of `requests` is searched. A
 * planted secret is found, so the search is able to fail.
 */

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { openReceiver, type Receiver } from './receiver.ts';
import { type ByteSource, dumpTables, findSecretIn } from './secret-search.ts';
import { databaseUrl, openTestService, type OrgClient, type TestService } from './test-service.ts';

const randomText = (length: number) => randomBytes(length).toString('base64url').slice(0, length);
const newWebhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** Secrets that are recognized wherever they are, by their beginning. */
const recognized: Readonly<Record<string, () => string>> = {
  'a webhook secret': newWebhookSecret,
  'a live API key': () => `ta_live_${randomText(36).replaceAll(/[-_]/g, 'x')}`,
  'a sandbox API key': () => `ta_test_${randomText(36).replaceAll(/[-_]/g, 'x')}`,
  'an access token': () => `ta_at_${randomText(43)}`,
  'a client secret': () => `ta_cs_${randomText(43)}`,
};

/** Secrets of any form are recognized by the name of their field. */
const names = ['secret', 'client_secret', 'access_token', 'token', 'password', 'Secret', 'API_KEY'];

const json = (value: unknown) => JSON.stringify(value);
const eachByte = (text: string, encode: (hex: string) => string) =>
  Array.from(Buffer.from(text), (byte) => encode(byte.toString(16).padStart(2, '0'))).join('');
const escaped = (text: string) => eachByte(text, (hex) => `\\u00${hex}`);
const percentEncoded = (text: string) => eachByte(text, (hex) => `%${hex}`);

type Send = (secret: string) => Promise<unknown>;

describe('the request log contains no secret', () => {
  let service: TestService;
  let partner: OrgClient;
  let receiver: Receiver;
  before(async () => {
    service = await openTestService();
    partner = await service.givenOrganization();
    receiver = await openReceiver();
  });
  after(async () => {
    await receiver.close();
    await service.close();
  });

  const post = (body: unknown, headers = {}) => partner.call('POST', '/v1/webhooks', body, headers);
  const fields = { url: 'https://partner.example/', event_type: '*' };

  /** Every place in which a recognized secret may be. */
  const places: Readonly<Record<string, Send>> = {
    'in a field': (secret) => post({ ...fields, description: secret }),
    'in a text': (secret) => post({ ...fields, description: `My key is ${secret}, thank you.` }),
    'in a nested field': (secret) => post({ ...fields, a: [{ b: { c: secret } }] }),
    'as the name of a field, which the error repeats': (secret) => post({ ...fields, [secret]: 1 }),
    'in the path': (secret) => partner.call('GET', `/v1/webhooks/${encodeURIComponent(secret)}`),
    'in a path without a route': (secret) =>
      partner.call('GET', `/v1/${encodeURIComponent(secret)}`),
    'in the path, percent-encoded': (secret) =>
      partner.call('GET', `/v1/webhooks/${percentEncoded(secret)}`),
    'in the query': (secret) => partner.call('GET', `/v1/webhooks?x=${encodeURIComponent(secret)}`),
    'as the name of a parameter, which the error repeats': (secret) =>
      partner.call('GET', `/v1/webhooks?${encodeURIComponent(secret)}=1`),
    'in a cursor': (secret) =>
      partner.call('GET', `/v1/webhooks?cursor=${encodeURIComponent(secret)}`),
    'in headers that are kept': (secret) =>
      post(fields, { 'user-agent': secret, 'x-request-id': `id ${secret}`, 'if-match': secret }),
    'in the Idempotency-Key': (secret) => post(fields, { 'idempotency-key': secret }),
    'in headers that are not kept': (secret) =>
      post(fields, { cookie: secret, 'proxy-authorization': secret, 'x-custom': secret }),
    'in malformed JSON': (secret) => post(`{"description":"${secret}"`),
    'in malformed JSON, quoted by the error': (secret) => post(`{"a":"${secret}",}`),
    'in JSON that is not an object': (secret) => post(json([secret])),
    'in JSON with escaped characters': (secret) => post(`{"description":"${escaped(secret)}"}`),
    'in JSON with escaped slashes': (secret) =>
      post(`{"description":"${secret.replaceAll('/', '\\/')}"}`),
    'in JSON within JSON': (secret) => post({ ...fields, description: json({ a: secret }) }),
    'where the body is cut': (secret) =>
      post({ a: 'x'.repeat(16 * 1024 - 30), b: secret, c: 'x'.repeat(1_000) }),
  };

  /** Every way in which a field with a secret name may be written. */
  const spellings: Readonly<Record<string, (name: string, secret: string) => Promise<unknown>>> = {
    'as a text': (name, secret) => post({ ...fields, [name]: secret }),
    'as a text, nested': (name, secret) => post({ ...fields, a: { b: [{ [name]: secret }] } }),
    'in a list': (name, secret) => post({ ...fields, [name]: ['first', secret] }),
    'in an object': (name, secret) => post({ ...fields, [name]: { value: secret } }),
    'in JSON with spaces': (name, secret) => post(`{ "${name}" :  "${secret}" }`),
    'in JSON that is cut off': (name, secret) => post(`{"${name}":"${secret}`),
    'in JSON with single quotes': (name, secret) => post(`{'${name}': '${secret}'}`),
    'in JSON without quotes': (name, secret) => post(`{${name}: ${secret}}`),
    'in JSON within JSON': (name, secret) =>
      post({ ...fields, description: json({ [name]: secret, b: 1 }) }),
    'with an escaped name': (name, secret) => post(`{"${escaped(name)}":"${secret}"}`),
    'in the query': (name, secret) => partner.call('GET', `/v1/webhooks?a=1&${name}=${secret}&b=2`),
    'where the body is cut': (name, secret) =>
      post(`{"a":"${'x'.repeat(16 * 1024 - 40)}","${name}":"${secret}"}`),
  };

  const searchLog = async (): Promise<ByteSource[]> => {
    await service.flushRequests();
    const tables = await dumpTables(databaseUrl(service.database));
    const sources = tables.filter(({ name }) => name.startsWith('public.requests'));
    assert.ok(
      sources.some(({ bytes }) => bytes.length > 0),
      'there is something to search',
    );
    return sources;
  };

  test('whatever its place', async () => {
    const sent: [string, string][] = [];
    for (const [what, newSecret] of Object.entries(recognized)) {
      for (const [where, send] of Object.entries(places)) {
        const secret = newSecret();
        await send(secret);
        sent.push([`${what} ${where}`, secret]);
      }
    }
    const sources = await searchLog();
    for (const [what, secret] of sent) assert.deepEqual(findSecretIn(secret, sources), [], what);
    assert.deepEqual(findSecretIn(partner.key, sources), [], 'the credential of these requests');
  });

  test('whatever its form, under the name of a secret', async () => {
    const sent: [string, string][] = [];
    for (const name of names) {
      for (const [how, send] of Object.entries(spellings)) {
        const secret = randomText(40).replaceAll(/[-_]/g, 'x');
        await send(name, secret);
        sent.push([`${name} ${how}`, secret]);
      }
    }
    const sources = await searchLog();
    for (const [what, secret] of sent) assert.deepEqual(findSecretIn(secret, sources), [], what);
  });

  test('that the service issued, or that is in a URL', async () => {
    const secrets: Record<string, string> = {};
    const chosen = newWebhookSecret();
    const registered = await post({ url: receiver.url, event_type: '*', secret: chosen });
    assert.equal(registered.status, 201, registered.text);
    const generated = await post({ url: `${receiver.url}/2`, event_type: '*' });
    const rotated = await partner.call(
      'POST',
      `/v1/webhooks/${registered.json.id}/rotate_secret`,
      {},
    );
    Object.assign(secrets, {
      chosen,
      generated: generated.json.secret,
      rotated: rotated.json.secret,
    });

    const { json: asset } = await partner.call('POST', '/v1/assets', {
      type: 'audio',
      file_name: 'a.wav',
      content_type: 'audio/wav',
      size_bytes: 100,
    });
    secrets['presigned'] = new URL(asset.upload.url).search;
    await partner.call('GET', `/v1/assets/${asset.id}`);
    const inParts = await partner.call('POST', '/v1/assets', {
      type: 'audio',
      file_name: 'a.wav',
      content_type: 'audio/wav',
      size_bytes: 200_000_000,
    });
    secrets['presigned part'] = new URL(inParts.json.upload.parts[0].url).search;

    const { json: inbox } = await partner.call('GET', '/v1/sandbox/inbox');
    const { pathname } = new URL(inbox.url);
    secrets['inbox'] = pathname.slice(pathname.lastIndexOf('/') + 1);
    await post({ url: inbox.url, event_type: '*' });
    await partner.call('GET', pathname);
    await partner.call('GET', '/v1/webhooks');
    await fetch(inbox.url, { method: 'POST', body: 'x' });
    await post({ ...fields, description: pathname });

    for (const part of ['user', 'password', 'path', 'query']) secrets[part] = randomText(40);
    const { user, password, path, query } = secrets;
    await post({
      ...fields,
      url: `https://${user}:${password}@partner.example/${path}?k=${query}`,
    });
    await post(`{"url":"https:\\/\\/partner.example\\/${path}?k=${query}","event_type":"*"}`);

    const sources = await searchLog();
    for (const [what, secret] of Object.entries(secrets)) {
      assert.ok(secret.length >= 20, what);
      assert.deepEqual(findSecretIn(secret, sources), [], what);
    }
  });

  test('and one that is planted there is found', async () => {
    const canary = newWebhookSecret();
    const id = randomUUID();
    await service.query(
      `insert into requests (org_id, id, method, path, status, actor_type, actor_id, address, duration_ms,
                             request_headers, request_body, request_bytes, answer_headers, answer_bytes)
       values ($1, uuidv7(), 'POST', '/v1/webhooks', 200, 'api_key', 'key', '', 1, '{}', $2, 0, '{}', 0)`,
      [id, `{"description":"${canary}"}`],
    );
    assert.notDeepEqual(findSecretIn(canary, await searchLog()), []);
  });
});
