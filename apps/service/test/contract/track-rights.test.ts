/** Rights of a track, and its preview: catalogue §2, spec §4.1. One case per rule. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

describe('rights of a track', () => {
  let service: TestService;
  let label: OrgClient;
  let european: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    label = await service.givenOrganization();
    european = await service.givenOrganization({ territories: 'DE,AT,CH' });
    for (const [caller, code] of [
      [label, 'QZABC'],
      [european, 'QZABD'],
    ] as const) {
      await service.admin('isrc', 'add-registrant', '--org', caller.orgId, '--code', code);
    }
  });
  after(() => service.close());

  const createRelease = async (fields: object = {}, caller = label) =>
    (await caller.call('POST', '/v1/releases', draft(fields))).json;
  const create = (release: { id: string }, fields: object = {}, caller = label) =>
    caller.call('POST', '/v1/tracks', { release_id: release.id, title: 'Night Drive', ...fields });
  const patch = (id: string, body: object, caller = label) =>
    caller.call('PATCH', `/v1/tracks/${id}`, body);
  const get = async (id: string) => (await label.call('GET', `/v1/tracks/${id}`)).json;

  /** The same change as a creation, as a PATCH and in bulk: all refuse it, and leave no trace. */
  const assertRefused = async (
    release: { id: string },
    fields: object,
    [code, field, issue]: readonly [code: string, field: string, issue: RegExp],
    caller = label,
  ) => {
    const { json: plain } = await create(release, {}, caller);
    const item = { release_id: release.id, title: 'Night Drive' };
    const bulk = await caller.call('POST', '/v1/tracks/bulk', {
      tracks: [item, { ...item, ...fields }],
    });
    const replies = [
      [await create(release, fields, caller), field],
      [await patch(plain.id, fields, caller), field],
      [bulk, `tracks[1].${field}`],
    ] as const;
    for (const [reply, name] of replies) {
      assert.deepEqual([reply.status, reply.json.error.code], [422, code], reply.text);
      assert.equal(reply.json.error.details[0].field, name);
      assert.match(reply.json.error.details[0].issue, issue);
    }
    const { data } = (await caller.call('GET', `/v1/tracks?release_id=${release.id}`)).json;
    assert.deepEqual(data, [plain]);
    await caller.call('DELETE', `/v1/tracks/${plain.id}`);
  };

  describe('excluded_territories', () => {
    test('catalogue §2: WORLD with exclusions is the world except these', async () => {
      const release = await createRelease({ territories: ['DE'] });
      const { status, json } = await create(release, {
        territory: ['WORLDWIDE'],
        excluded_territories: ['RU'],
      });
      assert.deepEqual(
        [status, json.territory, json.excluded_territories],
        [201, ['WORLD'], ['RU']],
      );
      assert.deepEqual(await get(json.id), json);
    });

    test('catalogue §2: without its own territory they narrow those of the release', async () => {
      const codes = await create(await createRelease({ territories: ['DE', 'AT'] }), {
        excluded_territories: ['AT'],
      });
      assert.equal(codes.status, 201);
      assert.deepEqual(codes.json.territory, ['DE', 'AT']);
      assert.deepEqual(codes.json.excluded_territories, ['AT']);
      const release = await createRelease({ excluded_territories: ['RU', 'BY'] });
      const { json } = await create(release, { excluded_territories: ['CN', 'RU'] });
      assert.deepEqual(json.territory, ['WORLD']);
      assert.deepEqual(json.excluded_territories, ['RU', 'BY', 'CN'], 'with those of the release');
      await label.call('PATCH', `/v1/releases/${release.id}`, { territories: ['WORLD'] });
      assert.deepEqual((await get(json.id)).excluded_territories, ['CN', 'RU'], 'its own alone');
    });

    test('a track without its own rights shows the territories and exclusions of its release', async () => {
      const release = await createRelease({ excluded_territories: ['RU'] });
      const { json } = await create(release);
      assert.deepEqual([json.territory, json.excluded_territories], [['WORLD'], ['RU']]);
      const own = await patch(json.id, { territory: ['WORLD'] });
      assert.deepEqual(own.json.excluded_territories, null, 'its own world has no exclusions');
    });

    test('catalogue §2: with codes of its own they are refused', async () => {
      await assertRefused(
        await createRelease(),
        { territory: ['DE', 'AT'], excluded_territories: ['AT'] },
        ['invalid_field', 'excluded_territories', /only with WORLD/],
      );
    });

    const lists: readonly [what: string, excluded: readonly string[], code: string, RegExp][] = [
      ['a code twice', ['RU', 'RU'], 'invalid_field', /listed twice/],
      ['no ISO code', ['RU', 'XX'], 'territory_not_supported', /must be an ISO 3166-1/],
      [
        'a territory of no store',
        ['RU', 'AQ'],
        'territory_not_supported',
        /not available at any store/,
      ],
    ];
    for (const [what, excluded_territories, code, issue] of lists) {
      test(`catalogue §2: ${what} → 422 ${code}`, async () => {
        const expected = [code, 'excluded_territories[1]', issue] as const;
        await assertRefused(await createRelease(), { excluded_territories }, expected);
      });
    }

    test('catalogue §2: exclusions that leave nothing are refused', async () => {
      const nothing = [
        'invalid_field',
        'excluded_territories',
        /must leave at least one territory/,
      ] as const;
      const codes = await createRelease({ territories: ['DE', 'AT'] });
      await assertRefused(codes, { excluded_territories: ['AT', 'DE', 'RU'] }, nothing);
      const world = await createRelease({ excluded_territories: ['CH'] }, european);
      await assertRefused(world, { excluded_territories: ['DE', 'AT'] }, nothing, european);
      const own = { territory: ['WORLD'], excluded_territories: ['DE', 'AT'] };
      assert.equal((await create(world, own, european)).status, 201, 'CH is left of its own world');
    });

    test('spec §4.1: a PATCH of territory clears the exclusions', async () => {
      const release = await createRelease();
      for (const territory of [['WORLD'], ['DE'], null]) {
        const { json } = await create(release, { excluded_territories: ['RU'] });
        const reply = await patch(json.id, { territory });
        assert.equal(reply.status, 200, reply.text);
        assert.deepEqual(reply.json.territory, territory ?? ['WORLD']);
        assert.equal(reply.json.excluded_territories, null);
      }
    });

    test('catalogue §2: a PATCH of exclusions alone is judged by the stored territory', async () => {
      const { json } = await create(await createRelease(), { territory: ['DE', 'AT'] });
      const refused = await patch(json.id, { excluded_territories: ['AT'] });
      assert.deepEqual([refused.status, refused.json.error.code], [422, 'invalid_field']);
      assert.deepEqual(await get(json.id), json);
      const both = await patch(json.id, { territory: null, excluded_territories: ['AT'] });
      assert.deepEqual([both.status, both.json.excluded_territories], [200, ['AT']]);
      const alone = await patch(json.id, { excluded_territories: ['DE'] });
      assert.deepEqual(alone.json.excluded_territories, ['DE']);
    });
  });

  describe('use_types', () => {
    test('catalogue §2: null is as the release, an empty list withdraws the track', async () => {
      const release = await createRelease({ use_types: ['download'] });
      for (const use_types of [null, [], ['download']]) {
        const { status, json } = await create(release, { use_types });
        assert.deepEqual([status, json.use_types], [201, use_types]);
        assert.deepEqual((await get(json.id)).use_types, use_types);
      }
      const { json } = await create(release, { use_types: ['download'] });
      assert.deepEqual((await patch(json.id, { use_types: [] })).json.use_types, []);
      assert.deepEqual((await patch(json.id, { use_types: null })).json.use_types, null);
    });

    test('catalogue §2: use types beyond those of the release are accepted; preflight reports them', async () => {
      const release = await createRelease({ use_types: ['download'] });
      await service.makeSubmittable(label, release.id);
      const { status } = await create(release, { use_types: ['download', 'ugc'] });
      assert.equal(status, 201);
      const { findings } = (await label.call('POST', `/v1/releases/${release.id}/validate`)).json;
      const finding = findings.find(({ rule }: { rule: string }) => rule === 'track_use_types');
      assert.deepEqual([finding.severity, finding.measured], ['error', 'ugc']);
    });

    test('contract §1: a word twice, or an unknown word → 422', async () => {
      const release = await createRelease();
      await assertRefused(release, { use_types: ['ugc', 'ugc'] }, [
        'invalid_field',
        'use_types',
        /must not list an entry twice/,
      ]);
      await assertRefused(release, { use_types: ['stream'] }, [
        'invalid_field',
        'use_types[0]',
        /must be one of/,
      ]);
    });
  });

  describe('preview_start_ms', () => {
    test('catalogue §2: within the audio, whose duration is known', async () => {
      const audio_asset_id = await service.givenAsset(label, 'audio');
      const release = await createRelease();
      await assertRefused(release, { audio_asset_id, preview_start_ms: 180_000 }, [
        'invalid_field',
        'preview_start_ms',
        /less than 180000/,
      ]);
      const { status, json } = await create(release, { audio_asset_id, preview_start_ms: 179_999 });
      assert.deepEqual([status, json.preview_start_ms], [201, 179_999]);
      const beyond = await patch(json.id, { preview_start_ms: 200_000 });
      assert.deepEqual([beyond.status, beyond.json.error.code], [422, 'invalid_field']);
      assert.equal((await patch(json.id, { preview_start_ms: 0 })).json.preview_start_ms, 0);
      assert.equal((await patch(json.id, { preview_start_ms: null })).json.preview_start_ms, null);
    });

    test('contract §1: no negative number, no fraction, at most a day', async () => {
      const release = await createRelease();
      for (const preview_start_ms of [-1, 0.5, 86_400_001, 2 ** 53, '1']) {
        const { status, json } = await create(release, { preview_start_ms });
        assert.deepEqual([status, json.error.code], [422, 'invalid_field']);
      }
      assert.equal((await create(release, { preview_start_ms: 86_400_000 })).status, 201);
    });

    test('catalogue §2: beyond audio that is ready or replaced later, it is an error of preflight with a fix', async () => {
      const release = await createRelease();
      await service.makeSubmittable(label, release.id);
      const processing = await service.givenAsset(label, 'audio', 'processing');
      const { json, status } = await create(release, {
        audio_asset_id: processing,
        preview_start_ms: 200_000,
      });
      assert.equal(status, 201, 'the duration is not known yet');
      const ready = await service.givenAsset(label, 'audio');
      assert.equal((await patch(json.id, { audio_asset_id: ready })).status, 200);
      const path = `/v1/releases/${release.id}`;
      const { findings } = (await label.call('POST', `${path}/validate`)).json;
      const finding = findings.find(({ rule }: { rule: string }) => rule === 'preview_start');
      assert.deepEqual(
        [finding.severity, finding.measured, finding.limit],
        ['error', 200_000, 180_000],
      );
      assert.deepEqual(finding.patch, [
        { op: 'replace', path: '/tracks/1/preview_start_ms', value: null },
      ]);
      const fixed = await label.call('POST', `${path}/fixes`, { finding_ids: [finding.id] });
      assert.equal(fixed.status, 200, fixed.text);
      assert.equal((await get(json.id)).preview_start_ms, null);
    });
  });
});
