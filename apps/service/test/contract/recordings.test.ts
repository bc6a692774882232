/** Catalogue §1.7: one ISRC is one recording, within the organization. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { toneWav, uploadAsset, type UploadFile } from '../asset-files.ts';
import {
  type DeliveryFixture,
  type Json,
  openDeliveryFixture,
  statusByStore,
  storeDeliveryOf,
} from '../delivery-fixture.ts';
import { completeDraft, type OrgClient, trackCredits } from '../test-service.ts';

const run = promisify(execFile);

describe('one ISRC is one recording', () => {
  let fixture: DeliveryFixture;
  let label: OrgClient;
  before(async () => {
    fixture = await openDeliveryFixture();
    ({ label } = fixture);
  });
  after(() => fixture.close());

  let isrcs = 0;
  const newIsrc = (): string => `GB-REC-26-${String(++isrcs).padStart(5, '0')}`;

  type GivenTrack = {
    readonly isrc: string;
    /** Its measured facts, or the id of an asset. */
    readonly audio?: object | string;
    readonly caller?: OrgClient;
  };

  /** A release that is complete, with one track. */
  const givenRelease = async ({ isrc, audio = {}, caller = label }: GivenTrack): Promise<Json> => {
    const { json: release } = await caller.call('POST', '/v1/releases', completeDraft());
    const artwork_asset_id = await fixture.service.givenAsset(caller, 'artwork');
    await caller.call('PATCH', `/v1/releases/${release.id}`, { artwork_asset_id });
    const audio_asset_id =
      typeof audio === 'string'
        ? audio
        : await fixture.service.givenAsset(caller, 'audio', 'ready', audio);
    const body = {
      release_id: release.id,
      title: release.title,
      isrc,
      audio_asset_id,
      ...trackCredits,
    };
    const { status, json: track } = await caller.call('POST', '/v1/tracks', body);
    assert.equal(status, 201);
    return { release, track };
  };
  const lasting = (durationMs: number, isrc: string, caller = label) =>
    givenRelease({ isrc, audio: { durationMs }, caller });
  const findingsOf = async ({ release }: Json, caller = label): Promise<Json[]> => {
    const reply = await caller.call('POST', `/v1/releases/${release.id}/validate`);
    assert.equal(reply.status, 200, reply.text);
    return reply.json.findings.filter(({ rule }: Json) =>
      ['isrc_repeated', 'isrc_duration', 'audio_repeated'].includes(rule),
    );
  };

  describe('durations', () => {
    test('catalogue §1.7: the same ISRC with durations more than 2 s apart is an error on both releases, which names the other', async () => {
      const isrc = newIsrc();
      const single = await lasting(180_000, isrc);
      const album = await lasting(182_001, isrc);
      for (const [one, other, durations] of [
        [single, album, /182\.001 s long; this track is 180 s/],
        [album, single, /180 s long; this track is 182\.001 s/],
      ] as const) {
        const [finding, ...more] = await findingsOf(one);
        assert.deepEqual(more, []);
        assert.deepEqual(
          [finding.rule, finding.severity, finding.pointer, finding.measured, finding.limit],
          ['isrc_duration', 'error', '/tracks/0/isrc', 2_001, 2_000],
        );
        assert.match(finding.message, durations);
        for (const text of [isrc, other.track.id, other.release.id]) {
          assert.ok(finding.message.includes(text), `${finding.message} names ${text}`);
        }
      }
    });

    test('catalogue §1.7: a different file alone (single, then album master) is no finding', async () => {
      const isrc = newIsrc();
      const single = await lasting(180_000, isrc);
      const album = await lasting(182_000, isrc);
      assert.deepEqual([...(await findingsOf(single)), ...(await findingsOf(album))], []);
    });

    test('catalogue §1.7: the tracks of one release are compared too', async () => {
      const isrc = newIsrc();
      const { release } = await lasting(180_000, isrc);
      const audio_asset_id = await fixture.service.givenAsset(label, 'audio', 'ready', {
        durationMs: 60_000,
      });
      const body = { release_id: release.id, title: 'Edit', isrc, audio_asset_id };
      await label.call('POST', '/v1/tracks', body);
      assert.deepEqual(
        (await findingsOf({ release })).map(({ rule, pointer }) => [rule, pointer]),
        [
          ['isrc_repeated', '/tracks/1/isrc'],
          ['isrc_duration', '/tracks/1/isrc'],
        ],
      );
    });

    test('of many tracks with one ISRC, the one that differs is found among those that do not', async () => {
      const isrc = newIsrc();
      const first = await lasting(180_000, isrc);
      const differing = await lasting(120_000, isrc);
      for (let i = 0; i < 5; i++) await lasting(180_500, isrc);
      const [finding] = await findingsOf(first);
      assert.match(finding.message, new RegExp(`${differing.track.id} on ${differing.release.id}`));
    });

    test('the finding is gone once the other track is deleted, or has another ISRC', async () => {
      const isrc = newIsrc();
      const kept = await lasting(180_000, isrc);
      const deleted = await lasting(190_000, isrc);
      const changed = await lasting(200_000, isrc);
      await label.call('DELETE', `/v1/tracks/${deleted.track.id}`);
      assert.match((await findingsOf(kept))[0].message, new RegExp(changed.track.id));
      await label.call('PATCH', `/v1/tracks/${changed.track.id}`, { isrc: newIsrc() });
      assert.deepEqual(await findingsOf(kept), []);
    });

    test('only within the organization: a track of another one is neither compared nor named', async () => {
      const isrc = newIsrc();
      const other = await fixture.service.givenOrganization();
      const pcmSha256 = 'a'.repeat(64);
      const foreign = await givenRelease({
        isrc,
        audio: { durationMs: 60_000, pcmSha256 },
        caller: other,
      });
      const own = await givenRelease({ isrc, audio: { pcmSha256 } });
      assert.deepEqual(await findingsOf(own), []);
      assert.deepEqual(await findingsOf(foreign, other), []);
    });
  });

  describe('review, dry run and dispatch', () => {
    test('catalogue §1.7: the review rejects a release whose ISRC names a recording of another length', async () => {
      const isrc = newIsrc();
      const other = await lasting(180_000, isrc);
      const { release } = await lasting(240_000, isrc);
      await label.call('POST', `/v1/releases/${release.id}/submit`);
      await fixture.runUntilIdle();
      const { submission } = await fixture.releaseOf(release.id);
      assert.equal(submission.review_status, 'rejected');
      assert.deepEqual(
        submission.findings.map(({ rule }: Json) => rule),
        ['isrc_duration'],
      );
      assert.ok(submission.findings[0].message.includes(other.release.id));
    });

    test('catalogue §1.7: the operator cannot approve it either', async () => {
      const isrc = newIsrc();
      await lasting(180_000, isrc);
      const { release } = await lasting(240_000, isrc);
      const { json } = await label.call('POST', `/v1/releases/${release.id}/submit`);
      const whose = ['--org', label.orgId, '--submission', json.submission_id];
      await fixture.service.admin('review', 'decide', ...whose, '--decision', 'approve');
      assert.equal((await fixture.releaseOf(release.id)).submission.review_status, 'rejected');
    });

    test('catalogue §1.7: dry run and dispatch find what was added after the review', async () => {
      const isrc = newIsrc();
      const { release } = await lasting(180_000, isrc);
      await label.call('POST', `/v1/releases/${release.id}/submit`);
      await fixture.runUntilIdle();
      const other = await lasting(240_000, isrc);
      const body = { release_id: release.id, stores: ['aurora'], territory_codes: ['WORLDWIDE'] };
      const dryRun = await fixture.post('/dry_run', body);
      assert.equal(dryRun.status, 200, dryRun.text);
      assert.ok(dryRun.text.includes('isrc_duration') && dryRun.text.includes(other.track.id));
      const { json } = await fixture.post('', body);
      await fixture.runUntilIdle();
      const delivery = await fixture.get(json.id);
      assert.deepEqual(statusByStore(delivery), { aurora: 'rejected' });
      const { rejection_reason } = storeDeliveryOf(delivery, 'aurora');
      assert.ok(rejection_reason.includes(other.track.id), rejection_reason);
    });
  });

  describe('audio', () => {
    let folder: string;
    before(async () => void (folder = await mkdtemp(join(tmpdir(), 'tonearm-recordings-'))));
    after(() => rm(folder, { recursive: true }));

    const toFlac = async (wav: UploadFile): Promise<UploadFile> => {
      const [from, to] = [join(folder, 'song.wav'), join(folder, 'song.flac')];
      await writeFile(from, wav.bytes);
      await run('ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', from, to]);
      const bytes = await readFile(to);
      return { ...wav, fileName: 'song.flac', contentType: 'audio/flac', bytes };
    };
    /** Uploaded and examined as every file is. */
    const upload = async (file: UploadFile): Promise<string> => {
      const id = await uploadAsset(label, file);
      await fixture.runUntilIdle();
      return id;
    };
    const wav = toneWav(31_000, 523);

    test('catalogue §1.7: the same decoded audio under two ISRCs is a warning, as WAV and as FLAC', async () => {
      const [isrc, otherIsrc] = [newIsrc(), newIsrc()];
      const one = await givenRelease({ isrc, audio: await upload(wav) });
      const other = await givenRelease({
        isrc: otherIsrc,
        audio: await upload(await toFlac(wav)),
      });
      const [finding, ...more] = await findingsOf(one);
      assert.deepEqual(more, []);
      assert.deepEqual(
        [finding.rule, finding.severity, finding.pointer, finding.measured, finding.limit],
        ['audio_repeated', 'warning', '/tracks/0/audio_asset_id', isrc, otherIsrc],
      );
      for (const text of [otherIsrc, other.track.id, other.release.id]) {
        assert.ok(finding.message.includes(text), `${finding.message} names ${text}`);
      }
      assert.equal((await findingsOf(other)).length, 1);
    });

    test('catalogue §1.7: the same audio with the same ISRC, and other audio, are no findings', async () => {
      const isrc = newIsrc();
      const pcmSha256 = 'b'.repeat(64);
      const single = await givenRelease({ isrc, audio: { pcmSha256 } });
      const album = await givenRelease({ isrc, audio: { pcmSha256 } });
      await givenRelease({ isrc: newIsrc(), audio: { pcmSha256: 'c'.repeat(64) } });
      assert.deepEqual([...(await findingsOf(single)), ...(await findingsOf(album))], []);
    });

    test('one asset on tracks with two ISRCs is the same audio', async () => {
      const audio = await fixture.service.givenAsset(label, 'audio');
      const one = await givenRelease({ isrc: newIsrc(), audio });
      await givenRelease({ isrc: newIsrc(), audio });
      assert.deepEqual(
        (await findingsOf(one)).map(({ rule }) => rule),
        ['audio_repeated'],
      );
    });

    test('files examined before samples were hashed are compared by their bytes', async () => {
      const tone = toneWav(32_000, 587);
      const earlier = await upload(tone);
      const again = await upload(tone);
      const other = await upload(await toFlac(tone));
      await fixture.service.query(
        `update assets set facts = facts - 'pcmSha256' where id = any($1)`,
        [[earlier, other].map((id) => toUuid(id as Id<'ast'>))],
      );
      const one = await givenRelease({ isrc: newIsrc(), audio: earlier });
      await givenRelease({ isrc: newIsrc(), audio: other });
      assert.deepEqual(await findingsOf(one), [], 'other bytes, and no hash of the samples');
      const same = await givenRelease({ isrc: newIsrc(), audio: again });
      const [finding] = await findingsOf(one);
      assert.ok(finding.message.includes(same.track.id));
    });
  });
});
