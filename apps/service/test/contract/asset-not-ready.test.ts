/** Spec §3.3, §4.1, §7: `asset_not_ready` names each file, its status and what to do; the same for every request. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  codeOf,
  openDeliveryFixture,
  type DeliveryFixture,
  type Json,
} from '../delivery-fixture.ts';
import { draft, type Reply } from '../test-service.ts';

describe('files that are missing or not ready', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  let designation = 0;
  const addTrack = async (release_id: string, fields: object = {}): Promise<string> => {
    const isrc = `QZANR26${String(++designation).padStart(5, '0')}`;
    const track = { release_id, title: 'Another Drive', isrc, ...fields };
    const { status, json, text } = await fixture.label.call('POST', '/v1/tracks', track);
    assert.equal(status, 201, text);
    return json.id;
  };
  const givenAudio = (status: 'pending_upload' | 'processing' | 'failed') =>
    fixture.service.givenAsset(fixture.label, 'audio', status);
  /** Adds a track without audio, and one for each status; returns the details that name them. */
  const addUnreadyTracks = async (release_id: string): Promise<readonly object[]> => {
    const ids = {
      pending_upload: await givenAudio('pending_upload'),
      processing: await givenAudio('processing'),
      failed: await givenAudio('failed'),
    };
    const bare = await addTrack(release_id);
    for (const audio_asset_id of Object.values(ids)) await addTrack(release_id, { audio_asset_id });
    const issues = [
      `is missing; set it with PATCH /v1/tracks/${bare}`,
      `names ${ids.pending_upload}, which is pending_upload; upload its file and complete it`,
      `names ${ids.processing}, which is processing; wait for the event asset.ready`,
      `names ${ids.failed}, which is failed; replace it with another asset`,
    ];
    return issues.map((issue, i) => {
      const field = `tracks[${i + 1}].audio_asset_id`;
      return { field, issue: `${field} ${issue}.` };
    });
  };
  const detailsOf = ({ json }: Reply): Json => json.error.details;

  test('spec §4.1: submitting', async () => {
    const { json: release } = await fixture.label.call('POST', '/v1/releases', draft());
    await fixture.service.makeSubmittable(fixture.label, release.id);
    const details = await addUnreadyTracks(release.id);
    const reply = await fixture.label.call('POST', `/v1/releases/${release.id}/submit`);
    assert.deepEqual(codeOf(reply), [409, 'asset_not_ready']);
    assert.deepEqual(detailsOf(reply), details);
  });

  test('spec §3.3: delivering, the dry run, and an item of a job', async () => {
    const release_id = await fixture.givenApprovedRelease();
    const details = await addUnreadyTracks(release_id);
    const plan = { release_id, stores: ['aurora'], territory_codes: ['US'] };
    for (const path of ['', '/dry_run']) {
      const reply = await fixture.post(path, plan);
      assert.deepEqual(codeOf(reply), [409, 'asset_not_ready'], path);
      assert.deepEqual(detailsOf(reply), details, path);
    }
    const body = { action: 'deliver', items: [plan] };
    const { json: job } = await fixture.label.call('POST', '/v1/delivery_jobs', body);
    await fixture.runUntilIdle();
    const { json } = await fixture.label.call('GET', `/v1/delivery_jobs/${job.id}`);
    assert.equal(json.items[0].error.code, 'asset_not_ready');
    assert.deepEqual(json.items[0].error.details, details);
  });

  test('spec §3.3: resubmitting and updating', async () => {
    for (const [simulate, action] of [
      ['aurora=reject', 'resubmit'],
      ['', 'update'],
    ] as const) {
      const delivery = await fixture.givenDelivery({ simulate });
      await fixture.advanceTime(5_000);
      const details = await addUnreadyTracks(delivery.release_id);
      const reply = await fixture.post(`/${delivery.id}/${action}`);
      assert.deepEqual(codeOf(reply), [409, 'asset_not_ready'], reply.text);
      assert.deepEqual(detailsOf(reply), details, action);
    }
  });

  test('spec §3.3: artwork that was removed is named too', async () => {
    const release_id = await fixture.givenApprovedRelease();
    await fixture.patchRelease(release_id, { artwork_asset_id: null });
    const plan = { release_id, stores: ['aurora'], territory_codes: ['US'] };
    assert.deepEqual(detailsOf(await fixture.post('', plan)), [
      {
        field: 'artwork_asset_id',
        issue: `artwork_asset_id is missing; set it with PATCH /v1/releases/${release_id}.`,
      },
    ]);
  });

  test('spec §2.1: artwork that is set before it is ready is named with its status', async () => {
    const { json: release } = await fixture.label.call('POST', '/v1/releases', draft());
    const id = await fixture.service.givenAsset(fixture.label, 'artwork', 'processing');
    const patch = { artwork_asset_id: id };
    const reply = await fixture.label.call('PATCH', `/v1/releases/${release.id}`, patch);
    assert.deepEqual(codeOf(reply), [409, 'asset_not_ready']);
    assert.deepEqual(detailsOf(reply), [
      {
        field: 'artwork_asset_id',
        issue: `artwork_asset_id names ${id}, which is processing; wait until it is ready.`,
      },
    ]);
  });
});
