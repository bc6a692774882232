/** What stores ask of releases and tracks: catalogue §4. EANs, genres and the rules have tests of their own. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toUuid } from '../../src/kernel/ids.ts';
import {
  type OrgClient,
  draft,
  openTestService,
  type Reply,
  type TestService,
} from '../test-service.ts';

/** Every optional field of catalogue §4, as it is shown. */
const releaseFields = {
  ean: '4006381333931',
  price_tier: 'front',
  subgenre: 'Synthwave',
  localized_titles: {
    de: { title: 'Nachtfahrt', version: null },
    'pt-BR': { title: 'Viagem noturna', version: 'Ao vivo' },
  },
};
const trackFields = {
  original_release_date: '2019-05-10',
  iswc: 'T-034.524.680-1',
  recording_country: 'SE',
  composition: 'cover',
  samples: 'cleared',
  mechanical_licence: 'HFA 123456789',
  lyrics_language: 'sv-SE',
  ugc_policy: 'track',
  instant_gratification: true,
  subgenre: 'Downtempo',
  localized_titles: { 'zh-Hant': { title: '夜行', version: null } },
};
const nulls = (fields: object) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
const pick = (json: Reply['json'], fields: object) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, json[name]]));

describe('the fields of catalogue §4', () => {
  let service: TestService;
  let label: OrgClient;
  let releaseId: string;
  before(async () => {
    service = await openTestService();
    label = await service.givenOrganization();
    await service.admin('isrc', 'add-registrant', '--org', label.orgId, '--code', 'QZCAT');
    releaseId = (await create()).json.id;
  });
  after(() => service.close());

  const create = (fields: object = {}) => label.call('POST', '/v1/releases', draft(fields));
  const addTrack = (fields: object = {}) =>
    label.call('POST', '/v1/tracks', { release_id: releaseId, title: 'Night Drive', ...fields });

  describe('of a release and a track', () => {
    test('catalogue §4: null until they are sent, kept as sent, and null clears them', async () => {
      const resources: readonly [string, Reply, object][] = [
        ['/v1/releases', await create({ genre: 'Electronic' }), releaseFields],
        ['/v1/tracks', await addTrack(), trackFields],
      ];
      for (const [path, { status, json }, fields] of resources) {
        assert.equal(status, 201);
        assert.deepEqual(pick(json, fields), nulls(fields));
        const one = `${path}/${json.id}`;
        const patched = await label.call('PATCH', one, fields);
        assert.equal(patched.status, 200, patched.text);
        assert.deepEqual(pick(patched.json, fields), fields);
        const read = await label.call('GET', one);
        assert.equal(read.text, patched.text, 'the same bytes, and so the same ETag');
        assert.equal(read.headers.get('etag'), patched.headers.get('etag'));
        const cleared = await label.call('PATCH', one, nulls(fields));
        assert.deepEqual(pick(cleared.json, fields), nulls(fields));
      }
    });

    test('catalogue §4: a creation takes them too, of many tracks as well', async () => {
      const release = await create(releaseFields);
      assert.equal(release.status, 201, release.text);
      assert.deepEqual(pick(release.json, releaseFields), releaseFields);
      const track = await addTrack(trackFields);
      assert.equal(track.status, 201, track.text);
      assert.deepEqual(pick(track.json, trackFields), trackFields);
      const tracks = [{ release_id: releaseId, title: 'Day Off', ...trackFields }];
      const { json } = await label.call('POST', '/v1/tracks/bulk', { tracks });
      assert.deepEqual(pick(json.data[0], trackFields), trackFields);
      const { json: read } = await label.call('GET', `/v1/tracks/${json.data[0].id}`);
      assert.deepEqual(read, json.data[0]);
    });

    test('catalogue §4: every word of their lists', async () => {
      const words: Readonly<Record<string, readonly string[]>> = {
        composition: ['original', 'cover', 'public_domain'],
        samples: ['none', 'cleared'],
        ugc_policy: ['monetize', 'track', 'block'],
      };
      const path = `/v1/tracks/${(await addTrack()).json.id}`;
      for (const [field, values] of Object.entries(words)) {
        for (const value of values) {
          assert.equal((await label.call('PATCH', path, { [field]: value })).json[field], value);
        }
      }
      for (const price_tier of ['budget', 'mid', 'front', 'premium']) {
        const patched = await label.call('PATCH', `/v1/releases/${releaseId}`, { price_tier });
        assert.equal(patched.json.price_tier, price_tier);
      }
    });

    test('a revision names the fields that changed, and shows them as they were', async () => {
      const { json: first } = await create();
      const path = `/v1/releases/${first.id}`;
      const { json: second } = await label.call('PATCH', path, {
        ...releaseFields,
        metadata_language: 'sv',
      });
      const again = await label.call('PATCH', path, { ...releaseFields, metadata_language: 'SV' });
      assert.equal(again.json.revision, 2, 'the same values make no revision');
      const { data } = (await label.call('GET', `${path}/revisions`)).json;
      assert.deepEqual(
        data.map(({ changed_fields }: { changed_fields: string[] }) => changed_fields.toSorted()),
        [[...Object.keys(releaseFields), 'metadata_language'].toSorted(), []],
      );
      assert.deepEqual((await label.call('GET', `${path}/revisions/2`)).json.release, second);
      assert.deepEqual((await label.call('GET', `${path}/revisions/1`)).json.release, first);
    });

    test('a revision from before the fields existed shows null, and the metadata_language en', async () => {
      const { json: first } = await create();
      await service.query(
        `update release_revisions
            set release = release - '{ean,priceTier,subgenre,localizedTitles,metadataLanguage}'::text[]
          where release_id = $1`,
        [toUuid(first.id)],
      );
      const { json } = await label.call('GET', `/v1/releases/${first.id}/revisions/1`);
      assert.deepEqual(json.release, first);
    });
  });

  test('catalogue §4: an ISWC is understood with and without separators, and shown with them', async () => {
    const { json } = await addTrack();
    for (const iswc of ['T0345246801', 'T-034524680-1', 'T-034.524.680-1']) {
      const patched = await label.call('PATCH', `/v1/tracks/${json.id}`, { iswc });
      assert.equal(patched.json.iswc, 'T-034.524.680-1', iswc);
    }
  });

  describe('languages', () => {
    test('catalogue §4: metadata_language is the default of the account, en unless it says otherwise', async () => {
      assert.equal((await create()).json.metadata_language, 'en');
      const createOrg = ['org', 'create', '--name', 'Lund', '--tier', 'growth'];
      const org = await service.admin(...createOrg, '--language', 'SV-se');
      assert.equal(org['default_metadata_language'], 'sv-SE');
      const orgId = org['id'] ?? '';
      await service.admin('upc', 'add-range', '--org', orgId, '--prefix', '7300001');
      const { secret } = await service.admin('key', 'create', '--org', orgId);
      const { json } = await service.request(secret, 'POST', '/v1/releases', draft());
      assert.equal(json.metadata_language, 'sv-SE');
      await assert.rejects(
        service.admin(...createOrg, '--language', 'english'),
        /--language must be a BCP 47/,
      );
    });

    test('catalogue §4: ERN requires metadata_language, so null is refused', async () => {
      for (const reply of [
        await create({ metadata_language: null }),
        await label.call('PATCH', `/v1/releases/${releaseId}`, { metadata_language: null }),
      ]) {
        assert.deepEqual([reply.status, reply.json.error.code], [422, 'invalid_field']);
        assert.equal(reply.json.error.details[0].field, 'metadata_language');
      }
    });

    test('catalogue §4: tags are shown in their canonical spelling', async () => {
      const { json } = await create({
        metadata_language: 'PT-br',
        localized_titles: { 'ZH-hant': { title: '夜行' }, iw: { title: 'נסיעת לילה' } },
      });
      assert.equal(json.metadata_language, 'pt-BR');
      assert.deepEqual(Object.keys(json.localized_titles), ['he', 'zh-Hant']);
      const track = await addTrack({ lyrics_language: 'ZXX' });
      assert.equal(track.json.lyrics_language, 'zxx');
    });

    test('two spellings of one language are refused, and leave no trace', async () => {
      const localized_titles = { en: { title: 'A' }, EN: { title: 'B' } };
      const refusals: readonly [Reply, string][] = [
        [await create({ localized_titles }), 'localized_titles.EN'],
        [await addTrack({ localized_titles }), 'localized_titles.EN'],
        [
          await label.call('PATCH', `/v1/releases/${releaseId}`, { localized_titles }),
          'localized_titles.EN',
        ],
        [
          await label.call('POST', '/v1/tracks/bulk', {
            tracks: [
              { release_id: releaseId, title: 'One' },
              { release_id: releaseId, title: 'Two', localized_titles },
            ],
          }),
          'tracks[1].localized_titles.EN',
        ],
      ];
      for (const [{ status, json }, field] of refusals) {
        assert.deepEqual([status, json.error.code], [422, 'invalid_field']);
        assert.deepEqual(json.error.details, [
          { field, issue: `${field} is the same language as en; send one of them.` },
        ]);
      }
      const { json } = await label.call('GET', `/v1/releases/${releaseId}`);
      assert.equal(json.localized_titles, null);
      const { data } = (await label.call('GET', `/v1/tracks?release_id=${releaseId}`)).json;
      assert.ok(data.every(({ title }: { title: string }) => title !== 'One' && title !== 'Two'));
    });

    test('an empty map of localized titles clears them', async () => {
      const { json } = await create(releaseFields);
      const cleared = await label.call('PATCH', `/v1/releases/${json.id}`, {
        localized_titles: {},
      });
      assert.equal(cleared.json.localized_titles, null);
    });
  });

  describe('values that are refused', () => {
    const many = Object.fromEntries(
      Array.from('abcdefghijklmnopqrstu', (letter) => [`a${letter}`, { title: 'A' }]),
    );
    const ofReleases: readonly [object, RegExp][] = [
      [{ ean: '4006381333932' }, /^ean must be an EAN such as "4006381333931": 13 digits/],
      [{ ean: '036000291452' }, /^ean must be an EAN such as "4006381333931": 13 digits/],
      [{ price_tier: 'cheap' }, /^price_tier must be one of: budget, mid, front, premium\.$/],
      [{ metadata_language: 'english' }, /BCP 47/],
      [{ metadata_language: 'en_GB' }, /BCP 47/],
      [{ localized_titles: { english: { title: 'A' } } }, /BCP 47/],
      [{ localized_titles: { de: { title: '' } } }, /empty/],
      [{ localized_titles: { de: { title: 'x'.repeat(501) } } }, /500/],
      [{ localized_titles: { de: { title: 'A', version: 'x'.repeat(501) } } }, /500/],
      [{ localized_titles: many }, /20/],
      [{ subgenre: 'x'.repeat(101) }, /100/],
    ];
    const ofTracks: readonly [object, RegExp][] = [
      [{ iswc: 'T-034.524.680-2' }, /^iswc must be an ISWC/],
      [{ iswc: 'T-034.524.680' }, /^iswc must be an ISWC/],
      [{ recording_country: 'XX' }, /ISO 3166-1/],
      [{ recording_country: 'se' }, /ISO 3166-1/],
      [{ original_release_date: '2019-02-30' }, /date of the calendar/],
      [{ composition: 'remix' }, /^composition must be one of: original, cover, public_domain\.$/],
      [{ samples: 'some' }, /^samples must be one of: none, cleared\.$/],
      [{ ugc_policy: 'allow' }, /^ugc_policy must be one of: monetize, track, block\.$/],
      [{ mechanical_licence: 'x'.repeat(501) }, /500/],
      [{ mechanical_licence: ' ' }, /blank/],
      [{ lyrics_language: 'e' }, /BCP 47/],
    ];

    const assertRefused = ({ status, json, text }: Reply, fields: object, issue: RegExp) => {
      assert.deepEqual([status, json.error.code], [422, 'invalid_field'], text);
      const [detail] = json.error.details;
      assert.ok(detail.field.startsWith(Object.keys(fields)[0]), detail.field);
      assert.match(detail.issue, issue);
    };

    for (const [fields, issue] of ofReleases) {
      test(`catalogue §4: ${JSON.stringify(fields).slice(0, 60)} of a release`, async () => {
        assertRefused(await create(fields), fields, issue);
        assertRefused(
          await label.call('PATCH', `/v1/releases/${releaseId}`, fields),
          fields,
          issue,
        );
      });
    }
    for (const [fields, issue] of ofTracks) {
      test(`catalogue §4: ${JSON.stringify(fields).slice(0, 60)} of a track`, async () => {
        assertRefused(await addTrack(fields), fields, issue);
      });
    }

    test('a localized title without a title, or with another field', async () => {
      const missing = await create({ localized_titles: { de: {} } });
      assert.deepEqual([missing.status, missing.json.error.code], [422, 'missing_required_field']);
      assert.deepEqual(missing.json.error.details, [
        {
          field: 'localized_titles.de.title',
          issue: 'localized_titles.de.title is required.',
        },
      ]);
      const unknown = await create({ localized_titles: { de: { title: 'A', artist: 'B' } } });
      assert.deepEqual([unknown.status, unknown.json.error.code], [422, 'unknown_field']);
    });
  });
});
