import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toUuid, toWire } from '../../kernel/ids.ts';
import { positionIds } from './position-id.ts';

const one = toWire('stm', '01a2b3c4-d5e6-7abc-9def-0123456789ab');
const other = toWire('stm', '01a2b3c4-d5e6-7abc-9def-0123456789ac');

describe('ids of positions', () => {
  test('tell their position, up to more rows than any statement has', () => {
    const { idAt, positionOf } = positionIds('sli', one);
    for (const position of [1, 2, 99, 65_536, 5_000_000, 2 ** 32 + 1, 2 ** 47])
      assert.equal(positionOf(idAt(position)), position);
    assert.match(idAt(1), /^sli_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.equal(toUuid(idAt(255)), '00000000-00ff-8abc-9def-0123456789ab');
  });

  test('are the same whenever they are made, and differ between statements and kinds', () => {
    assert.equal(positionIds('sli', one).idAt(7), positionIds('sli', one).idAt(7));
    assert.notEqual(positionIds('sli', one).idAt(7), positionIds('sli', other).idAt(7));
    assert.notEqual(positionIds('sli', one).idAt(7), positionIds('roy', one).idAt(7));
  });

  test('are refused for another statement, and for any other text', () => {
    const { idAt, positionOf } = positionIds('sli', one);
    for (const text of [
      positionIds('sli', other).idAt(7),
      positionIds('roy', one).idAt(7),
      toWire('sli', toUuid(one)),
      idAt(7).toUpperCase(),
      `${idAt(7)}0`,
      '',
    ])
      assert.equal(positionOf(text), undefined, text);
  });
});
