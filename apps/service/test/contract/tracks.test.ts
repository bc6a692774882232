/** Tracks: spec §2.3, §4.2, §7 and contract §1–§4, §7. One case per rule. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toUuid } from '../../src/kernel/ids.ts';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

describe('tracks', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    label = await service.givenOrganization();
    await service.admin('isrc', 'add-registrant', '--org', label.orgId, '--code', 'QZABC');
  });
  after(() => service.close());

  const createRelease = async (fields: object = {}, caller = label) =>
    (await caller.call('POST', '/v1/releases', draft(fields))).json;
  const create = (fields: object, caller = label, headers: Record<string, string> = {}) =>
    caller.call('POST', '/v1/tracks', { title: 'Night Drive', ...fields }, headers);
  const bulk = (tracks: readonly object[], caller = label) =>
    caller.call('POST', '/v1/tracks/bulk', { tracks });
  const get = async (path: string) => (await label.call('GET', path)).json;
  const detailsOf = (reply: { json: { error: { details: { field: string }[] } } }) =>
    reply.json.error.details.map(({ field }) => field);
  const givenSubmitted = async () => {
    const release = await createRelease();
    await service.makeSubmittable(label, release.id);
    assert.equal((await label.call('POST', `/v1/releases/${release.id}/submit`)).status, 200);
    const { data } = await get(`/v1/tracks?release_id=${release.id}`);
    return { release, track: data[0] };
  };

  describe('POST /v1/tracks', () => {
    test('a release and a title suffice: the rest is filled in', async () => {
      const release = await createRelease({ territories: ['DE', 'AT'] });
      const { status, json, headers } = await create({ release_id: release.id });
      assert.equal(status, 201);
      assert.equal(headers.get('location'), `/v1/tracks/${json.id}`);
      assert.match(json.id, /^trk_/);
      assert.match(json.isrc, /^QZ-ABC-26-\d{5}$/, 'contract §2: returned hyphenated');
      const { id: _, isrc: __, ...rest } = json;
      assert.deepEqual(rest, {
        reference: null,
        metadata: {},
        release_id: release.id,
        title: 'Night Drive',
        version: null,
        artists: release.artists,
        contributors: [],
        audio_asset_id: null,
        territory: ['DE', 'AT'],
        excluded_territories: null,
        use_types: null,
        disc: 1,
        position: 1,
        duration_ms: null,
        preview_start_ms: null,
        explicit: null,
        language: null,
        genre: null,
        p_line: null,
        ai_use: null,
        original_release_date: null,
        iswc: null,
        recording_country: null,
        composition: null,
        samples: null,
        mechanical_licence: null,
        lyrics_language: null,
        ugc_policy: null,
        localized_titles: null,
        instant_gratification: null,
        subgenre: null,
        created_at: '2026-11-15T12:00:00.000Z',
        updated_at: '2026-11-15T12:00:00.000Z',
      });
    });

    test('contract §3: it counts in track_count and revision of its release', async () => {
      const release = await createRelease();
      await create({ release_id: release.id });
      await create({ release_id: release.id });
      const now = await get(`/v1/releases/${release.id}`);
      assert.deepEqual([now.track_count, now.revision], [2, 3]);
      const { data } = await get(`/v1/releases/${release.id}/revisions`);
      assert.deepEqual(data[0].changed_fields, ['tracks']);
    });

    test('contract §7: every missing field is listed', async () => {
      const reply = await label.call('POST', '/v1/tracks', {});
      assert.deepEqual([reply.status, reply.json.error.code], [422, 'missing_required_field']);
      assert.deepEqual(detailsOf(reply), ['release_id', 'title']);
    });

    test('contract §1: a release_id of no release, or of another organization, is an invalid field', async () => {
      const other = await service.givenOrganization();
      const foreign = await createRelease({}, other);
      const texts = [];
      for (const release_id of [foreign.id, 'rel_01h455vb4pex5vsknk084sn02q', 'rel_x', 'x']) {
        const reply = await create({ release_id });
        assert.deepEqual([reply.status, reply.json.error.code], [422, 'invalid_field'], release_id);
        assert.deepEqual(detailsOf(reply), ['release_id']);
        texts.push(reply.text.replaceAll(/req_\w{26}/g, ''));
      }
      assert.equal(new Set(texts).size, 1, 'all answers are the same');
    });

    const fields: readonly [field: string, value: unknown, code: string][] = [
      ['title', '', 'invalid_field'],
      ['title', 'x'.repeat(501), 'invalid_field'],
      ['disc', 0, 'invalid_field'],
      ['disc', 100, 'invalid_field'],
      ['position', 0, 'invalid_field'],
      ['position', 1_000, 'invalid_field'],
      ['explicit', 'yes', 'invalid_field'],
      ['language', 'English!', 'invalid_field'],
      ['artists', [], 'invalid_field'],
      ['artists', [{ name: 'A', role: 'featured' }], 'invalid_field'],
      [
        'artists',
        Array.from({ length: 40 }, () => ({ name: 'x'.repeat(500), role: 'main' })),
        'invalid_field',
      ],
      ['duration_ms', 1, 'read_only_field'],
      ['id', 'trk_x', 'read_only_field'],
      ['isrc_code', 'x', 'unknown_field'],
    ];
    for (const [field, value, code] of fields) {
      test(`contract §2: ${field} ${JSON.stringify(value).slice(0, 30)} → ${code}`, async () => {
        const release = await createRelease();
        const reply = await create({ release_id: release.id, [field]: value });
        assert.deepEqual([reply.status, reply.json.error.code], [422, code]);
        assert.ok(detailsOf(reply)[0]?.startsWith(field));
        assert.equal((await get(`/v1/releases/${release.id}`)).revision, 1, 'no trace');
      });
    }
  });

  describe('ISRC', () => {
    test('contract §2: accepted hyphenated or compact, returned hyphenated', async () => {
      const release = await createRelease();
      for (const isrc of ['US-RC1-76-07839', 'USRC17607839']) {
        const { status, json } = await create({ release_id: release.id, isrc });
        assert.deepEqual([status, json.isrc], [201, 'US-RC1-76-07839']);
      }
    });

    for (const isrc of [
      'US-RC1-76-0783',
      'us-rc1-76-07839',
      'USRC1-76-07839',
      'U1-RC1-76-07839',
      'US-RC1-76-07839\n',
      '',
    ]) {
      test(`spec §7: ${JSON.stringify(isrc)} → invalid_isrc_format`, async () => {
        const release = await createRelease();
        const reply = await create({ release_id: release.id, isrc });
        assert.deepEqual([reply.status, reply.json.error.code], [422, 'invalid_isrc_format']);
        assert.deepEqual(detailsOf(reply), ['isrc']);
      });
    }

    test('allocated from the registrant code, each once, skipping those that the partner sent', async () => {
      const caller = await service.givenOrganization();
      await service.admin('isrc', 'add-registrant', '--org', caller.orgId, '--code', 'QZPAS');
      const release = await createRelease({}, caller);
      await create({ release_id: release.id, isrc: 'QZPAS2600002' }, caller);
      const { json } = await bulk(
        [{}, {}, { isrc: 'QZ-PAS-26-00004' }, {}].map((fields) => ({
          release_id: release.id,
          title: 'T',
          ...fields,
        })),
        caller,
      );
      assert.deepEqual(
        json.data.map(({ isrc }: { isrc: string }) => isrc),
        ['QZ-PAS-26-00001', 'QZ-PAS-26-00003', 'QZ-PAS-26-00004', 'QZ-PAS-26-00005'],
      );
    });

    test('of a hundred tracks created concurrently no two have the same', async () => {
      const releases = await Promise.all([1, 2, 3, 4].map(() => createRelease()));
      const replies = await Promise.all(
        Array.from({ length: 100 }, (_, i) => create({ release_id: releases[i % 4]?.id })),
      );
      const codes = replies.map(({ json }) => json.isrc);
      assert.equal(new Set(codes).size, 100);
    });

    test('without a registrant code it must be sent', async () => {
      const caller = await service.givenOrganization();
      const release = await createRelease({}, caller);
      const reply = await create({ release_id: release.id }, caller);
      assert.deepEqual([reply.status, reply.json.error.code], [422, 'missing_required_field']);
      assert.deepEqual(detailsOf(reply), ['isrc']);
      const { status } = await create({ release_id: release.id, isrc: 'USRC17607839' }, caller);
      assert.equal(status, 201);
    });

    test('after 99,999 codes of a year it must be sent, until a second registrant code is added', async () => {
      const caller = await service.givenOrganization();
      await service.admin('isrc', 'add-registrant', '--org', caller.orgId, '--code', 'QZEND');
      const release = await createRelease({}, caller);
      await create({ release_id: release.id }, caller);
      await service.query('update isrc_years set next_designation = 99999 where org_id = $1', [
        toUuid(caller.orgId as `org_${string}`),
      ]);
      assert.equal((await create({ release_id: release.id }, caller)).json.isrc, 'QZ-END-26-99999');
      const reply = await create({ release_id: release.id }, caller);
      assert.deepEqual([reply.status, reply.json.error.code], [422, 'missing_required_field']);
      await service.admin('isrc', 'add-registrant', '--org', caller.orgId, '--code', 'QZNEW');
      const next = await create({ release_id: release.id }, caller);
      assert.equal(next.json.isrc, 'QZ-NEW-26-00001', 'from the second registrant code');
    });

    test('the operator can add a registrant code to one organization only', async () => {
      const { orgId } = await service.givenOrganization();
      await assert.rejects(
        service.admin('isrc', 'add-registrant', '--org', orgId, '--code', 'QZABC'),
        /duplicate key/,
      );
      await assert.rejects(
        service.admin('isrc', 'add-registrant', '--org', orgId, '--code', 'qzabc'),
        /registrant code/,
      );
    });
  });

  describe('position and disc', () => {
    test('after the last track of its disc, when omitted', async () => {
      const release = await createRelease();
      const positions = [{}, { position: 7 }, {}, { disc: 2 }, { disc: 2 }];
      const placed = [];
      for (const position of positions) {
        const { json } = await create({ release_id: release.id, ...position });
        placed.push(`${json.disc}/${json.position}`);
      }
      assert.deepEqual(placed, ['1/1', '1/7', '1/8', '2/1', '2/2']);
    });

    test('a taken position is refused, and the issue names the other track', async () => {
      const release = await createRelease();
      const { json: first } = await create({ release_id: release.id });
      const reply = await create({ release_id: release.id, position: 1 });
      assert.equal(reply.status, 422);
      assert.match(reply.json.error.details[0].issue, new RegExp(first.id));
    });

    test('of ten concurrent tracks for one position one is created', async () => {
      const release = await createRelease();
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => create({ release_id: release.id, position: 5 })),
      );
      assert.deepEqual(
        replies.map(({ status }) => status).toSorted((a, b) => a - b),
        [201, ...Array.from({ length: 9 }, () => 422)],
      );
      assert.equal((await get(`/v1/releases/${release.id}`)).track_count, 1);
    });
  });

  describe('audio', () => {
    test('spec §2.3: the asset may be processing; duration_ms is set once it is ready', async () => {
      const release = await createRelease();
      const processing = await service.givenAsset(label, 'audio', 'processing');
      const { status, json } = await create({ release_id: release.id, audio_asset_id: processing });
      assert.deepEqual([status, json.duration_ms], [201, null]);
      const ready = await service.givenAsset(label, 'audio');
      const patched = await label.call('PATCH', `/v1/tracks/${json.id}`, { audio_asset_id: ready });
      assert.equal(patched.json.duration_ms, 180_000);
      assert.equal((await get(`/v1/tracks/${json.id}`)).duration_ms, 180_000);
    });

    test('contract §1: an id of no asset, of another organization or of artwork is an invalid field', async () => {
      const release = await createRelease();
      const other = await service.givenOrganization();
      const ids = [
        'ast_01h455vb4pex5vsknk084sn02q',
        'ast_x',
        await service.givenAsset(other, 'audio'),
        await service.givenAsset(label, 'artwork'),
      ];
      for (const audio_asset_id of ids) {
        const reply = await create({ release_id: release.id, audio_asset_id });
        assert.deepEqual([reply.status, detailsOf(reply)], [422, ['audio_asset_id']]);
      }
    });
  });

  describe('territory', () => {
    test('contract §4: every code of /v1/stores/territories is accepted, also outside those of the release', async () => {
      const release = await createRelease({ territories: ['DE'] });
      const { data } = await get('/v1/stores/territories');
      const territory = data.map(
        ({ territory_code }: { territory_code: string }) => territory_code,
      );
      const { status, json } = await create({ release_id: release.id, territory });
      assert.deepEqual([status, json.territory], [201, territory]);
    });

    test('spec §7: every other code is refused', async () => {
      const release = await createRelease();
      for (const code of ['AQ', 'XX', 'de']) {
        const reply = await create({ release_id: release.id, territory: ['DE', code] });
        assert.deepEqual([reply.status, reply.json.error.code], [422, 'territory_not_supported']);
        assert.deepEqual(detailsOf(reply), ['territory[1]']);
      }
      const both = await create({ release_id: release.id, territory: ['WORLD', 'DE'] });
      assert.deepEqual([both.status, both.json.error.code], [422, 'invalid_field']);
    });

    test('contract §2: WORLDWIDE is accepted and returned as WORLD; null follows the release', async () => {
      const release = await createRelease({ territories: ['DE'] });
      const { json } = await create({ release_id: release.id, territory: ['WORLDWIDE'] });
      assert.deepEqual(json.territory, ['WORLD']);
      const cleared = await label.call('PATCH', `/v1/tracks/${json.id}`, { territory: null });
      assert.deepEqual(cleared.json.territory, ['DE']);
      await label.call('PATCH', `/v1/releases/${release.id}`, { territories: ['FR'] });
      assert.deepEqual((await get(`/v1/tracks/${json.id}`)).territory, ['FR']);
    });
  });

  describe('POST /v1/tracks/bulk', () => {
    test('contract §4: up to 100, in one revision', async () => {
      const release = await createRelease();
      const items = Array.from({ length: 100 }, (_, i) => ({
        release_id: release.id,
        title: `Track title ${i}`,
      }));
      const { status, json } = await bulk(items);
      assert.equal(status, 201);
      assert.deepEqual(
        json.data.map(({ title, position }: { title: string; position: number }) => [
          title,
          position,
        ]),
        items.map(({ title }, i) => [title, i + 1]),
      );
      const now = await get(`/v1/releases/${release.id}`);
      assert.deepEqual([now.track_count, now.revision], [100, 2]);
      const reply = await bulk([...items, items[0] ?? {}]);
      assert.deepEqual([reply.status, reply.json.error.code], [422, 'invalid_field']);
      assert.equal((await bulk([])).status, 422);
    });

    test('contract §4: all or nothing; errors name tracks[3].isrc', async () => {
      const release = await createRelease();
      const item = { release_id: release.id, title: 'T' };
      const reply = await bulk([
        item,
        item,
        item,
        { ...item, isrc: 'bad' },
        { ...item, isrc: 'worse' },
      ]);
      assert.deepEqual([reply.status, reply.json.error.code], [422, 'invalid_isrc_format']);
      assert.deepEqual(detailsOf(reply), ['tracks[3].isrc', 'tracks[4].isrc']);
      const now = await get(`/v1/releases/${release.id}`);
      assert.deepEqual([now.track_count, now.revision], [0, 1]);
    });

    const broken: readonly [what: string, fields: object, code: string, field: string][] = [
      ['a missing title', { title: undefined }, 'missing_required_field', 'tracks[1].title'],
      ['an unknown field', { colour: 'red' }, 'unknown_field', 'tracks[1].colour'],
      ['a read-only field', { duration_ms: 3 }, 'read_only_field', 'tracks[1].duration_ms'],
      ['a taken position', { position: 1 }, 'invalid_field', 'tracks[1].position'],
      ['a repeated reference', { reference: 'same' }, 'invalid_field', 'tracks[1].reference'],
      ['an unknown release', { release_id: 'rel_x' }, 'invalid_field', 'tracks[1].release_id'],
      ['unknown audio', { audio_asset_id: 'ast_x' }, 'invalid_field', 'tracks[1].audio_asset_id'],
      ['a territory', { territory: ['AQ'] }, 'territory_not_supported', 'tracks[1].territory[0]'],
    ];
    for (const [what, fields, code, field] of broken) {
      test(`contract §4: ${what} is named ${field}`, async () => {
        const release = await createRelease();
        const item = { release_id: release.id, title: 'T' };
        const reply = await bulk([
          { ...item, position: 1, reference: 'same' },
          { ...item, ...fields },
        ]);
        assert.deepEqual([reply.status, reply.json.error.code], [422, code]);
        assert.deepEqual(detailsOf(reply), [field]);
        assert.equal((await get(`/v1/releases/${release.id}`)).track_count, 0);
      });
    }

    test('tracks of several releases at once, each counted', async () => {
      const releases = [await createRelease(), await createRelease()];
      const { status } = await bulk(
        [0, 1, 0].map((i) => ({ release_id: releases[i]?.id, title: 'T' })),
      );
      assert.equal(status, 201);
      const counts = await Promise.all(releases.map(({ id }) => get(`/v1/releases/${id}`)));
      assert.deepEqual(
        counts.map(({ track_count }) => track_count),
        [2, 1],
      );
    });

    test('contract §7: up to 1 MiB, and no more', async () => {
      const release = await createRelease();
      const large = (bytes: number) => ({
        release_id: release.id,
        title: 'T',
        artists: Array.from({ length: 20 }, () => ({ name: 'x'.repeat(bytes / 20), role: 'main' })),
      });
      assert.equal((await bulk(Array.from({ length: 90 }, () => large(9_000)))).status, 201);
      const reply = await bulk(
        Array.from({ length: 100 }, () => ({ ...large(9_900), title: 'x'.repeat(500) })),
      );
      assert.deepEqual([reply.status, reply.json.error.code], [413, 'payload_too_large']);
    });

    test('a release has at most 500 tracks', async () => {
      const release = await createRelease();
      const many = (count: number, disc: number) =>
        bulk(Array.from({ length: count }, () => ({ release_id: release.id, title: 'T', disc })));
      for (let disc = 1; disc <= 5; disc++) assert.equal((await many(100, disc)).status, 201);
      const reply = await many(1, 6);
      assert.deepEqual([reply.status, detailsOf(reply)], [422, ['tracks[0].release_id']]);
    });
  });

  describe('PATCH /v1/tracks/{track_id}', () => {
    test('only included fields change; null clears; the release counts a revision', async () => {
      const release = await createRelease();
      const { json } = await create({ release_id: release.id, version: 'Live', genre: 'Jazz' });
      const path = `/v1/tracks/${json.id}`;
      const { status, json: changed } = await label.call('PATCH', path, {
        title: 'Day Drive',
        version: null,
      });
      assert.equal(status, 200);
      assert.deepEqual(changed, { ...json, title: 'Day Drive', version: null });
      assert.equal((await get(`/v1/releases/${release.id}`)).revision, 3);
      await label.call('PATCH', path, { title: 'Day Drive' });
      assert.equal((await get(`/v1/releases/${release.id}`)).revision, 3, 'nothing changed');
    });

    const changes: readonly [field: string, value: unknown][] = [
      ['reference', 'ours'],
      ['metadata', { a: 'b' }],
      ['artists', [{ name: 'Z', role: 'main' }]],
      ['contributors', [{ name: 'Z', roles: ['composer', 'musician'], instruments: ['piano'] }]],
      ['ai_use', { recording: 'none', composition: null }],
      ['isrc', 'FR-AB1-20-00001'],
      ['disc', 3],
      ['position', 9],
      ['explicit', 'clean'],
      ['language', 'de'],
      ['genre', 'Pop'],
      ['p_line', '2026 Us'],
      ['territory', ['JP']],
    ];
    for (const [field, value] of changes) {
      test(`contract §2: ${field} can be changed`, async () => {
        const release = await createRelease();
        const { json } = await create({ release_id: release.id });
        const { json: changed } = await label.call('PATCH', `/v1/tracks/${json.id}`, {
          [field]: value,
        });
        assert.deepEqual(changed[field], value);
        assert.deepEqual(await get(`/v1/tracks/${json.id}`), changed);
      });
    }

    test('release_id cannot be changed; a taken position, a taken reference or an invalid ISRC is refused', async () => {
      const release = await createRelease();
      const { json: first } = await create({ release_id: release.id, reference: 'taken-by-first' });
      const { json } = await create({ release_id: release.id });
      const path = `/v1/tracks/${json.id}`;
      const cases: readonly [object, string][] = [
        [{ release_id: release.id }, 'read_only_field'],
        [{ position: first.position }, 'invalid_field'],
        [{ reference: 'taken-by-first' }, 'invalid_field'],
        [{ isrc: 'nope' }, 'invalid_isrc_format'],
        [{ audio_asset_id: 'ast_x' }, 'invalid_field'],
        [{ territory: ['AQ'] }, 'territory_not_supported'],
      ];
      for (const [body, code] of cases) {
        const reply = await label.call('PATCH', path, body);
        assert.deepEqual([reply.status, reply.json.error.code], [422, code], JSON.stringify(body));
      }
      assert.deepEqual(await get(path), json, 'no trace');
      const own = await label.call('PATCH', `/v1/tracks/${first.id}`, {
        reference: 'taken-by-first',
        position: first.position,
      });
      assert.equal(own.status, 200, 'its own values are not taken');
    });

    test('contract §1: If-Match with an old tag → 412', async () => {
      const release = await createRelease();
      const { json, headers } = await create({ release_id: release.id });
      const path = `/v1/tracks/${json.id}`;
      const condition = { 'if-match': headers.get('etag') ?? '' };
      assert.equal((await label.call('PATCH', path, { title: 'A' }, condition)).status, 200);
      const reply = await label.call('PATCH', path, { title: 'B' }, condition);
      assert.deepEqual([reply.status, reply.json.error.code], [412, 'precondition_failed']);
    });
  });

  describe('while its release is reviewed', () => {
    test('contract §3: no track is added or changed while the review is pending', async () => {
      const { release, track } = await givenSubmitted();
      const replies = [
        await create({ release_id: release.id }),
        await bulk([{ release_id: release.id, title: 'T' }]),
        await label.call('PATCH', `/v1/tracks/${track.id}`, { title: 'X' }),
        await label.call('PATCH', `/v1/releases/${release.id}`, { title: 'X' }),
        await label.call('DELETE', `/v1/tracks/${track.id}`),
      ];
      for (const { status, json } of replies) {
        assert.deepEqual([status, json.error.code], [409, 'invalid_state']);
      }
      assert.deepEqual(await get(`/v1/tracks/${track.id}`), track, 'no trace');
    });
  });

  describe('DELETE /v1/tracks/{track_id}', () => {
    test('contract §4: from a draft: 204, and the release has a new revision', async () => {
      const release = await createRelease();
      const { json } = await create({ release_id: release.id });
      const { status, text } = await label.call('DELETE', `/v1/tracks/${json.id}`);
      assert.deepEqual([status, text], [204, '']);
      assert.equal((await label.call('GET', `/v1/tracks/${json.id}`)).status, 404);
      assert.equal((await label.call('DELETE', `/v1/tracks/${json.id}`)).status, 404);
      const now = await get(`/v1/releases/${release.id}`);
      assert.deepEqual([now.track_count, now.revision], [0, 3]);
    });

    for (const status of ['submitted', 'delivered', 'rejected']) {
      test(`contract §4: not from a ${status} release`, async () => {
        const release = await createRelease();
        const { json } = await create({ release_id: release.id });
        await service.setReleaseStatus(release.id, status);
        const reply = await label.call('DELETE', `/v1/tracks/${json.id}`);
        assert.deepEqual([reply.status, reply.json.error.code], [409, 'invalid_state']);
      });
    }

    test('the tracks of a deleted draft are deleted too', async () => {
      const release = await createRelease();
      const { json } = await create({ release_id: release.id });
      assert.equal((await label.call('DELETE', `/v1/releases/${release.id}`)).status, 204);
      assert.equal((await label.call('GET', `/v1/tracks/${json.id}`)).status, 404);
    });
  });

  describe('GET /v1/tracks', () => {
    test('contract §4: filtered by release and by ISRC in either notation, newest first', async () => {
      const release = await createRelease();
      const created: string[] = [];
      for (const isrc of ['GBAAA2600001', 'GBAAA2600002', 'GBAAA2600001']) {
        created.push((await create({ release_id: release.id, isrc })).json.id);
      }
      const listIds = async (query: string) =>
        (await get(`/v1/tracks?${query}`)).data.map(({ id }: { id: string }) => id);
      assert.deepEqual(await listIds(`release_id=${release.id}`), created.toReversed());
      assert.deepEqual(await listIds('isrc=GBAAA2600001'), [created[2], created[0]]);
      assert.deepEqual(await listIds('isrc=GB-AAA-26-00002'), [created[1]]);
      assert.deepEqual(await listIds('isrc=GB-AAA-26-00009'), []);
      const { next_cursor, has_more } = await get(`/v1/tracks?release_id=${release.id}&limit=2`);
      assert.equal(has_more, true);
      assert.deepEqual(await listIds(`release_id=${release.id}&limit=2&cursor=${next_cursor}`), [
        created[0],
      ]);
      assert.equal((await label.call('GET', '/v1/tracks?isrc=nope')).status, 400);
    });

    for (const id of [
      'trk_01h455vb4pex5vsknk084sn02q',
      'trk_x',
      'rel_01h455vb4pex5vsknk084sn02q',
    ]) {
      test(`contract §7: ${id} is resource_not_found`, async () => {
        for (const method of ['GET', 'PATCH', 'DELETE']) {
          const body = method === 'PATCH' ? {} : undefined;
          const { status, json } = await label.call(method, `/v1/tracks/${id}`, body);
          assert.deepEqual([status, json.error.code], [404, 'resource_not_found']);
        }
      });
    }
  });
});
