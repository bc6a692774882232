import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  applyReleaseEdit,
  refuseDelete,
  refuseResubmit,
  refuseSubmit,
  refuseTakenReference,
  refuseDuplicate,
  type Release,
  type ConflictingRelease,
  unsetReleaseFields,
} from './release.ts';
import { refuseUnready } from './required-assets.ts';
import { refuseStatusInPatch } from './status-sunset.ts';

const created = new Date('2026-11-01T00:00:00Z');
const now = new Date('2026-11-15T00:00:00Z');

const release: Release = {
  ...unsetReleaseFields,
  id: 'rel_1',
  metadata: { a: '1', b: '2' },
  title: 'Night Drive',
  artists: [{ name: 'A', role: 'main' }],
  releaseDate: '2027-01-15',
  label: 'L',
  metadataLanguage: 'en',
  upc: '036000291452',
  territories: ['WORLD'],
  artworkAssetId: 'ast_1',
  status: 'draft',
  trackCount: 1,
  submission: null,
  revision: 4,
  createdAt: created,
  updatedAt: created,
};
const other: ConflictingRelease = { ...release, id: 'rel_2', status: 'submitted' };

describe('editing', () => {
  test('the fields whose values differ are named, and make one revision', () => {
    const { next, changed } = applyReleaseEdit(
      release,
      { title: 'Day', label: 'L', genre: 'Pop' },
      now,
    );
    assert.deepEqual(changed, ['title', 'genre']);
    assert.deepEqual(next, { ...release, title: 'Day', genre: 'Pop', revision: 5, updatedAt: now });
  });

  test('the same content in another order, or WORLD by its other name, changes nothing', () => {
    const same = {
      metadata: { b: '2', a: '1' },
      artists: [{ role: 'main' as const, name: 'A' }],
      territories: ['WORLDWIDE'],
    };
    assert.deepEqual(applyReleaseEdit(release, same, now), { next: release, changed: [] });
  });

  test('spec §4.1: territories are replaced with their exclusions, unless the edit has both', () => {
    const narrowed = { ...release, excludedTerritories: ['RU'] };
    const cleared = applyReleaseEdit(narrowed, { territories: ['WORLD'] }, now);
    assert.deepEqual(cleared.changed, ['excludedTerritories']);
    assert.equal(cleared.next.excludedTerritories, null);
    const both = { territories: ['WORLD'], excludedTerritories: ['BY'] };
    assert.deepEqual(applyReleaseEdit(narrowed, both, now).next.excludedTerritories, ['BY']);
    const title = applyReleaseEdit(narrowed, { title: 'Day' }, now);
    assert.deepEqual(title.next.excludedTerritories, ['RU']);
  });

  test('the order of artists and territories is content', () => {
    const two = { ...release, territories: ['DE', 'AT'] };
    assert.deepEqual(applyReleaseEdit(two, { territories: ['AT', 'DE'] }, now).changed, [
      'territories',
    ]);
  });
});

describe('fingerprints', () => {
  test('a submitted release with the same UPC, label and date is a duplicate', () => {
    assert.equal(refuseDuplicate(release, [other])?.code, 'duplicate_submission');
  });
  test('a draft, another label or another date is not', () => {
    assert.equal(refuseDuplicate(release, [{ ...other, status: 'draft' }]), undefined);
    assert.equal(refuseDuplicate(release, [{ ...other, label: 'M' }]), undefined);
    assert.equal(refuseDuplicate(release, [{ ...other, releaseDate: '2027-01-16' }]), undefined);
  });
  test('two releases without a reference do not conflict', () => {
    assert.equal(refuseTakenReference(null, [{ ...other, reference: null }]), undefined);
    assert.equal(refuseTakenReference('x', [{ ...other, reference: 'x' }])?.code, 'invalid_field');
  });
});

