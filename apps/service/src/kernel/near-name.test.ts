import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertOnceUnder } from '../../test/cpu-time.ts';
import { didYouMean, nearestName } from './near-name.ts';

const known = ['event_type', 'release_date', 'territories', 'title', 'upc', 'label', 'label_id'];

describe('the known name that was probably meant', () => {
  const found: readonly [name: string, nearest: string][] = [
    ['event_types', 'event_type'],
    ['eventTypes', 'event_type'],
    ['event-type', 'event_type'],
    ['releaseDate', 'release_date'],
    ['relaese_date', 'release_date'],
    ['release_dat', 'release_date'],
    ['territory', 'territories'],
    ['titel', 'title'],
    ['UPC', 'upc'],
    ['lable', 'label'],
    ['labels', 'label'],
  ];
  for (const [name, nearest] of found) {
    test(`${name} → ${nearest}`, () => assert.equal(nearestName(name, known), nearest));
  }

  test('the first word of one name', () => {
    assert.equal(nearestName('territory', ['territory_code', 'limit']), 'territory_code');
    assert.equal(nearestName('release', ['release_at', 'release_date']), undefined);
    assert.equal(nearestName('labels', ['label', 'labels_id']), 'label');
  });

  const notFound = ['', 'x', 'date', 'description', 'u', 'upx', 'titles_of_tracks', 'a'.repeat(51)];
  for (const name of notFound) {
    test(`nothing for ${name.slice(0, 20)}`, () => {
      assert.equal(nearestName(name, known), undefined);
      assert.equal(didYouMean(name, known), '');
    });
  }

  test('codes of two letters match by their letters only', () => {
    assert.equal(nearestName('de', ['DE', 'DK']), 'DE');
    assert.equal(nearestName('DA', ['DE', 'DK']), undefined);
  });

  test('nothing where two names are equally near', () => {
    assert.equal(nearestName('store_1', ['store_2', 'store_3']), undefined);
  });

  test('100 names of 50 letters against 100 known ones cost little', async () => {
    const long = Array.from({ length: 100 }, (_, i) => `${'ab'.repeat(23)}_${i}`);
    await assertOnceUnder(2_000, () => {
      for (const name of long) nearestName(`${name.slice(0, -1)}x`, long);
    });
  });
});
