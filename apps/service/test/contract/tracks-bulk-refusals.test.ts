/** What PATCH /v1/tracks/bulk refuses: contract §1, §3, §4, §5, §7. All items or none are changed. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type BulkTracksFixture, fieldsOf, openBulkTracksFixture } from '../bulk-tracks-fixture.ts';
import { draft, type Reply } from '../test-service.ts';

type Json = Reply['json'];

describe('refusals of PATCH /v1/tracks/bulk', () => {
  let fixture: BulkTracksFixture;
  before(async () => {
    fixture = await openBulkTracksFixture();
  });
  after(() => fixture.close());

  const broken: readonly [what: string, fields: object, code: string, field: string][] = [
    ['an ISRC', { isrc: 'bad' }, 'invalid_isrc_format', 'isrc'],
    ['an unknown field', { colour: 'red' }, 'unknown_field', 'colour'],
    ['a read-only field', { duration_ms: 3 }, 'read_only_field', 'duration_ms'],
    ['another release', { release_id: 'rel_x' }, 'read_only_field', 'release_id'],
    ['an empty title', { title: '' }, 'invalid_field', 'title'],
    ['no id', { id: undefined }, 'missing_required_field', 'id'],
    ['no main artist', { artists: [{ name: 'A', role: 'featured' }] }, 'invalid_field', 'artists'],
    ['unknown audio', { audio_asset_id: 'ast_x' }, 'invalid_field', 'audio_asset_id'],
    ['a territory', { territory: ['AQ'] }, 'territory_not_supported', 'territory[0]'],
    [
      'codes with exclusions',
      { territory: ['DE'], excluded_territories: ['DE'] },
      'invalid_field',
      'excluded_territories',
    ],
  ];
  for (const [what, fields, code, field] of broken) {
    test(`contract §4: ${what} is named tracks[1].${field}, and no track is changed`, async () => {
      const { id, tracks } = await fixture.givenRelease(2);
      const reply = await fixture.patch([
        { id: tracks[0].id, title: 'Changed' },
        { id: tracks[1].id, ...fields },
      ]);
      assert.deepEqual([reply.status, reply.json.error.code], [422, code], reply.text);
      assert.deepEqual(fieldsOf(reply), [`tracks[1].${field}`]);
      assert.deepEqual(await fixture.tracksOf(id), tracks, 'no trace');
      assert.equal(await fixture.revisionOf(id), 2);
    });
  }

  test('a preview after the end of the audio that the same item sets', async () => {
    const { tracks } = await fixture.givenRelease(2);
    const audio_asset_id = await fixture.service.givenAsset(fixture.label, 'audio');
    const reply = await fixture.patch([
      { id: tracks[0].id },
      { id: tracks[1].id, audio_asset_id, preview_start_ms: 180_000 },
    ]);
    assert.deepEqual([reply.status, fieldsOf(reply)], [422, ['tracks[1].preview_start_ms']]);
  });

  test('contract §1: an unknown id, a malformed one and one of another organization read the same', async () => {
    const { id, tracks } = await fixture.givenRelease(1);
    const other = await fixture.service.givenOrganization();
    const foreign = await fixture.givenRelease(1, other);
    const texts = [];
    for (const unknown of [
      foreign.tracks[0].id,
      'trk_01h455vb4pex5vsknk084sn02q',
      'trk_x',
      'x',
      id,
    ]) {
      const reply = await fixture.patch([
        { id: tracks[0].id, title: 'X' },
        { id: unknown, title: 'X' },
        { id: unknown, title: 'Y' },
      ]);
      assert.deepEqual([reply.status, reply.json.error.code], [422, 'invalid_field'], unknown);
      assert.deepEqual(fieldsOf(reply), ['tracks[1].id', 'tracks[2].id']);
      texts.push(reply.text.replaceAll(/req_\w{26}/g, ''));
    }
    assert.equal(new Set(texts).size, 1, 'all answers are the same');
    assert.deepEqual(await fixture.tracksOf(id), tracks, 'no trace');
  });

  test('catalogue §5: a track is named once', async () => {
    const { id, tracks } = await fixture.givenRelease(2);
    const reply = await fixture.patch([
      { id: tracks[0].id, title: 'A' },
      { id: tracks[1].id, title: 'B' },
      { id: tracks[0].id, title: 'C' },
    ]);
    assert.deepEqual([reply.status, reply.json.error.code], [422, 'invalid_field']);
    assert.deepEqual(reply.json.error.details, [
      {
        field: 'tracks[2].id',
        issue: 'tracks[2].id is the same track as tracks[0].id; list each track once.',
      },
    ]);
    assert.deepEqual(await fixture.tracksOf(id), tracks, 'no trace');
  });

  test('contract §3: none is changed while the review of one release is pending', async () => {
    const free = await fixture.givenRelease(1);
    const release = (await fixture.label.call('POST', '/v1/releases', draft())).json;
    await fixture.service.makeSubmittable(fixture.label, release.id);
    const submitted = await fixture.label.call('POST', `/v1/releases/${release.id}/submit`);
    assert.equal(submitted.status, 200, submitted.text);
    const [track] = await fixture.tracksOf(release.id);
    const reply = await fixture.patch([
      { id: free.tracks[0].id, title: 'X' },
      { id: track.id, title: 'X' },
    ]);
    assert.deepEqual([reply.status, reply.json.error.code], [409, 'invalid_state']);
    assert.deepEqual(await fixture.tracksOf(free.id), free.tracks, 'no trace');
  });

  test('contract §7: up to 1 MiB, and no more', async () => {
    const { tracks } = await fixture.givenRelease(100);
    const large = (track: Json, length: number) => ({
      id: track.id,
      artists: Array.from({ length: 20 }, () => ({ name: 'x'.repeat(length), role: 'main' })),
    });
    const fits = await fixture.patch(tracks.slice(0, 90).map((track: Json) => large(track, 450)));
    assert.equal(fits.status, 200, fits.text);
    const reply = await fixture.patch(tracks.map((track: Json) => large(track, 500)));
    assert.deepEqual([reply.status, reply.json.error.code], [413, 'payload_too_large']);
  });

  test('contract §5: it needs the scope tracks:write', async () => {
    const reader = await fixture.service.givenOrganization({
      scopes: 'tracks:read,releases:write',
    });
    const reply = await reader.call('PATCH', '/v1/tracks/bulk', { tracks: [{ id: 'trk_x' }] });
    assert.deepEqual([reply.status, reply.json.error.code], [403, 'insufficient_scope']);
  });
});