describe('submitting', () => {
  const artwork = { id: 'ast_1', status: 'ready' } as const;
  const ready = { trackId: 'trk_1', asset: artwork } as const;
  const withoutAudio = { trackId: 'trk_2', asset: null } as const;
  const processing = {
    trackId: 'trk_3',
    asset: { id: 'ast_2', status: 'processing' },
  } as const;
  const whole = {
    releaseId: 'rel_1',
    releaseDate: '2027-01-15',
    artwork,
    audio: [ready, ready],
  } as const;
  const today = '2026-11-15';
  const fieldsOf = (candidate: Parameters<typeof refuseSubmit>[0]) =>
    refuseSubmit(candidate, today)?.details?.map(({ field }) => field);

  test('a complete release is accepted', () => {
    assert.equal(refuseSubmit(whole, today), undefined);
  });
  test('spec §4.1: a release dated today is not in the future', () => {
    assert.deepEqual(fieldsOf({ ...whole, releaseDate: today }), ['release_date']);
  });
  test('every unmet condition is listed, in the order of the specification', () => {
    const bare = { ...whole, releaseDate: '2020-01-01', artwork: null, audio: [] };
    assert.deepEqual(fieldsOf(bare), ['tracks', 'artwork_asset_id', 'release_date']);
    assert.equal(refuseSubmit(bare, today)?.code, 'release_not_submittable');
    assert.deepEqual(fieldsOf({ ...whole, artwork: null, audio: [ready, withoutAudio] }), [
      'tracks[1].audio_asset_id',
      'artwork_asset_id',
    ]);
  });
  test('contract §7: one track with unready audio makes it asset_not_ready, the rest is listed too', () => {
    const candidate = {
      ...whole,
      releaseDate: today,
      artwork: null,
      audio: [ready, processing],
    };
    assert.equal(refuseSubmit(candidate, today)?.code, 'asset_not_ready');
    assert.deepEqual(fieldsOf(candidate), [
      'tracks[1].audio_asset_id',
      'artwork_asset_id',
      'release_date',
    ]);
    const failed = { ...whole, artwork: { id: 'ast_3', status: 'failed' } as const };
    assert.equal(refuseSubmit(failed, today)?.code, 'asset_not_ready');
  });
  test('each detail names the file and its status, or what has none, and what to do', () => {
    const unready = (['pending_upload', 'processing', 'failed'] as const).map((status, i) => ({
      trackId: `trk_${i}` as const,
      asset: { id: `ast_${i}` as const, status },
    }));
    const candidate = { ...whole, artwork: null, audio: [withoutAudio, ...unready] };
    const sentences = [
      'is missing; set it with PATCH /v1/tracks/trk_2',
      'names ast_0, which is pending_upload; upload its file and complete it',
      'names ast_1, which is processing; wait for the event asset.ready',
      'names ast_2, which is failed; replace it with another asset',
      'is missing; set it with PATCH /v1/releases/rel_1',
    ];
    for (const refusal of [refuseSubmit(candidate, today), refuseUnready(candidate)]) {
      assert.deepEqual(
        refusal?.details?.map(({ issue }) => issue),
        sentences,
      );
    }
    assert.equal(refuseUnready(whole), undefined);
  });
  test('of more tracks than details can list, the others are counted, and the artwork is still listed', () => {
    const audio = Array.from({ length: 120 }, () => withoutAudio);
    const refusal = refuseUnready({ ...whole, artwork: null, audio });
    assert.deepEqual(
      [refusal?.details?.length, refusal?.details?.at(-1)?.field],
      [96, 'artwork_asset_id'],
    );
    assert.match(refusal?.message ?? '', / 25 more tracks are not listed\.$/);
  });
  test('contract §3: only a draft or a rejected release can be submitted', () => {
    const codes = (['draft', 'submitted', 'delivered', 'rejected'] as const).map(
      (status) => refuseResubmit({ status })?.code,
    );
    assert.deepEqual(codes, [undefined, 'invalid_state', 'invalid_state', undefined]);
  });
});

describe('status in PATCH', () => {
  const lastMoment = new Date('2024-08-31T23:59:59.999Z');
  const sunset = new Date('2024-09-01T00:00:00Z');
  test('spec §3.1: it works until the last millisecond before its sunset', () => {
    assert.equal(refuseStatusInPatch(release, 'submitted', lastMoment), undefined);
    assert.equal(
      refuseStatusInPatch(release, 'submitted', sunset)?.code,
      'deprecated_feature_removed',
    );
    assert.equal(refuseStatusInPatch(release, 'draft', sunset)?.code, 'deprecated_feature_removed');
  });
  test('contract §3: no release becomes a draft again', () => {
    const submitted = { status: 'submitted' } as const;
    assert.equal(refuseStatusInPatch(submitted, 'draft', lastMoment)?.code, 'invalid_state');
  });
});

test('only a draft can be deleted', () => {
  assert.equal(refuseDelete({ status: 'draft' }), undefined);
  for (const status of ['submitted', 'delivered', 'rejected'] as const) {
    assert.equal(refuseDelete({ status })?.code, 'invalid_state');
  }
});
