/** The ERN messages of a dry run, and what they carry (contract §4): over HTTP, valid by DDEX's schemas, and bounded. */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createValidator } from '@tonearm/ern';
import fc from 'fast-check';
import { previewMessages } from '../../src/delivery/connectors/ddex/preview-messages.ts';
import type { Json } from '../delivery-fixture.ts';
import { openRightsFixture, type RightsFixture } from '../rights-fixture.ts';
import { offeredRelease } from '../snapshot-arbitrary.ts';

/** DDEX's licence keeps its schemas out of the repository. */
const schemaDirectory =
  process.env['DDEX_SCHEMA_DIR'] ?? join(import.meta.dirname, '../../../../../shared/ddex/xsd');
const withoutSchemas = existsSync(schemaDirectory) ? false : `no schemas in ${schemaDirectory}`;

describe('contract §4: the messages of a dry run', () => {
  let fixture: RightsFixture;
  before(async () => {
    fixture = await openRightsFixture();
  });
  after(() => fixture.close());

  const dryRun = async (body: object): Promise<Json> => {
    const { status, json, text } = await fixture.post('/dry_run', body);
    assert.equal(status, 200, text);
    return json;
  };

  test('each store has its own message, and what it carries of the release', async () => {
    const album = await fixture.givenAlbum({
      tracks: [{ ai_use: { recording: 'partly' } }, { territory: ['US'] }],
    });
    const { stores } = await dryRun({
      release_id: album.id,
      stores: ['aurora', 'emberline'],
      territory_codes: ['WORLDWIDE'],
    });
    const [aurora, emberline] = stores;
    assert.equal(aurora.message.ern_version, '4.3.2');
    assert.match(aurora.message.xml, /xmlns:ern="http:\/\/ddex\.net\/xml\/ern\/432"/);
    assert.match(aurora.message.xml, /<MessageId>dry_run<\/MessageId>/);
    assert.equal(aurora.message.size_bytes, Buffer.byteLength(aurora.message.xml));
    assert.ok(aurora.conveys.sent.includes('/tracks/0/ai_use/recording'));
    assert.equal(emberline.message.ern_version, '4.3');
    assert.match(emberline.message.xml, /xmlns:ern="http:\/\/ddex\.net\/xml\/ern\/43"/);
    const reasonOf = (pointer: string) =>
      emberline.conveys.dropped.find((each: Json) => each.pointer === pointer)?.reason;
    assert.equal(
      reasonOf('/tracks/0/ai_use/recording'),
      'This version of ERN has no element for it.',
    );
    assert.equal(reasonOf('/tracks/1/title'), 'The store is not offered the track.');
    for (const { conveys } of stores) {
      const dropped = new Set(conveys.dropped.map(({ pointer }: Json) => pointer));
      assert.ok(dropped.has('/created_at'));
      assert.ok(conveys.sent.includes('/title'));
      assert.deepEqual(
        conveys.sent.filter((pointer: string) => dropped.has(pointer)),
        [],
      );
    }
  });

  test('an update shows the message of the new revision', async () => {
    const { delivery, album } = await fixture.givenAlbumDelivery();
    await fixture.confirmAll(delivery);
    await fixture.patchRelease(album.id, { title: 'Another Title' });
    const { stores } = await dryRun({ delivery_id: delivery.id });
    assert.match(stores[0].message.xml, /Another Title/);
  });

  test('they are valid by the schemas of their versions', { skip: withoutSchemas }, () => {
    const validator = createValidator(schemaDirectory);
    const versions = new Set<string>();
    fc.assert(
      fc.property(offeredRelease(3), ({ snapshot, store, deal }) => {
        const [preview] = previewMessages({
          snapshot,
          stores: [{ store, deal }],
          createdAt: new Date('2026-11-16T12:00:00.000Z'),
        });
        versions.add(preview?.ernVersion ?? '');
        assert.deepEqual(validator.validate(preview?.xml ?? ''), []);
      }),
      { numRuns: 100 },
    );
    validator.dispose();
    assert.deepEqual([...versions].toSorted(), ['4.3', '4.3.2']);
  });

  test('together they have at most 2 MiB; what exceeds it is null', () => {
    const [offered] = fc.sample(offeredRelease(1), { numRuns: 1, seed: 7 });
    const { snapshot, store, deal } = offered!;
    const [track] = snapshot.tracks;
    const large = {
      ...snapshot,
      tracks: Array.from({ length: 150 }, (_, i) => ({
        ...track!,
        id: `trk_${i}` as const,
        position: i + 1,
      })),
    };
    const stores = Array.from({ length: 12 }, () => ({ store, deal: { ...deal, tracks: [] } }));
    const previews = previewMessages({ snapshot: large, stores, createdAt: new Date(0) });
    const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
    const total = previews.reduce(
      (sum, { xml, conveyed }) =>
        sum + (xml ? bytesOf(xml) : 0) + (conveyed ? bytesOf(conveyed) : 0),
      0,
    );
    assert.ok(total <= 2 * 1024 * 1024 && total > 1024 * 1024, String(total));
    assert.ok(previews.length < stores.length);
    assert.equal(previews.at(-1)?.xml, null);
    assert.notEqual(previews[0]?.xml, null);
  });
});
