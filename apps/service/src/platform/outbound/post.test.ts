import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Outbound, openOutbound, type PostOutcome } from './post.ts';

const sandbox = { allowHttp: true, allowLoopback: true };
const neverCalled = () => Promise.reject(new Error('resolve must not be called'));
const message = { headers: () => ({ 'x-kind': 'ping' }), body: Buffer.from('{"a":"ä"}') };
const limits = { organization: 'org_1', timeoutMs: 5_000 };

function answered(outcome: PostOutcome) {
  assert.ok(outcome.kind === 'answered', JSON.stringify(outcome));
  return outcome;
}

function failed(outcome: PostOutcome) {
  assert.ok(outcome.kind === 'failed', JSON.stringify(outcome));
  return outcome;
}

const open: Server[] = [];
const sockets = new Set<Socket>();
after(() => {
  for (const server of open) server.close();
  for (const socket of sockets) socket.destroy();
});

async function listening(server: Server): Promise<number> {
  open.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const receiver = (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
  listening(createServer(answer));

const speaking = (bytes: string) =>
  listening(createTcpServer((socket) => socket.once('data', () => socket.write(bytes))));

describe('a request to a URL of a partner', () => {
  const outbound = openOutbound({ policy: sandbox, resolve: neverCalled });
  const post = (port: number, path = '/') =>
    outbound.post(`http://127.0.0.1:${port}${path}`, message, limits);

  test('carries the exact bytes, our user agent, and nothing else of ours', async () => {
    let received: { headers: unknown; path: unknown; body: string } | undefined;
    const port = await receiver((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        received = { headers: request.headers, path: request.url, body };
        response.writeHead(201, { 'retry-after': '7' }).end('thanks');
      });
    });
    const outcome = answered(await post(port, '/in?a=%20b'));
    assert.deepEqual(received, {
      headers: {
        host: `127.0.0.1:${port}`,
        connection: 'keep-alive',
        'content-length': '10',
        'user-agent': 'Tonearm-Webhooks/1',
        'x-kind': 'ping',
      },
      path: '/in?a=%20b',
      body: '{"a":"ä"}',
    });
    assert.equal(outcome.status, 201);
    assert.equal(outcome.retryAfter, '7');
    assert.equal(outcome.bodyExcerpt, 'thanks');
    assert.ok(outcome.durationMs >= 0);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    test(`a ${status} is an answer and is not followed`, async () => {
      let hits = 0;
      const port = await receiver((_request, response) => {
        hits += 1;
        response.writeHead(status, { location: '/' }).end();
      });
      assert.equal(answered(await post(port)).status, status);
      assert.equal(hits, 1);
    });
  }

  test('the beginning of a long answer is kept, and the connection closed', async () => {
    const closed = Promise.withResolvers<void>();
    const port = await receiver((_request, response) => {
      response.on('close', () => closed.resolve());
      const more = () =>
        void (response.destroyed || (response.write('ü'.repeat(999)), setImmediate(more)));
      response.writeHead(200);
      more();
    });
    const { bodyExcerpt } = answered(await post(port));
    assert.equal(bodyExcerpt, 'ü'.repeat(2_048));
    await closed.promise;
  });

  test('half a character at the end is left out, a NUL replaced, nothing decompressed', async () => {
    const port = await receiver((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(`a\u0000${'ü'.repeat(3_000)}b`.slice(0, 3_001));
    });
    const { bodyExcerpt } = answered(await post(port));
    assert.equal(bodyExcerpt, `a\ufffd${'ü'.repeat(2_047)}`);
  });

  test('an answer whose body breaks off, or does not end in time, is an answer', async () => {
    const broken = await speaking('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf');
    const outcome = await outbound.post(`http://127.0.0.1:${broken}/`, message, {
      ...limits,
      timeoutMs: 200,
    });
    assert.equal(answered(outcome).bodyExcerpt, 'half');
    assert.ok(outcome.durationMs >= 150 && outcome.durationMs < 2_000);
    const short = await listening(
      createTcpServer((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhal')),
      ),
    );
    assert.equal(answered(await post(short)).bodyExcerpt, 'hal');
  });

  test('a receiver that is silent, or sends one header after the other, times out', async () => {
    const silent = await listening(createTcpServer(() => undefined));
    const dripping = await listening(
      createTcpServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket.write('x: y\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
      }),
    );
    for (const port of [silent, dripping]) {
      const outcome = failed(
        await outbound.post(`http://127.0.0.1:${port}/`, message, { ...limits, timeoutMs: 200 }),
      );
      assert.equal(outcome.failure, 'timeout');
      assert.ok(outcome.durationMs >= 150 && outcome.durationMs < 2_000);
    }
  });

  const violations: readonly [what: string, bytes: string, failure: string][] = [
    [
      'headers without end',
      `HTTP/1.1 200 OK\r\n${'x: yyyyyyyyyyyyyyyyyyyyyyyyy\r\n'.repeat(900)}`,
      'headers_too_large',
    ],
    ['one header without end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}`, 'headers_too_large'],
    ['another protocol', '220 mail.example.com ESMTP\r\n', 'not_http'],
    [
      'an upgrade that was not requested',
      'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'reset',
    ],
  ];
  for (const [what, bytes, failure] of violations) {
    test(`${what}: ${failure}`, async () => {
      assert.equal(failed(await post(await speaking(bytes))).failure, failure);
    });
  }

  test('a receiver that hangs up, or does not listen', async () => {
    const port = await listening(
      createTcpServer((socket) => socket.once('data', () => socket.destroy())),
    );
    assert.equal(failed(await post(port)).failure, 'reset');
    const gone = createTcpServer();
    const gonePort = await listening(gone);
    gone.close();
    await once(gone, 'close');
    const { failure, text } = failed(await post(gonePort));
    assert.equal(failure, 'connect');
    assert.doesNotMatch(text, /127|ECONN/);
  });

  describe('connections', () => {
    /** Counts its connections, and answers as the path says. */
    async function counting() {
      let connections = 0;
      const server = createServer((request, response) => {
        request.resume();
        if (request.url === '/closing') response.setHeader('connection', 'close');
        if (request.url === '/long') response.write('x'.repeat(5_000));
        response.end('ok');
      });
      server.on('connection', () => (connections += 1));
      return { port: await listening(server), server, connections: () => connections };
    }
    const postTo = (port: number, organization = limits.organization, path = '/') =>
      outbound.post(`http://127.0.0.1:${port}${path}`, message, { ...limits, organization });

    test('one connection serves the requests of an organization that follow each other', async () => {
      const { port, connections } = await counting();
      for (let i = 0; i < 30; i++) answered(await postTo(port));
      assert.equal(connections(), 1);
    });

    test('organizations share none, and neither do two requests at once', async () => {
      const { port, connections } = await counting();
      answered(await postTo(port, 'org_1'));
      answered(await postTo(port, 'org_2'));
      assert.equal(connections(), 2);
      await Promise.all([postTo(port, 'org_1'), postTo(port, 'org_1')]);
      assert.equal(connections(), 3);
    });

    test('of many at once, four are kept', async () => {
      const { port, connections } = await counting();
      await Promise.all(Array.from({ length: 8 }, () => postTo(port)));
      assert.equal(connections(), 8);
      await Promise.all(Array.from({ length: 8 }, () => postTo(port)));
      assert.equal(connections(), 12);
    });

    test('one that the receiver closes, or whose answer was not read to its end, is not kept', async () => {
      const { port, connections } = await counting();
      for (const path of ['/closing', '/closing', '/long', '/long', '/'])
        assert.equal(answered(await postTo(port, limits.organization, path)).status, 200);
      assert.equal(connections(), 5);
    });

    test('a receiver that was restarted gets the next request on a new connection', async () => {
      const { port, server } = await counting();
      answered(await postTo(port));
      server.closeAllConnections();
      assert.equal(answered(await postTo(port)).status, 200);
    });

    test('a receiver that resets an idle connection when the next request arrives gets it again', async () => {
      let connections = 0;
      const port = await listening(
        createTcpServer((socket) => {
          connections += 1;
          let isFirst = true;
          socket.on('data', () => {
            if (!isFirst) return socket.resetAndDestroy();
            isFirst = false;
            return socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
          });
        }),
      );
      answered(await postTo(port));
      answered(await postTo(port));
      assert.equal(connections, 2);
    });

    test('bytes after an answer fail no later request: it is made again on a new connection', async () => {
      let connections = 0;
      const port = await listening(
        createTcpServer((socket) => {
          connections += 1;
          let isFirst = true;
          socket.on('data', () => {
            socket.write(isFirst ? 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n' : 'stray bytes');
            isFirst = false;
          });
        }),
      );
      answered(await postTo(port));
      answered(await postTo(port));
      assert.equal(connections, 2);
    });
  });

  test('an abort by the caller rejects, and is not an outcome', async () => {
    const silent = await listening(createTcpServer(() => undefined));
    const controller = new AbortController();
    const pending = outbound.post(`http://127.0.0.1:${silent}/`, message, {
      ...limits,
      signal: controller.signal,
    });
    const reason = new Error('leaving');
    controller.abort(reason);
    await assert.rejects(pending, reason);
    const late = outbound.post(`http://127.0.0.1:${silent}/`, message, {
      ...limits,
      signal: controller.signal,
    });
    await assert.rejects(late, reason);
  });

  test('the caller cannot set headers of the connection', async () => {
    for (const name of ['Host', 'cookie', 'authorization', 'user-agent', 'transfer-encoding']) {
      const headers = () => ({ [name]: 'x' });
      await assert.rejects(
        outbound.post('http://127.0.0.1:9999/', { ...message, headers }, limits),
        /not for the caller/,
      );
    }
  });
});

describe('the guard at sending', () => {
  const resolved: string[] = [];
  const guarded = (
    answers: readonly string[],
    policy = { allowHttp: true, allowLoopback: false },
  ) =>
    openOutbound({
      policy,
      resolve: (name) => {
        resolved.push(name);
        return Promise.resolve(answers);
      },
    });
  const post = (outbound: Outbound, url: string) => outbound.post(url, message, limits);

  test('a private address is refused without resolving anything', async () => {
    const { failure, text } = failed(await post(guarded([]), 'http://10.0.0.1/'));
    assert.equal(failure, 'refused');
    assert.equal(text, 'The URL resolves to an address that is not public. Use a public address.');
    assert.deepEqual(resolved, []);
  });

  for (const answers of [
    ['127.0.0.1'],
    ['93.184.216.34', '127.0.0.1'],
    ['127.0.0.1', '93.184.216.34'],
    ['93.184.216.34', '::ffff:93.184.216.34'],
    ['fe80::1%lo'],
    ['localhost'],
  ]) {
    test(`a name that is ${answers.join(' and ')} is refused`, async () => {
      const { failure, text } = failed(await post(guarded(answers), 'http://hooks.example.com/'));
      assert.equal(failure, 'refused');
      assert.doesNotMatch(text, /\d/);
    });
  }

  test('a name is resolved once, and the request goes to that address, with the name as Host', async () => {
    const hosts: (string | undefined)[] = [];
    const port = await receiver((request, response) => {
      hosts.push(request.headers.host);
      response.end();
    });
    resolved.length = 0;
    const outbound = guarded(['127.0.0.1'], sandbox);
    answered(await post(outbound, `http://hooks.example.com:${port}/`));
    assert.deepEqual(resolved, ['hooks.example.com']);
    assert.deepEqual(hosts, [`hooks.example.com:${port}`]);
    answered(await post(outbound, `http://a.localhost:${port}/`));
    assert.deepEqual(resolved, ['hooks.example.com'], 'localhost is never resolved');
  });

  test('a name without an answer, and one whose server is silent', async () => {
    assert.equal(failed(await post(guarded([]), 'http://hooks.example.com/')).failure, 'dns');
    const failing = openOutbound({ policy: sandbox, resolve: neverCalled });
    const { failure, text } = failed(await post(failing, 'http://hooks.example.com/'));
    assert.equal(failure, 'dns');
    assert.doesNotMatch(text, /must not be called/);
    const silent = openOutbound({ policy: sandbox, resolve: () => new Promise(() => undefined) });
    const late = await silent.post('http://hooks.example.com/', message, {
      ...limits,
      timeoutMs: 100,
    });
    assert.equal(failed(late).failure, 'timeout');
  });

  test('after an address that does not answer, the next is tried', async () => {
    const port = await receiver((_request, response) => void response.end());
    // No server listens on 127.0.0.2.
    answered(
      await post(guarded(['127.0.0.2', '127.0.0.1'], sandbox), `http://hooks.example.com:${port}/`),
    );
  });
});

describe('TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-outbound-'));
  let port = 0;
  let ca = '';
  const names: (string | false | null | undefined)[] = [];

  before(async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    execFileSync(
      'openssl',
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout ${key} -out ${cert} -subj /CN=hooks.example.com -addext subjectAltName=DNS:hooks.example.com,IP:127.0.0.1`.split(
        ' ',
      ),
      { stdio: 'ignore' },
    );
    ca = readFileSync(cert, 'utf8');
    const server = createTlsServer({ key: readFileSync(key), cert: ca }, (request, response) => {
      response.end(request.headers.host);
    });
    server.on('secureConnection', ({ servername, alpnProtocol }) => {
      names.push(servername);
      assert.equal(alpnProtocol, 'http/1.1');
    });
    port = await listening(server);
  });
  after(() => rmSync(folder, { recursive: true }));

  const post = (host: string, trusted?: string) =>
    openOutbound({
      policy: { allowHttp: false, allowLoopback: true },
      resolve: () => Promise.resolve(['127.0.0.1']),
      ca: trusted,
    }).post(`https://${host}:${port}/`, message, limits);

  test('with the name of the URL, or with its address', async () => {
    assert.equal(
      answered(await post('hooks.example.com', ca)).bodyExcerpt,
      `hooks.example.com:${port}`,
    );
    assert.equal(answered(await post('127.0.0.1', ca)).status, 200);
    assert.deepEqual(names, ['hooks.example.com', false]);
  });

  test('a certificate for another name, or of an unknown issuer, is refused, even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      assert.equal(failed(await post('other.example.com', ca)).failure, 'tls');
      assert.equal(failed(await post('hooks.example.com')).failure, 'tls');
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });

  test('a server that does not speak TLS fails', async () => {
    port = await speaking('HTTP/1.1 200 OK\r\n\r\n');
    assert.equal(failed(await post('hooks.example.com', ca)).failure, 'tls');
  });
});
