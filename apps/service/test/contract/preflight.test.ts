/** Preflight over HTTP: contract §4 and the rules of `domain/preflight`. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type OrgClient,
  draft,
  openTestService,
  type Reply,
  type TestService,
} from '../test-service.ts';

describe('preflight', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const create = async (fields: object = {}): Promise<string> => {
    const { json } = await label.call('POST', '/v1/releases', draft(fields));
    await service.makeSubmittable(label, json.id);
    return json.id;
  };
  const get = async (id: string) => (await label.call('GET', `/v1/releases/${id}`)).json;
  const validate = async (id: string) =>
    (await label.call('POST', `/v1/releases/${id}/validate`)).json;
  const fix = (id: string, finding_ids: readonly string[]) =>
    label.call('POST', `/v1/releases/${id}/fixes`, { finding_ids });
  const findingOf = (report: Reply['json'], rule: string, pointer?: string) =>
    report.findings.find(
      (finding: { rule: string; pointer: string }) =>
        finding.rule === rule && (pointer === undefined || finding.pointer === pointer),
    );

  describe('POST /v1/releases/{id}/validate', () => {
    test('a first release with a title, an artist, a date, one track with credits and a cover has no error', async () => {
      const report = await validate(await create());
      assert.deepEqual(
        report.findings.filter(({ severity }: { severity: string }) => severity === 'error'),
        [],
      );
      assert.ok(report.findings.length > 0, 'but warnings say what is missing');
    });

    test('contract §4: rule × store, severity, pointer, measured, limit, and the fix as JSON Patch', async () => {
      const id = await create({ title: 'NIGHT DRIVE', territories: ['JP', 'US'] });
      const report = await validate(id);
      assert.equal(report.release_id, id);
      assert.equal(report.revision, (await get(id)).revision);
      const casing = findingOf(report, 'title_casing', '/title');
      assert.equal(casing.severity, 'warning');
      assert.equal(casing.measured, 'NIGHT DRIVE');
      assert.deepEqual(
        casing.patch.find(({ path }: { path: string }) => path === '/title'),
        { op: 'replace', path: '/title', value: 'Night Drive' },
      );
      const territories = findingOf(report, 'territories_of_store');
      assert.equal(territories.severity, 'error');
      assert.ok(
        territories.applies_to.includes('emberline') && !territories.applies_to.includes('hanami'),
      );
    });

    test('latest_safe_submit_at of each store is its lead time in business days before the release date', async () => {
      const report = await validate(await create({ release_date: '2027-01-15' }));
      const at = (id: string) =>
        report.stores.find(({ store_id }: { store_id: string }) => store_id === id)
          .latest_safe_submit_at;
      assert.equal(at('aurora'), '2027-01-08T23:59:59.999Z', 'a Friday, five business days before');
      assert.equal(at('indigo'), '2027-01-14T23:59:59.999Z');
      assert.equal(report.stores.length, 12);
    });

    test('it is repeatable and changes nothing', async () => {
      const id = await create();
      const [earlier, audits] = [await get(id), await service.query('select count(*) from audit')];
      const [first, second] = [await validate(id), await validate(id)];
      assert.deepEqual(first, second);
      assert.deepEqual(await get(id), earlier);
      assert.deepEqual(await service.query('select count(*) from audit'), audits);
      const path = '/v1/releases/rel_x/validate';
      const reader = await service.givenOrganization({ scopes: 'releases:read,tracks:read' });
      assert.equal((await reader.call('POST', path)).status, 404, 'the read scopes are enough');
      const releasesOnly = await service.givenOrganization({ scopes: 'releases:read' });
      assert.equal(
        (await releasesOnly.call('POST', path)).status,
        403,
        'tracks:read is required too',
      );
    });
  });

  describe('POST /v1/releases/{id}/fixes', () => {
    test('contract §4: applies the chosen patches as one new revision, which does not have their findings', async () => {
      const id = await create({ title: 'NIGHT DRIVE', genre: 'electronic' });
      const report = await validate(id);
      const chosen = [
        findingOf(report, 'title_casing', '/title').id,
        findingOf(report, 'genre_unknown').id,
      ];
      const earlier = await get(id);
      const { status, json } = await fix(id, chosen);
      assert.equal(status, 200);
      assert.deepEqual([json.title, json.genre], ['Night Drive', 'Electronic']);
      assert.equal(json.revision, earlier.revision + 1);
      const { data } = (await label.call('GET', `/v1/releases/${id}/revisions`)).json;
      assert.deepEqual(data[0].changed_fields, ['title', 'genre', 'tracks']);
      const tracks = (await label.call('GET', `/v1/tracks?release_id=${id}`)).json.data;
      assert.equal(tracks[0].title, 'Night Drive', 'the only track keeps the title of its release');
      const remaining = new Set(
        (await validate(id)).findings.map((each: { id: string }) => each.id),
      );
      for (const fixed of chosen) assert.ok(!remaining.has(fixed), fixed);
    });

    test('several fixes of one field are applied one after the other', async () => {
      const id = await create({ title: 'NIGHT DRIVE (ALBUM VERSION)' });
      const offered = (await validate(id)).findings.filter(
        ({ pointer, patch }: { pointer: string; patch: unknown }) =>
          pointer === '/title' && patch !== null,
      );
      assert.ok(offered.length >= 2, JSON.stringify(offered));
      const { status, json } = await fix(
        id,
        offered.map((finding: { id: string }) => finding.id),
      );
      assert.deepEqual([status, json.title], [200, 'Night Drive']);
    });

    test('all offered fixes together leave none of their findings', async () => {
      const id = await create({
        title: 'night drive ft. Somebody',
        genre: 'hip hop',
        type: 'album',
      });
      const offered = (await validate(id)).findings.flatMap(
        (finding: { id: string; patch: unknown }) => (finding.patch === null ? [] : [finding.id]),
      );
      assert.ok(offered.length >= 4);
      assert.equal((await fix(id, offered)).status, 200);
      const remaining = new Set(
        (await validate(id)).findings.map(({ id: each }: { id: string }) => each),
      );
      assert.deepEqual(
        offered.filter((each: string) => remaining.has(each)),
        [],
      );
    });

    test('a finding that does not exist, or has no patch, is an invalid field', async () => {
      const id = await create();
      const report = await validate(id);
      const withoutPatch = report.findings.find(({ patch }: { patch: unknown }) => patch === null);
      const { status, json } = await fix(id, ['nothing', withoutPatch.id]);
      assert.deepEqual([status, json.error.code], [422, 'invalid_field']);
      assert.deepEqual(
        json.error.details.map(({ field }: { field: string }) => field),
        ['finding_ids[0]', 'finding_ids[1]'],
      );
      assert.equal((await label.call('POST', `/v1/releases/${id}/fixes`, {})).status, 422);
    });

    test('contract §5: fixes require the scope for tracks', async () => {
      const releasesOnly = await service.givenOrganization({
        scopes: 'releases:write,releases:read',
      });
      const reply = await releasesOnly.call('POST', '/v1/releases/rel_x/fixes', {
        finding_ids: ['x'],
      });
      assert.deepEqual([reply.status, reply.json.error.code], [403, 'insufficient_scope']);
    });

    test('contract §3: no fix is applied while the review is pending', async () => {
      const id = await create({ title: 'NIGHT DRIVE' });
      const { id: finding } = findingOf(await validate(id), 'title_casing', '/title');
      assert.equal((await label.call('POST', `/v1/releases/${id}/submit`)).status, 200);
      const { status, json } = await fix(id, [finding]);
      assert.deepEqual([status, json.error.code], [409, 'invalid_state']);
    });
  });
});
