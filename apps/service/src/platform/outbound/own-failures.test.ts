import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { after, describe, test } from 'node:test';
import { OutboundFailure } from './failures.ts';
import { hasRouteTo, OwnFailure, ownCauseOf } from './own-failures.ts';
import { openOutbound } from './post.ts';
import { resolveByDns } from './resolve.ts';

const failing = (code: string, address = '93.184.216.34') =>
  Object.assign(new Error(code), { code, syscall: 'connect', address });
const connecting = (...errors: readonly Error[]) =>
  new OutboundFailure(
    'connect',
    undefined,
    errors.length > 1 ? new AggregateError(errors) : errors[0],
  );

const withRoute = () => Promise.resolve(true);
const withoutRoute = () => Promise.resolve(false);

describe('own failures and those of the receiver', () => {
  for (const [code, cause] of [
    ['EMFILE', 'files'],
    ['ENFILE', 'files'],
    ['ENOBUFS', 'memory'],
    ['ENOMEM', 'memory'],
    ['EADDRNOTAVAIL', 'ports'],
  ] as const) {
    test(`${code} is an own failure: ${cause}, before the connection and after`, async () => {
      assert.equal(await ownCauseOf(connecting(failing(code)), withRoute), cause);
      assert.equal(await ownCauseOf(failing(code), withRoute), cause);
    });
  }

  for (const code of ['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN']) {
    test(`${code} is an own failure only while this machine has no route at all`, async () => {
      assert.equal(await ownCauseOf(connecting(failing(code)), withoutRoute), 'route');
      assert.equal(await ownCauseOf(connecting(failing(code)), withRoute), undefined);
    });
  }

  test('without IPv6 here, an unreachable IPv6 receiver is not an own failure', async () => {
    const ipv6 = failing('EADDRNOTAVAIL', '2606:2800:220:1::1');
    assert.equal(await ownCauseOf(connecting(ipv6), withRoute), undefined);
  });

  test('with several addresses, all must have failed on our side', async () => {
    const refused = failing('ECONNREFUSED');
    const unreachable = failing('ENETUNREACH');
    assert.equal(await ownCauseOf(connecting(unreachable, refused), withoutRoute), undefined);
    assert.equal(await ownCauseOf(connecting(unreachable, unreachable), withoutRoute), 'route');
  });

  test('every other failure is the receiver’s', async () => {
    const others = [
      connecting(failing('ECONNREFUSED')),
      connecting(failing('ETIMEDOUT')),
      failing('ECONNRESET'),
      new OutboundFailure('timeout'),
      new Error('?'),
    ];
    for (const error of others) assert.equal(await ownCauseOf(error, withoutRoute), undefined);
    assert.equal(await ownCauseOf(new OwnFailure('dns'), withRoute), 'dns');
  });

  test('a route is looked up without sending anything', async () => {
    assert.equal(await hasRouteTo('127.0.0.1'), true);
    // The system refuses a broadcast address without SO_BROADCAST.
    assert.equal(await hasRouteTo('255.255.255.255'), false);
  });
});

describe('a name without an answer', () => {
  const sockets: Socket[] = [];
  after(() => {
    for (const socket of sockets) socket.close();
  });

  const rootQuestion = 2;
  /** A name server with two result codes (RFC 1035 §4.1.1): for the root, and for every other name. */
  async function nameServer(root: number, others: number): Promise<string> {
    const socket = createSocket('udp4');
    sockets.push(socket);
    socket.on('message', (query, from) => {
      const answer = Buffer.from(query);
      const isRoot = query[12] === 0 && query.readUInt16BE(13) === rootQuestion;
      answer.writeUInt16BE(0x8180 | (isRoot ? root : others), 2);
      socket.send(answer, from.port, from.address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return `127.0.0.1:${socket.address().port}`;
  }
  const post = async (server: string) => {
    const { durationMs: _, ...outcome } = await openOutbound({
      policy: { allowHttp: true, allowLoopback: true },
      resolve: resolveByDns([server]),
    }).post(
      'http://hooks.example.com/',
      { headers: () => ({}), body: Buffer.from('{}') },
      { organization: 'org_1', timeoutMs: 9_000 },
    );
    return outcome;
  };
  const theirs = {
    kind: 'failed',
    failure: 'dns',
    text: 'The host name could not be resolved.',
  };
  const ours = { kind: 'unsent', cause: 'dns' };
  const [noError, serverFailure, noSuchName, refused] = [0, 2, 3, 5];

  test('is its owner’s failure if our name server says that there is none', async () => {
    assert.deepEqual(await post(await nameServer(serverFailure, noSuchName)), theirs);
  });

  test('is its owner’s failure if our name server answers for other names', async () => {
    assert.deepEqual(await post(await nameServer(noError, serverFailure)), theirs);
  });

  test('is an own failure if our name server answers for nothing', async () => {
    assert.deepEqual(await post(await nameServer(serverFailure, serverFailure)), ours);
    assert.deepEqual(await post(await nameServer(refused, refused)), ours);
  });

  test('is an own failure if no name server listens', async () => {
    const server = await nameServer(noError, noError);
    const socket = sockets.pop();
    socket?.close();
    assert.deepEqual(await post(server), ours);
  });
});
