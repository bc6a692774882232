import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toUuid } from '../../kernel/ids.ts';
import { createKeyring } from './keyring.ts';
import { createIds } from './new-id.ts';

const key = (id: string, byte: number) => ({ id, secret: Buffer.alloc(32, byte) });

describe('the keyring', () => {
  const ring = createKeyring([key('a', 1)]);
  const sealed = ring.seal('here', Buffer.from('secret text'));

  test('opens what it sealed, in the same context only', () => {
    assert.equal(ring.open('here', sealed).toString(), 'secret text');
    assert.throws(() => ring.open('there', sealed));
  });

  test('a changed bit is detected', () => {
    for (const at of [2, 10, 20, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.throws(() => ring.open('here', changed), `byte ${at}`);
    }
  });

  test('after a rotation the old key still opens and verifies, the new key seals', () => {
    const rotated = createKeyring([key('b', 2), key('a', 1)]);
    assert.equal(rotated.open('here', sealed).toString(), 'secret text');
    assert.ok(rotated.verify('text', ring.sign('text')));
    assert.ok(!ring.verify('text', rotated.sign('text')));
    assert.throws(
      () => ring.open('here', rotated.seal('here', Buffer.from('x'))),
      /briefly unavailable/,
    );
  });

  test('two sealings of one text differ, and the empty text can be sealed', () => {
    assert.notDeepEqual(ring.seal('x', Buffer.from('a')), ring.seal('x', Buffer.from('a')));
    assert.equal(ring.open('x', ring.seal('x', Buffer.alloc(0))).length, 0);
  });
});

describe('new ids', () => {
  test('are UUIDv7 of the clock, unique and in order, even if the clock stops or moves back', () => {
    let now = Date.parse('2026-11-15T12:00:00Z');
    const newId = createIds({ now: () => new Date(now) });
    const ids = Array.from({ length: 10_000 }, (_, i) => {
      if (i === 6_000) now -= 5_000;
      return newId('rel');
    });
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(ids.toSorted(), ids);
    for (const id of ids.slice(0, 100)) {
      assert.match(
        toUuid(id),
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    }
    const first = Number.parseInt(toUuid(ids[0]!).replaceAll('-', '').slice(0, 12), 16);
    assert.equal(first, Date.parse('2026-11-15T12:00:00Z'));
  });
});
