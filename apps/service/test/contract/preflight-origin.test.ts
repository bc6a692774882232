/** What preflight says about origin, languages and genres: catalogue §4. The rules one by one: `prove preflight`. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Json } from '../delivery-fixture.ts';
import { openRightsFixture, type RightsFixture } from '../rights-fixture.ts';

describe('preflight of origin, languages and genres', () => {
  let fixture: RightsFixture;
  before(async () => {
    fixture = await openRightsFixture();
  });
  after(() => fixture.close());

  const findingsOf = async (id: string, rule: string): Promise<readonly Json[]> => {
    const { findings } = await fixture.ask('POST', `/v1/releases/${id}/validate`);
    return findings.filter((finding: Json) => finding.rule === rule);
  };
  const applyFixes = (id: string, findings: readonly Json[]) =>
    fixture.ask('POST', `/v1/releases/${id}/fixes`, {
      finding_ids: findings.map((finding) => finding.id),
    });

  test('catalogue §4: a cover for download in the US without a licence is an error at stores with download', async () => {
    const { id, trackIds } = await fixture.givenAlbum({ tracks: [{}, { composition: 'cover' }] });
    const [finding, ...more] = await findingsOf(id, 'cover_licence');
    assert.deepEqual(more, []);
    assert.deepEqual(
      [finding.severity, finding.pointer, finding.applies_to.toSorted(), finding.prevents],
      [
        'error',
        '/tracks/1/mechanical_licence',
        ['aurora', 'driftwood', 'glasshouse'],
        'rights_conflict',
      ],
    );
    await fixture.patchTrack(trackIds[1], { mechanical_licence: 'HFA 123' });
    assert.deepEqual(await findingsOf(id, 'cover_licence'), []);
  });

  test('catalogue §4: not where it is no download, or not in the US', async () => {
    const { id } = await fixture.givenAlbum({
      tracks: [
        {},
        { composition: 'cover', excluded_territories: ['US'] },
        { composition: 'cover', use_types: ['subscription_stream', 'ugc'] },
      ],
    });
    assert.deepEqual(await findingsOf(id, 'cover_licence'), []);
  });

  test('catalogue §4: samples, or a work in the public domain, cannot be monetized at stores with ugc; the fix tracks it', async () => {
    const { id, trackIds } = await fixture.givenAlbum({
      tracks: [
        { samples: 'cleared', ugc_policy: 'monetize' },
        { composition: 'public_domain', ugc_policy: 'monetize' },
        { samples: 'none', composition: 'original', ugc_policy: 'monetize' },
      ],
    });
    const findings = await findingsOf(id, 'ugc_monetized');
    assert.deepEqual(
      findings.map(({ severity, pointer, applies_to }) => [severity, pointer, applies_to]),
      [0, 1].map((i) => ['error', `/tracks/${i}/ugc_policy`, ['firefly']]),
    );
    await applyFixes(id, findings);
    assert.deepEqual(await findingsOf(id, 'ugc_monetized'), []);
    const { ugc_policy } = await fixture.ask('GET', `/v1/tracks/${trackIds[0]}`);
    assert.equal(ugc_policy, 'track');
  });

  test('catalogue §4: a subgenre of another genre, and a title in the language of the metadata, are removed by fixes', async () => {
    const { id } = await fixture.givenAlbum({
      release: {
        genre: 'Electronic',
        subgenre: 'Trap',
        localized_titles: { en: { title: 'Night Drive' }, de: { title: 'Nachtfahrt' } },
      },
    });
    const findings = [
      ...(await findingsOf(id, 'subgenre_unknown')),
      ...(await findingsOf(id, 'localized_title_repeated')),
    ];
    assert.deepEqual(
      findings.map(({ severity, pointer }) => [severity, pointer]),
      [
        ['warning', '/subgenre'],
        ['warning', '/localized_titles'],
      ],
    );
    const fixed = await applyFixes(id, findings);
    assert.equal(fixed.subgenre, null);
    assert.deepEqual(Object.keys(fixed.localized_titles), ['de']);
  });

  test('a track that first came out after its release is an error', async () => {
    const { id } = await fixture.givenAlbum({
      tracks: [{ original_release_date: '2027-01-15' }, { original_release_date: '2027-01-16' }],
    });
    const findings = await findingsOf(id, 'original_date_later');
    assert.deepEqual(
      findings.map(({ severity, pointer }) => [severity, pointer]),
      [['error', '/tracks/1/original_release_date']],
    );
  });

  test('what is sung is lyrics_language; without it, the language of the track or of its release', async () => {
    const contributors = [{ name: 'Ida Berg', roles: ['vocalist', 'composer'] }];
    const { id } = await fixture.givenAlbum({
      tracks: [
        { contributors, language: 'sv', lyrics_language: 'zxx' },
        { contributors, language: 'zxx', lyrics_language: 'sv' },
        { contributors },
      ],
    });
    const findings = await findingsOf(id, 'credits_missing');
    assert.deepEqual(
      findings.map(({ pointer }) => pointer),
      ['/tracks/1/contributors', '/tracks/2/contributors'],
    );
  });

  test('contract §4: a dry run shows the findings of the stores it asks about', async () => {
    const { id } = await fixture.givenAlbum({
      tracks: [{ composition: 'cover', samples: 'cleared', ugc_policy: 'monetize' }, {}],
    });
    const { findings } = await fixture.ask('POST', '/v1/deliveries/dry_run', {
      release_id: id,
      stores: ['beatlane', 'driftwood', 'firefly'],
      territory_codes: ['WORLDWIDE'],
    });
    assert.deepEqual(
      findings
        .filter(({ severity }: Json) => severity === 'error')
        .map(({ rule, pointer, applies_to }: Json) => [rule, pointer, applies_to]),
      [
        ['cover_licence', '/tracks/0/mechanical_licence', ['driftwood']],
        ['ugc_monetized', '/tracks/0/ugc_policy', ['firefly']],
      ],
    );
  });

  test('catalogue §4: the snapshot has the fields, and an update lists what changed', async () => {
    const { delivery, album } = await fixture.givenLiveAlbum({
      tracks: [{ iswc: 'T-034.524.680-1', localized_titles: { de: { title: 'Nachtfahrt' } } }],
      release: { type: 'single', price_tier: 'mid' },
      stores: ['aurora'],
    });
    const [message] = fixture.messagesOf(delivery.id);
    assert.equal(message?.snapshot.release.priceTier, 'mid');
    assert.equal(message?.snapshot.tracks[0]?.iswc, 'T0345246801');
    await fixture.patchRelease(album.id, { price_tier: 'budget', metadata_language: 'sv' });
    await fixture.patchTrack(album.trackIds[0], {
      iswc: null,
      ugc_policy: 'block',
      localized_titles: { de: { title: 'Nachtfahrt', version: 'Live' } },
    });
    await fixture.ask('POST', `/v1/deliveries/${delivery.id}/update`, {});
    await fixture.runUntilIdle();
    const { data } = await fixture.timelineOf(delivery.id);
    const changes = data.flatMap((entry: Json) => entry.changes ?? []);
    assert.deepEqual(
      Object.fromEntries(
        changes.map((change: Json) => [change.pointer, [change.before, change.after]]),
      ),
      {
        '/metadata_language': ['en', 'sv'],
        '/price_tier': ['mid', 'budget'],
        '/tracks/0/iswc': ['T-034.524.680-1', null],
        '/tracks/0/localized_titles/de/version': [null, 'Live'],
        '/tracks/0/ugc_policy': [null, 'block'],
      },
    );
  });
});
