import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../../../scripts/servers/server.ts';
import { openSocket } from './socket.ts';

describe("the driver's socket", () => {
  let received = '';
  const server = createServer((client) => {
    client.on('error', () => undefined);
    client.on('data', (chunk) => (received += chunk.toString()));
  });
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  const connected = async (silenceTimeoutMs: number): Promise<Socket> => {
    const socket = openSocket(silenceTimeoutMs);
    socket.connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };

  test('writes of one tick leave together, also around the driver’s own corks', async () => {
    const socket = await connected(10_000);
    socket.write('begin');
    socket.cork();
    socket.write('bind');
    socket.uncork();
    socket.write('commit');
    assert.equal(socket.writableLength, 'beginbindcommit'.length, 'nothing has left yet');
    await until('all has arrived', () => received === 'beginbindcommit');
    socket.destroy();
  });

  test('a server that stays silent counts as gone: ETIMEDOUT', async () => {
    const socket = await connected(50);
    socket.write('hello?');
    const [error] = await once(socket, 'error', { signal: AbortSignal.timeout(60_000) });
    assert.equal(error.code, 'ETIMEDOUT');
  });
});
