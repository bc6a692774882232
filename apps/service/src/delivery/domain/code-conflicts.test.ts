import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertOnceUnder } from '../../../test/cpu-time.ts';
import { anyDeal } from '../../../test/machine/story.ts';
import { toWire } from '../../kernel/ids.ts';
import { everyTerritory, toTerritorySet } from '../../kernel/territory-set.ts';
import { territoryCodes } from '../../kernel/territory.ts';
import { findConflicts } from './code-conflicts.ts';
import { newStoreDelivery } from './store-delivery.ts';

const id = '0190f3a5-0000-7000-8000-000000000001';
const tracks = Array.from({ length: 500 }, (_, i) => ({
  id: toWire('trk', id),
  isrc: `QZAAA26${String(i).padStart(5, '0')}`,
}));
const codes = new Map([[1, { upc: '036000291452', ean: null, tracks }]]);
const content = {
  revision: 1,
  deal: { ...anyDeal, territoryCodes: [...territoryCodes], tracks: [] },
  requestedTerritoryCodes: null,
  messageId: toWire('msg', id),
};
const storeIds = Array.from({ length: 150 }, (_, i) => `store${i}`);
const storeDeliveries = storeIds.map((storeId) => newStoreDelivery(storeId, content, new Date()));

test('only codes that are held at the store, and only in the territories of both', () => {
  const isrc = tracks[3]?.isrc ?? '';
  const inGermany = toTerritorySet(['DE']);
  const held = [
    { storeId: 'store7', code: isrc, territories: inGermany },
    { storeId: 'store8', code: 'QZBBB2600001', territories: everyTerritory },
    { storeId: 'elsewhere', code: isrc, territories: everyTerritory },
  ];
  assert.deepEqual(findConflicts(storeDeliveries, codes, held), [
    { storeId: 'store7', code: isrc, territories: inGermany },
  ]);
});

test('the largest release, with every code held at every store, keeps a worker busy for less than half a second', async () => {
  const held = storeIds.flatMap((storeId) =>
    tracks.map(({ isrc }) => ({ storeId, code: isrc, territories: everyTerritory })),
  );
  assert.equal(findConflicts(storeDeliveries, codes, held).length, held.length);
  await assertOnceUnder(500, () => findConflicts(storeDeliveries, codes, held));
  await assertOnceUnder(20, () => findConflicts(storeDeliveries, codes, []));
});
