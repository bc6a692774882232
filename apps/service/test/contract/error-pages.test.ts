/** `error.doc_url`: every refusal leads to the page about its code (contract §7). */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

/** Sends these bytes on a new connection; returns the whole answer. */
function exchange(service: TestService, bytes: string): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (answer += chunk));
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
    socket.write(bytes);
  });
}

const docUrlIn = (answer: string): string => {
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  return JSON.parse(body).error.doc_url;
};

describe('error.doc_url', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService();
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const get = (host: string) =>
    exchange(service, `GET /v1/nowhere HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

  const refused: readonly [method: string, path: string, body: unknown, code: string][] = [
    ['GET', '/v1/releases/rel_none', undefined, 'resource_not_found'],
    ['GET', '/v1/nowhere', undefined, 'route_not_found'],
    ['DELETE', '/v1/releases', undefined, 'method_not_allowed'],
    ['GET', '/v1/releases?limit=0', undefined, 'invalid_parameter'],
    ['GET', '/v1/releases/%', undefined, 'invalid_request'],
    ['POST', '/v1/releases', {}, 'missing_required_field'],
    ['POST', '/v1/releases', '{', 'invalid_json'],
  ];
  for (const [method, path, body, code] of refused) {
    test(`contract §7: ${method} ${path} is documented at #${code}`, async () => {
      const { json, headers } = await label.call(method, path, body);
      assert.equal(json.error.code, code);
      assert.equal(json.error.doc_url, `${service.url}/docs/guides/errors#${code}`);
      assert.match(headers.get('cache-control') ?? '', /no-store/);
    });
  }

  test('contract §7: the configured public URL comes before the Host header', async () => {
    const other = await openTestService({ publicUrl: 'https://api.example.com' });
    const { json } = await (await other.givenOrganization()).call('GET', '/v1/nowhere');
    const broken = await exchange(other, 'NONSENSE\r\n\r\n');
    await other.close();
    const page = 'https://api.example.com/docs/guides/errors';
    assert.equal(json.error.doc_url, `${page}#route_not_found`);
    assert.equal(docUrlIn(broken), `${page}#invalid_request`);
  });

  test('contract §7: broken HTTP has no Host header, so its page is a path', async () => {
    const answer = await exchange(service, 'NONSENSE\r\n\r\n');
    assert.equal(docUrlIn(answer), '/docs/guides/errors#invalid_request');
  });

  test('contract §7: a well-formed Host header is used', async () => {
    for (const host of ['api.example.com', 'API.example.com:8443', '[::1]:80', '10.0.0.1']) {
      const docUrl = docUrlIn(await get(host));
      assert.equal(docUrl, `http://${host}/docs/guides/errors#route_not_found`);
    }
  });

  test('contract §7: a malformed Host header, and X-Forwarded-Host, put nothing into the answer', async () => {
    const hosts = ['a.example/b', 'u@a.example', 'a.example"', 'a b', '<b>', 'a'.repeat(300), '-a'];
    for (const host of hosts) {
      assert.equal(docUrlIn(await get(host)), '/docs/guides/errors#route_not_found', host);
    }
    const answer = await get('a.example\r\nX-Forwarded-Host: b.example\r\nX-Forwarded-Proto: c');
    assert.equal(docUrlIn(answer), 'http://a.example/docs/guides/errors#route_not_found');
  });

  test('contract §8: a stored refusal is replayed with the same doc_url, under another host too', async () => {
    const { json: release } = await label.call('POST', '/v1/releases', draft());
    const path = `/v1/releases/${release.id}/submit`;
    const key = { 'idempotency-key': randomUUID() };
    const first = await label.call('POST', path, {}, key);
    assert.equal(first.json.error.code, 'release_not_submittable');
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: other.example',
      `Authorization: Bearer ${label.key}`,
      `Idempotency-Key: ${key['idempotency-key']}`,
      'Content-Type: application/json',
      'Content-Length: 2',
      'Connection: close',
    ];
    const replayed = await exchange(service, `${head.join('\r\n')}\r\n\r\n{}`);
    assert.match(replayed, /idempotency-replayed: true/i);
    assert.equal(replayed.slice(replayed.indexOf('\r\n\r\n') + 4), first.text);
  });

  test('contract §4: the request log keeps doc_url', async () => {
    const { json } = await label.call('GET', '/v1/releases/rel_none');
    await service.flushRequests();
    const found = await label.call('GET', `/v1/requests/${json.error.request_id}`);
    assert.equal(JSON.parse(found.json.response.body).error.doc_url, json.error.doc_url);
  });
});
