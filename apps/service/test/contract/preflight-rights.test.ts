/** What preflight says about rights and windows: catalogue §1.1, §2. The rules one by one: `prove preflight`. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type OrgClient,
  completeDraft,
  openTestService,
  type TestService,
} from '../test-service.ts';

type Finding = {
  readonly id: string;
  readonly rule: string;
  readonly severity: string;
  readonly applies_to: 'all' | readonly string[];
  readonly pointer: string;
  readonly measured: unknown;
  readonly patch: unknown;
};

describe('preflight of rights and windows', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    label = await service.givenOrganization();
    await service.admin('isrc', 'add-registrant', '--org', label.orgId, '--code', 'QZABC');
  });
  after(() => service.close());

  /** A release whose first track has no rights of its own. */
  const create = async (fields: object = {}): Promise<string> => {
    const { json } = await label.call('POST', '/v1/releases', completeDraft(fields));
    await service.makeSubmittable(label, json.id);
    return json.id;
  };
  const addTrack = async (release_id: string, fields: object): Promise<string> => {
    const audio_asset_id = await service.givenAsset(label, 'audio');
    const body = { release_id, title: 'Day Off', audio_asset_id, ...fields };
    const { status, json, text } = await label.call('POST', '/v1/tracks', body);
    assert.equal(status, 201, text);
    return json.id;
  };
  const findingsOf = async (id: string, rule: string): Promise<readonly Finding[]> => {
    const { findings } = (await label.call('POST', `/v1/releases/${id}/validate`)).json;
    return findings.filter((finding: Finding) => finding.rule === rule);
  };
  const firstTrackOf = async (id: string) =>
    (await label.call('GET', `/v1/tracks?release_id=${id}`)).json.data.at(-1);

  test('catalogue §2: no use type in common with a store is an error for that store', async () => {
    const id = await create({ use_types: ['ugc'] });
    const [finding, ...more] = await findingsOf(id, 'use_types_of_store');
    assert.deepEqual([finding?.severity, finding?.pointer, more], ['error', '/use_types', []]);
    assert.equal(finding?.applies_to.length, 11);
    assert.ok(!finding.applies_to.includes('firefly'), 'the only store with ugc');
  });

  test('catalogue §1.1: a track that a store cannot sell is left out there, with a warning', async () => {
    const id = await create();
    await addTrack(id, { territory: ['JP'], use_types: ['download'] });
    const [territory, useTypes, ...more] = await findingsOf(id, 'track_left_out');
    assert.deepEqual(
      [territory?.severity, territory?.pointer, territory?.measured],
      ['warning', '/tracks/1/territory', 'JP'],
    );
    assert.ok(territory?.applies_to.includes('indigo') && !territory.applies_to.includes('hanami'));
    assert.equal(useTypes?.pointer, '/tracks/1/use_types');
    assert.ok(useTypes?.applies_to.includes('beatlane') && !useTypes.applies_to.includes('hanami'));
    assert.deepEqual(more, []);
    assert.deepEqual(
      await findingsOf(id, 'tracks_of_store'),
      [],
      'every store has the other track',
    );
  });

  test('catalogue §1.1: a store for which no track remains is an error', async () => {
    const id = await create();
    await label.call('PATCH', `/v1/tracks/${(await firstTrackOf(id)).id}`, { territory: ['JP'] });
    const [finding] = await findingsOf(id, 'tracks_of_store');
    assert.equal(finding?.severity, 'error');
    assert.ok(finding.applies_to.includes('indigo') && !finding.applies_to.includes('hanami'));
  });

  test('catalogue §2: a track wider than the exclusions of its release is an error, and its fix adds them', async () => {
    const id = await create({ excluded_territories: ['RU', 'BY'] });
    const track = await addTrack(id, { territory: ['WORLD'], excluded_territories: ['CN'] });
    const [finding] = await findingsOf(id, 'track_territory');
    assert.deepEqual([finding?.severity, finding?.measured], ['error', 'BY, RU']);
    const value = ['CN', 'RU', 'BY'];
    assert.deepEqual(finding?.patch, [
      { op: 'replace', path: '/tracks/1/excluded_territories', value },
    ]);
    const fixed = await label.call('POST', `/v1/releases/${id}/fixes`, {
      finding_ids: [finding?.id],
    });
    assert.equal(fixed.status, 200, fixed.text);
    const { json } = await label.call('GET', `/v1/tracks/${track}`);
    assert.deepEqual([json.territory, json.excluded_territories], [['WORLD'], value]);
    assert.deepEqual(await findingsOf(id, 'track_territory'), []);
  });

  test('catalogue §2: use types beyond the release are an error, and the fix keeps the others', async () => {
    const id = await create({ use_types: ['subscription_stream', 'ugc'] });
    const track = await addTrack(id, { use_types: ['download', 'subscription_stream'] });
    const [finding] = await findingsOf(id, 'track_use_types');
    const fixed = await label.call('POST', `/v1/releases/${id}/fixes`, {
      finding_ids: [finding?.id],
    });
    assert.equal(fixed.status, 200, fixed.text);
    const { json } = await label.call('GET', `/v1/tracks/${track}`);
    assert.deepEqual(json.use_types, ['subscription_stream']);
  });

  test('catalogue §2: withdrawn tracks are not judged by where they are sold; all withdrawn is an error', async () => {
    const id = await create({ territories: ['DE'] });
    await addTrack(id, { territory: ['JP'], use_types: [] });
    for (const rule of ['track_territory', 'track_left_out', 'tracks_withdrawn']) {
      assert.deepEqual(await findingsOf(id, rule), [], rule);
    }
    await label.call('PATCH', `/v1/tracks/${(await firstTrackOf(id)).id}`, { use_types: [] });
    const [finding] = await findingsOf(id, 'tracks_withdrawn');
    assert.deepEqual([finding?.severity, finding?.applies_to], ['error', 'all']);
  });

  test('catalogue §2: pre_order_date is not sent to stores without the capability, with a warning', async () => {
    const id = await create({ pre_order_date: '2026-12-18' });
    const [finding] = await findingsOf(id, 'pre_order_of_store');
    assert.deepEqual([finding?.severity, finding?.measured], ['warning', '2026-12-18']);
    assert.ok(finding?.applies_to.includes('beatlane') && !finding.applies_to.includes('aurora'));
    assert.deepEqual(await findingsOf(id, 'pre_order_past'), []);
    await service.clock.set('2026-12-18T12:00:00Z');
    const [past] = await findingsOf(id, 'pre_order_past');
    assert.deepEqual(past?.applies_to, ['aurora', 'driftwood', 'hanami']);
    await service.clock.set('2026-11-15T12:00:00Z');
  });

  test('catalogue §2: release_at counts for the lead time, and must be in the future', async () => {
    // Midnight of Friday the 15th in Auckland is on Thursday in UTC.
    const id = await create({ release_at: '2027-01-15T00:00:00+13:00' });
    const { stores } = (await label.call('POST', `/v1/releases/${id}/validate`)).json;
    const indigo = stores.find(({ store_id }: { store_id: string }) => store_id === 'indigo');
    assert.equal(indigo.latest_safe_submit_at, '2027-01-13T23:59:59.999Z');
    assert.deepEqual(await findingsOf(id, 'release_date_past'), []);
    await service.clock.set('2027-01-14T01:00:00Z');
    const [finding] = await findingsOf(id, 'release_date_past');
    assert.deepEqual([finding?.severity, finding?.pointer], ['error', '/release_at']);
    await service.clock.set('2026-11-15T12:00:00Z');
  });
});
