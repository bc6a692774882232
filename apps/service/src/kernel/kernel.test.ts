import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { dayOf, isCalendarDate } from './calendar-date.ts';
import { parseId, toUuid, toWire } from './ids.ts';
import { isTerritoryCode, territoryListMax } from './territory.ts';
import { isUpc, upcFromNumber } from './upc.ts';

describe('ids', () => {
  test('contract §1: they are TypeIDs (a vector of the TypeID specification)', () => {
    const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';
    assert.equal(toWire('prefix', uuid), 'prefix_01h455vb4pex5vsknk084sn02q');
    assert.equal(toUuid('prefix_01h455vb4pex5vsknk084sn02q'), uuid);
  });

  test('every uuid survives the round trip, and their order is kept', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (a, b) => {
        assert.equal(toUuid(toWire('rel', a)), a);
        assert.equal(toWire('rel', a) < toWire('rel', b), a < b);
      }),
    );
  });

  test('a uuid has exactly one wire form: any other text is not an id', () => {
    const good = 'rel_01h455vb4pex5vsknk084sn02q';
    assert.equal(parseId('rel', good), good);
    for (const bad of [
      'rel_81h455vb4pex5vsknk084sn02q',
      'rel_01h455vb4pex5vsknk084sn02Q',
      'rel_01h455vb4pex5vsknk084sn02l',
      'rel_01h455vb4pex5vsknk084sn02',
      'trk_01h455vb4pex5vsknk084sn02q',
      'rel-01h455vb4pex5vsknk084sn02q',
      '',
    ]) {
      assert.equal(parseId('rel', bad), undefined, bad);
    }
  });
});

describe('UPCs', () => {
  test('GS1 check digits of codes in use', () => {
    for (const upc of [
      '036000291452',
      '614141000036',
      '042100005264',
      '602445790128',
      '000000000000',
    ]) {
      assert.ok(isUpc(upc), upc);
    }
  });

  test('every number makes a valid code, and no other check digit is valid', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (number) => {
        const upc = upcFromNumber(number);
        const valid = Array.from({ length: 10 }, (_, i) => `${upc.slice(0, 11)}${i}`).filter(isUpc);
        assert.deepEqual(valid, [upc]);
      }),
    );
  });
});

describe('calendar dates', () => {
  for (const good of ['2024-02-29', '2027-12-31', '1000-01-01', '9999-12-31']) {
    test(`${good} is a date`, () => assert.ok(isCalendarDate(good)));
  }
  for (const bad of [
    '2025-02-29',
    '2025-02-30',
    '2025-13-01',
    '2025-00-10',
    '2025-1-1',
    '0000-01-01',
    ' 2025-01-01',
    '2025-01-01T00:00:00Z',
    '１２３４-01-01',
  ]) {
    test(`${bad} is not a date`, () => assert.ok(!isCalendarDate(bad)));
  }
  test('every day of four centuries is a calendar date', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_000, max: 84_000 }), (days) => {
        const date = new Date(days * 86_400_000);
        assert.ok(isCalendarDate(dayOf(date)));
      }),
    );
  });
});

describe('territories', () => {
  test('ISO 3166-1 has 249 codes', () => {
    assert.equal(territoryListMax, 249);
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
    const ours = Array.from(letters)
      .flatMap((a) => Array.from(letters, (b) => a + b))
      .filter(isTerritoryCode);
    assert.equal(ours.length, 249);
    for (const code of ours) assert.ok(names.of(code), `${code} has a name`);
  });
  for (const bad of ['UK', 'EU', 'XK', 'ZZ', 'us', 'WORLD', '', '__proto__']) {
    test(`${bad || 'an empty text'} is not a territory code`, () =>
      assert.ok(!isTerritoryCode(bad)));
  }
});
