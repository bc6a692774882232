import assert from 'node:assert/strict';
import { test } from 'node:test';
import { snakeCaseCopier, toCamelCaseKeys, toSnakeCase } from './snake-case.ts';

test('each capital begins a word', () => {
  const names = ['title', 'pLine', 'artworkAssetId'] as const;
  assert.deepEqual(names.map(toSnakeCase), ['title', 'p_line', 'artwork_asset_id']);
});

test('keys are renamed there and back; values and order stay', () => {
  const camel = { releaseDate: '2027-01-15', pLine: null, artists: [{ storeProfiles: 1 }] };
  const snake = { release_date: '2027-01-15', p_line: null, artists: [{ storeProfiles: 1 }] };
  const copy = snakeCaseCopier(['releaseDate', 'pLine', 'artists']);
  assert.equal(JSON.stringify(copy(camel)), JSON.stringify(snake));
  assert.deepEqual(toCamelCaseKeys(snake), camel);
});
