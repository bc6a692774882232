import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { describe, mock, test } from 'node:test';
import type { Client } from 'undici';
import { createKeptConnections } from './kept-connections.ts';

class FakeClient extends EventEmitter {
  isDestroyed = false;
  destroy() {
    this.isDestroyed = true;
    return Promise.resolve();
  }
}

describe('kept connections', () => {
  const ownerOf = (organization: string, origin = 'https://example.test') => ({
    organization,
    origin,
  });
  const opened = (
    kept: ReturnType<typeof createKeptConnections>,
    organization: string,
    origin?: string,
  ) => {
    const fake = new FakeClient();
    const socket = new Socket();
    return {
      fake,
      socket,
      connection: kept.add(ownerOf(organization, origin), {
        client: fake as unknown as Client,
        socket,
      }),
    };
  };

  test('beyond the total, the one that was used least recently is closed', () => {
    const kept = createKeptConnections(2);
    const [a, b, c] = [opened(kept, 'a'), opened(kept, 'b'), opened(kept, 'c')];
    kept.keep(a.connection);
    kept.keep(b.connection);
    kept.keep(c.connection);
    assert.deepEqual(
      [a, b, c].map(({ fake }) => fake.isDestroyed),
      [true, false, false],
    );
    assert.equal(kept.take(ownerOf('a')), undefined);
    assert.equal(kept.take(ownerOf('c')), c.connection);
    assert.equal(kept.take(ownerOf('c')), undefined, 'taken');
  });

  const aMinuteLater = (act: () => void) => {
    const later = performance.now() + 60_001;
    mock.method(performance, 'now', () => later);
    try {
      act();
    } finally {
      mock.restoreAll();
    }
  };

  test('one that is older than a minute is closed after its answer', () => {
    const kept = createKeptConnections();
    const { fake, socket, connection } = opened(kept, 'a');
    aMinuteLater(() => kept.keep(connection));
    assert.ok(fake.isDestroyed);
    assert.ok(socket.destroyed);
    assert.equal(kept.take(ownerOf('a')), undefined);
  });

  test('one that became older than a minute while it was idle is not used again', () => {
    const kept = createKeptConnections();
    const { fake, connection } = opened(kept, 'a');
    kept.keep(connection);
    aMinuteLater(() => assert.equal(kept.take(ownerOf('a')), undefined));
    assert.ok(fake.isDestroyed);
  });

  test('one that closes while it is idle is forgotten, and one that closed before is not kept', () => {
    const kept = createKeptConnections();
    const { fake, connection } = opened(kept, 'a');
    kept.keep(connection);
    fake.emit('disconnect');
    assert.equal(kept.take(ownerOf('a')), undefined);
    kept.keep(connection);
    assert.equal(kept.take(ownerOf('a')), undefined);
  });

  test('one whose socket the client has destroyed is not kept', () => {
    const kept = createKeptConnections();
    const { socket, connection } = opened(kept, 'a');
    socket.destroy();
    kept.keep(connection);
    assert.equal(kept.take(ownerOf('a')), undefined);
  });

  test('an organization with many endpoints keeps 32 and closes none of another', () => {
    const kept = createKeptConnections(40);
    const other = opened(kept, 'b');
    kept.keep(other.connection);
    const own = Array.from({ length: 60 }, (_, i) => opened(kept, 'a', `https://${i}.test`));
    for (const { connection } of own) kept.keep(connection);
    assert.equal(own.filter(({ fake }) => !fake.isDestroyed).length, 32);
    assert.equal(kept.take(ownerOf('b')), other.connection);
    // One is in use, so there is room for one.
    assert.ok(kept.take(ownerOf('a', 'https://0.test')));
    const next = opened(kept, 'a', 'https://next.test');
    kept.keep(next.connection);
    assert.ok(!next.fake.isDestroyed);
  });
});
