import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  base,
  relatedTrack,
  trackAt,
  withAudio,
  withRelated,
  withTrack,
} from '../../../../../test/proofs/preflight-base.ts';
import type { PreflightInput } from '../preflight-input.ts';
import { preflight } from '../preflight.ts';
import type { RuleId } from '../rules.ts';

const findingsOf = (rule: RuleId, input: PreflightInput) =>
  preflight(input)
    .findings.filter((finding) => finding.rule === rule)
    .map(({ pointer, message, measured, limit }) => ({ pointer, message, measured, limit }));

const firstIsrc = trackAt(0, '').isrc;

describe('isrc_duration', () => {
  const findings = (input: PreflightInput) => findingsOf('isrc_duration', input);
  const lasting = (durationMs: number, edit = {}) => relatedTrack(edit, { durationMs });

  test('names the other track and release, the ISRC and both durations', () => {
    assert.deepEqual(findings(withRelated([lasting(185_250)])), [
      {
        pointer: '/tracks/0/isrc',
        message:
          'QZ-TNA-27-00000 is also the ISRC of trk_9 on rel_9, which is 185.25 s long; this track is 180 s long. One ISRC names one recording: send another ISRC, or the audio of that recording.',
        measured: 5_250,
        limit: 2_000,
      },
    ]);
  });

  test('accepts another file of the same recording: up to 2 s longer or shorter', () => {
    for (const durationMs of [178_000, 179_999, 180_000, 182_000]) {
      assert.deepEqual(findings(withRelated([lasting(durationMs)])), [], String(durationMs));
    }
    for (const durationMs of [177_999, 182_001]) {
      assert.equal(findings(withRelated([lasting(durationMs)])).length, 1, String(durationMs));
    }
  });

  test('compares neither other ISRCs nor audio that is not ready', () => {
    assert.deepEqual(findings(withRelated([lasting(60_000, { isrc: 'GBAAA2700001' })])), []);
    assert.deepEqual(findings(withRelated([relatedTrack({ audio: null })])), []);
    assert.deepEqual(findings(withRelated([lasting(60_000)], withTrack({ audio: null }))), []);
  });

  test('compares the tracks of the release too', () => {
    const repeated = withTrack({ isrc: firstIsrc }, 1);
    assert.deepEqual(findings(repeated), []);
    const [finding, ...more] = findings(withAudio({ durationMs: 190_000 }, 1, repeated));
    assert.equal(finding?.pointer, '/tracks/1/isrc');
    assert.match(finding.message, /ISRC of trk_0 on rel_1, which is 180 s long; this .* 190 s/);
    assert.deepEqual(more, []);
  });
});

describe('audio_repeated', () => {
  const findings = (input: PreflightInput) => findingsOf('audio_repeated', input);
  const hashed = withAudio({ pcmSha256: 'a' });
  const elsewhere = (pcmSha256: string, isrc = 'GBAAA2700001') =>
    relatedTrack({ isrc }, { format: 'flac', pcmSha256 });

  test('names the other track and release, and both ISRCs', () => {
    assert.deepEqual(findings(withRelated([elsewhere('a')], hashed)), [
      {
        pointer: '/tracks/0/audio_asset_id',
        message:
          'trk_9 on rel_9 has the same audio and the ISRC GB-AAA-27-00001. One recording has one ISRC: send that ISRC, or other audio.',
        measured: 'QZ-TNA-27-00000',
        limit: 'GB-AAA-27-00001',
      },
    ]);
  });

  test('accepts the same audio with the same ISRC, and other audio', () => {
    assert.deepEqual(findings(withRelated([elsewhere('a', firstIsrc)], hashed)), []);
    assert.deepEqual(findings(withRelated([elsewhere('b')], hashed)), []);
  });

  test('compares bytes where the samples of one file were not hashed', () => {
    const audio = base.tracks[0]?.audio ?? null;
    const sameBytes = relatedTrack({ isrc: 'GBAAA2700001', audio });
    assert.equal(findings(withRelated([sameBytes])).length, 1);
    assert.deepEqual(findings(withRelated([elsewhere('a')])), []);
  });

  test('compares the tracks of the release too', () => {
    const [finding, ...more] = findings(withAudio({ format: 'flac', pcmSha256: 'a' }, 1, hashed));
    assert.equal(finding?.pointer, '/tracks/1/audio_asset_id');
    assert.match(finding.message, /^trk_0 on rel_1 /);
    assert.deepEqual(more, []);
  });
});
