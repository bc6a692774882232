/** The api refuses hostile bodies, broken HTTP and slow clients without a 500 and at little cost. */

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../scripts/servers/server.ts';
import { assertOnceUnder } from './cpu-time.ts';
import { type OrgClient, draft, openTestService, type TestService } from './test-service.ts';

describe('hostile requests', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService();
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const post = (body: string) => label.call('POST', '/v1/releases', body);

  const bodies: readonly [what: string, body: string, code: string][] = [
    ['NUL in a value', JSON.stringify(draft({ title: 'a\0b' })), 'invalid_json'],
    ['NUL in a key', JSON.stringify({ ...draft(), 'a\0': 1 }), 'invalid_json'],
    ['a lone high surrogate', JSON.stringify(draft()).replace('Night', '\\ud83c'), 'invalid_json'],
    ['a lone low surrogate in a key', '{"\\udfa7":1}', 'invalid_json'],
    ['20,000-deep arrays', '['.repeat(20_000) + ']'.repeat(20_000), 'invalid_json'],
    ['20,000-deep objects', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, 'invalid_json'],
    ['__proto__', '{"__proto__":{"title":"x"},"title":"y"}', 'invalid_json'],
    ['__proto__ further in', '{"metadata":{"__proto__":"x"}}', 'invalid_json'],
    ['constructor as a field', JSON.stringify({ ...draft(), constructor: 1 }), 'unknown_field'],
    ['toString as a field', JSON.stringify({ ...draft(), toString: 'x' }), 'unknown_field'],
    [
      'a million in a year',
      JSON.stringify(draft({ release_date: '1000000-01-01' })),
      'invalid_field',
    ],
    ['the year zero', JSON.stringify(draft({ release_date: '0000-01-01' })), 'invalid_field'],
  ];
  for (const [what, body, code] of bodies) {
    test(`${what} → ${code}`, async () => {
      const { json } = await post(body);
      assert.equal(json.error.code, code);
    });
  }

  test('invalid UTF-8 → invalid_json', async () => {
    const response = await fetch(`${service.url}/v1/releases`, {
      method: 'POST',
      headers: { authorization: `Bearer ${label.key}`, 'content-type': 'application/json' },
      body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    });
    const { error } = (await response.json()) as { error: { code: string } };
    assert.equal(error.code, 'invalid_json');
  });

  test('NUL and odd bytes in a query are refused, never a 500', async () => {
    for (const query of [
      'label=%00',
      'reference=a%00b',
      'cursor=%00',
      'label=%ff',
      'status=%F0%9F',
    ]) {
      const { status } = await label.call('GET', `/v1/releases?${query}`);
      assert.ok([200, 400].includes(status), `${query} ${status}`);
    }
  });

  test('200 KB of unknown fields cost little time and get a short answer', async () => {
    const unknownFields = Object.fromEntries(
      Array.from({ length: 18_000 }, (_, i) => [`k${i}`, i]),
    );
    await assertOnceUnder(1_000, async () => {
      const { json, text } = await post(JSON.stringify(unknownFields));
      assert.equal(json.error.code, 'missing_required_field');
      assert.ok(json.error.details.length <= 100);
      assert.ok(text.length < 20_000, `${text.length} bytes`);
    });
  });

  test('a field name of 200 KB is shortened in the answer', async () => {
    const { text } = await post(JSON.stringify({ ...draft(), ['x'.repeat(200_000)]: 1 }));
    assert.ok(text.length < 2_000, `${text.length} bytes`);
  });

  test('50,000 empty artists are refused with at most 100 details', async () => {
    const { json, text } = await post(
      JSON.stringify(draft({ artists: Array.from({ length: 50_000 }, () => ({})) })),
    );
    assert.equal(json.error.code, 'missing_required_field');
    assert.ok(json.error.details.length === 100 && text.length < 20_000);
  });

  test('a list as long as a body can be is refused quickly, for any repeated entry', async () => {
    for (const territories of [Array(60_000).fill('a'), Array(120_000).fill(0)]) {
      await assertOnceUnder(1_000, async () => {
        const { status } = await post(JSON.stringify(draft({ territories })));
        assert.equal(status, 422);
      });
    }
  });

  test('of more invalid keys than details allow the first 100 are listed', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`bad key ${i}`, 'v']),
    );
    const { json } = await post(JSON.stringify(draft({ metadata })));
    assert.equal(json.error.code, 'invalid_field');
    assert.equal(json.error.details.length, 100);
  });

  test('an invalid nullable field is listed once', async () => {
    const { json } = await post(JSON.stringify(draft({ metadata: { 'bad key': 'v' }, genre: 4 })));
    assert.deepEqual(
      json.error.details.map(({ field }: { field: string }) => field),
      ['metadata.bad key', 'genre'],
    );
  });

  test('timestamps outside the range of PostgreSQL, and ids of any length, are never a 500', async () => {
    for (const since of [
      '0000-01-01T00:00:00Z',
      '2026-01-01T00:00:00%2B23:59',
      '9999-12-31T23:59:59-15:59',
      `2026-01-01T00:00:00.${'1'.repeat(200)}Z`,
      '2026-02-30T25:00:00Z',
    ]) {
      const { status, json } = await label.call('GET', `/v1/releases?updated_since=${since}`);
      assert.deepEqual([status, json?.error?.code], [400, 'invalid_parameter'], since);
    }
    for (const [length, status] of [
      [300, 404],
      [8_000, 404],
      [9_000, 414],
    ] as const) {
      assert.equal((await label.call('GET', `/v1/releases/${'x'.repeat(length)}`)).status, status);
    }
  });

  test('null is refused as a body; an absent body counts as an empty one', async () => {
    const { json } = await label.call('POST', '/v1/releases', draft());
    const path = `/v1/releases/${json.id}`;
    assert.equal((await label.call('PATCH', path, 'null')).json.error.code, 'invalid_field');
    assert.equal((await label.call('PATCH', path)).status, 200);
  });

  describe('raw sockets', () => {
    const raw: readonly [what: string, bytes: string, status: number, code: string][] = [
      ['garbage', 'hello\r\n\r\n', 400, 'invalid_request'],
      [
        'an unknown method',
        'BREW /v1/releases HTTP/1.1\r\nhost: x\r\n\r\n',
        400,
        'invalid_request',
      ],
      ['HTTP/9', 'GET / HTTP/9.9\r\nhost: x\r\n\r\n', 400, 'invalid_request'],
      ['CONNECT', 'CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n', 400, 'invalid_request'],
      ['no Host', 'GET /docs HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'invalid_request'],
      [
        'an unknown expectation is ignored',
        'GET /nowhere HTTP/1.1\r\nhost: x\r\nexpect: x\r\nconnection: close\r\n\r\n',
        404,
        'route_not_found',
      ],
      [
        'an unknown transfer coding',
        'GET /% HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip\r\n\r\n',
        400,
        'invalid_request',
      ],
      [
        'headers over 32 KiB',
        `GET /v1/releases HTTP/1.1\r\nhost: x\r\nx-big: ${'a'.repeat(40_000)}\r\n\r\n`,
        431,
        'headers_too_large',
      ],
      [
        'two lengths (request smuggling)',
        'POST /v1/releases HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
        400,
        'invalid_request',
      ],
    ];
    for (const [what, bytes, status, code] of raw) {
      test(`${what} → ${status} in the error envelope, with a request id, and the connection is closed`, async () => {
        const response = await exchange(bytes);
        assert.match(response, new RegExp(`^HTTP/1.1 ${status} `));
        assert.match(response, /x-request-id: req_\w{26}\r\n/);
        assert.match(response, /x-content-type-options: nosniff\r\n/);
        assert.match(
          response,
          /content-security-policy: default-src 'none'; frame-ancestors 'none'\r\n/,
        );
        const { error } = JSON.parse(response.slice(response.indexOf('\r\n\r\n')));
        assert.equal(error.code, code);
      });
    }

    test('garbage after a valid request does not replace its response', async () => {
      const body = JSON.stringify(draft({ reference: 'then-garbage' }));
      const good = `POST /v1/releases HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${label.key}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
      const response = await exchange(`${good}garbage\r\n\r\n`);
      assert.ok(!response.startsWith('HTTP/1.1 400'), response);
    });

    test('a CONNECT after a valid request does not replace its response', async () => {
      const good = `GET /v1/releases?limit=1 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${label.key}\r\n\r\n`;
      const response = await exchange(`${good}CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n`);
      assert.match(response, /^HTTP\/1.1 200 /);
    });

    test('repeated garbage on an idle connection is refused once', async () => {
      const socket = open();
      let response = '';
      socket.on('data', (chunk) => (response += chunk.toString()));
      socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
      await until('it is answered', () => response.includes('200 OK'));
      for (let i = 0; i < 20; i++) socket.write('garbage\r\n\r\n');
      await new Promise((resolve) => socket.once('close', resolve));
      assert.equal(response.match(/"code":"invalid_request"/g)?.length, 1, response);
    });

    test('a request without a Host is still counted, and has the rate limit headers', async () => {
      assert.match(
        await exchange('GET /v1/event_types HTTP/1.1\r\nconnection: close\r\n\r\n'),
        /ratelimit-limit: 60/,
      );
    });

    test('the connection of a client that never reads its response is closed', async () => {
      const { port, hostname } = new URL(service.url);
      const socket = connect({ port: Number(port), host: hostname });
      socket.on('error', () => undefined);
      socket.pause();
      socket.write('GET /docs/js/scalar.js HTTP/1.1\r\nhost: x\r\n\r\n');
      const server = service.api.server;
      const isClosed = () =>
        new Promise<boolean>((resolve) =>
          server.getConnections((_, count) => resolve(count === 0)),
        );
      server.closeIdleConnections();
      await until(
        'the connection is closed',
        async () => (server.closeIdleConnections(), await isClosed()),
      );
      socket.destroy();
    });

    const open = (): Socket => {
      const { port, hostname } = new URL(service.url);
      const socket = connect({ port: Number(port), host: hostname });
      socket.on('error', () => undefined);
      return socket;
    };
    const exchange = async (bytes: string): Promise<string> => {
      const socket = open();
      let response = '';
      socket.on('data', (chunk) => (response += chunk.toString()));
      socket.write(bytes);
      await new Promise((resolve) => socket.once('close', resolve));
      return response;
    };
  });
});
