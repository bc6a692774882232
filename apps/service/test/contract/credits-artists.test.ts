/** Contributors that name their artist (catalogue §3). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type CreditsFixture, openCreditsFixture, refusalOf } from '../credits-fixture.ts';

describe('catalogue §3: the artist behind a contributor', () => {
  let fixture: CreditsFixture;
  before(async () => {
    fixture = await openCreditsFixture();
  });
  after(() => fixture.close());

  const createArtist = async (name: string): Promise<string> =>
    (await fixture.call('POST', '/artists', { name })).json.id;

  test('gives the credit its name where the entry has none; the artist and the credit may differ', async () => {
    const artist_id = await createArtist('Ida Berg');
    const { json } = await fixture.createTrack({
      contributors: [
        { artist_id, roles: ['vocalist'] },
        { artist_id, name: 'I. Berg', roles: ['composer'] },
        { name: 'Mo Falk', roles: ['producer'] },
      ],
    });
    assert.deepEqual(json.contributors, [
      { artist_id, name: 'Ida Berg', roles: ['vocalist'] },
      { artist_id, name: 'I. Berg', roles: ['composer'] },
      { name: 'Mo Falk', roles: ['producer'] },
    ]);
  });

  test('contract §1, §5: unknown, malformed and another organization’s read the same; one of both is required', async () => {
    const stranger = await fixture.service.givenOrganization();
    const foreign = (await stranger.call('POST', '/v1/artists', { name: 'Ida' })).json.id;
    for (const artist_id of [foreign, 'art_01h455vb4pex5vsknk084sn02q', 'x']) {
      const reply = await fixture.createTrack({
        contributors: [{ artist_id, roles: ['vocalist'] }],
      });
      assert.deepEqual(refusalOf(reply), [
        422,
        'invalid_field',
        'contributors[0].artist_id',
        'contributors[0].artist_id must be the id of an artist of yours; GET /v1/artists lists them.',
      ]);
    }
    const nameless = await fixture.createTrack({ contributors: [{ roles: ['vocalist'] }] });
    assert.deepEqual(refusalOf(nameless).slice(0, 3), [
      422,
      'missing_required_field',
      'contributors[0].name',
    ]);
  });

  test('is used by the track: it cannot be deleted; after a merge the track shows the one that remains', async () => {
    const [merged, into] = [await createArtist('Ida'), await createArtist('Ida B.')];
    const { json: track } = await fixture.createTrack();
    const patched = await fixture.call('PATCH', '/tracks/bulk', {
      tracks: [{ id: track.id, contributors: [{ artist_id: merged, roles: ['vocalist'] }] }],
    });
    assert.equal(patched.status, 200, patched.text);
    const refused = await fixture.call('DELETE', `/artists/${merged}`);
    assert.deepEqual([refused.status, refused.json.error.code], [409, 'invalid_state']);
    assert.ok(refused.json.error.message.includes(track.release_id), refused.text);
    assert.equal((await fixture.call('POST', `/artists/${merged}/merge`, { into })).status, 200);
    const { json } = await fixture.call('GET', `/tracks/${track.id}`);
    assert.deepEqual(json.contributors, [{ artist_id: into, name: 'Ida', roles: ['vocalist'] }]);
  });
});
