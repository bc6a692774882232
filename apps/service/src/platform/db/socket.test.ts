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

  const connected = async (): Promise<Socket> => {
    const socket = openSocket();
    socket.connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };

  test('writes of one tick leave together, also around the driver’s own corks', async () => {
    const socket = await connected();
    socket.write('begin');
    socket.cork();
    socket.write('bind');
    socket.uncork();
    socket.write('commit');
    assert.equal(socket.writableLength, 'beginbindcommit'.length, 'nothing has left yet');
    await until('all has arrived', () => received === 'beginbindcommit');
    socket.destroy();
  });
});
