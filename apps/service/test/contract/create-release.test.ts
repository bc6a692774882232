/** Creating a release: spec §2.1, §4.1 and contract §1, §2, §3. One case per rule. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

describe('creating a release', () => {
  let service: TestService;
  let label: OrgClient;

  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    label = await service.givenOrganization({ label: 'Northern Lights' });
  });
  after(() => service.close());

  const create = (fields: object = {}, caller = label) =>
    caller.call('POST', '/v1/releases', draft(fields));

  describe('POST /v1/releases', () => {
    test('spec §4.1: a title, one artist and a release_date suffice for a valid draft', async () => {
      const { status, json, headers } = await create();
      assert.equal(status, 201);
      assert.match(json.id, /^rel_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      assert.equal(headers.get('location'), `/v1/releases/${json.id}`);
      assert.match(json.upc, /^4\d{11}$/);
      assert.match(json.label_id, /^lbl_/);
      assert.deepEqual(json, {
        id: json.id,
        upc: json.upc,
        reference: null,
        metadata: {},
        title: 'Night Drive',
        version: null,
        artists: [{ name: 'Aurora Díaz', role: 'main' }],
        release_date: '2027-01-15',
        release_at: null,
        pre_order_date: null,
        original_release_date: null,
        label: 'Northern Lights',
        label_id: json.label_id,
        metadata_language: 'en',
        territories: ['WORLD'],
        excluded_territories: null,
        use_types: null,
        status: 'draft',
        type: null,
        genre: null,
        language: null,
        p_line: null,
        c_line: null,
        catalog_number: null,
        explicit: null,
        artwork_asset_id: null,
        ai_use: null,
        ean: null,
        price_tier: null,
        localized_titles: null,
        subgenre: null,
        track_count: 0,
        submission: null,
        revision: 1,
        created_at: '2026-11-15T12:00:00.000Z',
        updated_at: '2026-11-15T12:00:00.000Z',
      });
    });

    test('spec §4.1: the label defaults to the one configured on the account', async () => {
      assert.equal((await create()).json.label, 'Northern Lights');
      assert.equal((await create({ label: 'Own' })).json.label, 'Own');
    });

    test('spec §4.1: the territory list defaults to ["WORLD"]', async () => {
      assert.deepEqual((await create()).json.territories, ['WORLD']);
      assert.deepEqual((await create({ territories: ['DE', 'US'] })).json.territories, [
        'DE',
        'US',
      ]);
    });

    test('spec §4.1: the new release always has status draft', async () => {
      const { status, json } = await create({ status: 'submitted' });
      assert.equal(status, 422);
      assert.equal(json.error.code, 'read_only_field');
    });

    test('spec §4.1: release_date may be in the past in a draft; only submission requires the future', async () => {
      assert.equal((await create({ release_date: '1999-12-31' })).status, 201);
    });

    test('spec §2.1: artists keep their order', async () => {
      const artists = [
        { name: 'B', role: 'featured' },
        { name: 'A', role: 'main', isni: '000000012103268X', store_profiles: { aurora: 'x1' } },
      ];
      assert.deepEqual((await create({ artists })).json.artists, artists);
    });

    test('contract §2: every field beyond the specification is stored', async () => {
      const fields = {
        reference: 'my-1',
        metadata: { campaign: 'spring', a: '' },
        version: 'Deluxe',
        original_release_date: '2001-02-03',
        excluded_territories: ['RU', 'BY'],
        use_types: ['subscription_stream', 'download'],
        release_at: '2027-01-15T17:00:00.000Z',
        pre_order_date: '2026-12-18',
        type: 'ep',
        genre: 'Electronic',
        language: 'pt-BR',
        p_line: '2027 Northern Lights',
        c_line: '2027 Northern Lights',
        catalog_number: 'NL-1',
        explicit: 'clean',
      };
      const { json } = await create(fields);
      assert.deepEqual({ ...json, ...fields }, json);
    });

    const refused: [rule: string, fields: object, code: string, field: string][] = [
      [
        'spec §4.1: title, 500 characters at most',
        { title: 'x'.repeat(501) },
        'invalid_field',
        'title',
      ],
      ['contract §1: an empty title', { title: '' }, 'invalid_field', 'title'],
      ['contract §1: a blank title', { title: '  ' }, 'invalid_field', 'title'],
      ['contract §1: a title that is not text', { title: 42 }, 'invalid_field', 'title'],
      ['spec §4.1: at least one artist', { artists: [] }, 'invalid_field', 'artists'],
      [
        'spec §4.1: at least one main artist',
        { artists: [{ name: 'A', role: 'featured' }] },
        'invalid_field',
        'artists',
      ],
      [
        'contract §2: the artist roles',
        { artists: [{ name: 'A', role: 'dancer' }] },
        'invalid_field',
        'artists[0].role',
      ],
      [
        'contract §2: an artist has a name',
        { artists: [{ role: 'main' }] },
        'missing_required_field',
        'artists[0].name',
      ],
      [
        'contract §1: no unknown field in an artist',
        { artists: [{ name: 'A', role: 'main', age: 3 }] },
        'unknown_field',
        'artists[0].age',
      ],
      [
        'spec §2.1: the date format',
        { release_date: '15.01.2027' },
        'invalid_field',
        'release_date',
      ],
      [
        'contract §1: a date exists in the calendar',
        { release_date: '2025-02-30' },
        'invalid_field',
        'release_date',
      ],
      [
        'contract §1: no leap day in 2027',
        { release_date: '2027-02-29' },
        'invalid_field',
        'release_date',
      ],
      ['contract §2: UPC check digit', { upc: '036000291453' }, 'invalid_upc', 'upc'],
      ['contract §2: UPC of 12 digits', { upc: '03600029145' }, 'invalid_upc', 'upc'],
      ['contract §2: a UPC is not an EAN', { upc: '4006381333931' }, 'invalid_upc', 'upc'],
      [
        'spec §7: unknown territory',
        { territories: ['DE', 'ZZ'] },
        'territory_not_supported',
        'territories[1]',
      ],
      [
        'spec §2.1: codes are alpha-2, upper case',
        { territories: ['de'] },
        'territory_not_supported',
        'territories[0]',
      ],
      [
        'contract §1: WORLD is the only entry',
        { territories: ['WORLD', 'DE'] },
        'invalid_field',
        'territories',
      ],
      ['contract §1: no empty territory list', { territories: [] }, 'invalid_field', 'territories'],
      [
        'contract §1: no entry twice',
        { territories: ['DE', 'DE'] },
        'invalid_field',
        'territories[1]',
      ],
      ['contract §2: the release types', { type: 'mixtape' }, 'invalid_field', 'type'],
      ['contract §2: the explicit marks', { explicit: 'yes' }, 'invalid_field', 'explicit'],
      [
        'contract §2: 20 metadata pairs at most',
        { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, 'v'])) },
        'invalid_field',
        'metadata',
      ],
      [
        'contract §2: metadata values are text',
        { metadata: { a: 1 } },
        'invalid_field',
        'metadata.a',
      ],
      ['contract §1: unknown fields are refused', { colour: 'red' }, 'unknown_field', 'colour'],
      ['contract §1: read-only fields are refused', { id: 'rel_x' }, 'read_only_field', 'id'],
      [
        'contract §1: read-only fields are refused',
        { created_at: 'x' },
        'read_only_field',
        'created_at',
      ],
      ['contract §1: read-only fields are refused', { revision: 4 }, 'read_only_field', 'revision'],
    ];
    for (const name of ['status', 'track_count', 'submission', 'updated_at', 'artwork_asset_id']) {
      refused.push(['contract §1: read-only', { [name]: 'x' }, 'read_only_field', name]);
    }
    for (const [rule, fields, code, field] of refused) {
      test(`${rule}: ${JSON.stringify(fields).slice(0, 60)} → 422 ${code}`, async () => {
        const earlier = await service.query('select count(*) from releases');
        const { status, json } = await create(fields);
        assert.equal(status, 422);
        assert.equal(json.error.code, code);
        assert.equal(json.error.details[0].field, field);
        assert.ok(json.error.details[0].issue.length > 0);
        assert.deepEqual(await service.query('select count(*) from releases'), earlier, 'no trace');
      });
    }

    test('contract §1: lengths count code points, so 500 emoji are a title', async () => {
      assert.equal((await create({ title: '🎧'.repeat(500) })).status, 201);
      assert.equal((await create({ title: '🎧'.repeat(501) })).status, 422);
    });

    test('contract §2: WORLDWIDE is accepted and returned as WORLD', async () => {
      assert.deepEqual((await create({ territories: ['WORLDWIDE'] })).json.territories, ['WORLD']);
    });

    test('contract §2: a valid UPC of the partner is used', async () => {
      assert.equal((await create({ upc: '036000291452' })).json.upc, '036000291452');
    });

    test('spec §7: a territory outside the licence is refused, WORLD is not', async () => {
      const german = await service.givenOrganization({ territories: 'DE,AT' });
      const { status, json } = await create({ territories: ['DE', 'US'] }, german);
      assert.equal(status, 422);
      assert.equal(json.error.code, 'territory_not_supported');
      assert.deepEqual(json.error.details, [
        {
          field: 'territories[1]',
          issue: 'territories[1] is outside your license; remove it, or ask support to license it.',
        },
      ]);
      assert.equal((await create({ territories: ['WORLD'] }, german)).status, 201);
      assert.equal((await create({ territories: ['AT'] }, german)).status, 201);
    });

    test('contract §2: a reference is unique per organization', async () => {
      const first = await create({ reference: 'ref-7' });
      const { status, json } = await create({ reference: 'ref-7' });
      assert.equal(status, 422);
      assert.equal(
        json.error.details[0].issue,
        `reference is already used by ${first.json.id}; send another one.`,
      );
      const other = await service.givenOrganization();
      assert.equal((await create({ reference: 'ref-7' }, other)).status, 201);
    });

    test('of ten concurrent creations with one reference exactly one succeeds', async () => {
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => create({ reference: 'race' })),
      );
      const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
      assert.deepEqual(statuses, [201, ...Array.from({ length: 9 }, () => 422)]);
    });

    test('spec §4.1, contract §3: the fingerprint of a submitted release is refused, that of a draft is not', async () => {
      const fingerprint = { upc: '614141000036', label: 'Twin', release_date: '2027-03-01' };
      const first = await create(fingerprint);
      assert.equal((await create(fingerprint)).status, 201, 'a second draft may share it');
      await service.setReleaseStatus(first.json.id, 'submitted');
      const { status, json } = await create(fingerprint);
      assert.equal(status, 409);
      assert.equal(json.error.code, 'duplicate_submission');
      assert.ok(json.error.message.includes(first.json.id), 'the message names the other release');
      assert.equal((await create({ ...fingerprint, label: 'Other' })).status, 201);
      assert.equal((await create({ ...fingerprint, release_date: '2027-03-02' })).status, 201);
      const other = await service.givenOrganization();
      assert.equal((await create(fingerprint, other)).status, 201, 'within one organization only');
    });
  });
});
