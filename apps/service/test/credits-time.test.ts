/** Credits are the largest part of a large album: the processor time that they take in a request and in preflight. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseNamedContributors, toContributors } from '../src/catalog/domain/artist-entries.ts';
import { contributorRoles } from '../src/catalog/domain/contributor-roles.ts';
import { instruments } from '../src/catalog/domain/instruments.ts';
import type { PreflightInput } from '../src/catalog/domain/preflight/preflight-input.ts';
import { preflight } from '../src/catalog/domain/preflight/preflight.ts';
import { contentBytesOf, refuseTooLarge } from '../src/catalog/domain/release-size.ts';
import { BulkTracksBody, type CreateTrackRequest } from '../src/catalog/http/track-schemas.ts';
import { toNewTrack } from '../src/catalog/http/track-wire.ts';
import { compileBody } from '../src/platform/http/validation.ts';
import { assertOnceUnder } from './cpu-time.ts';
import { album } from './proofs/preflight-base.ts';

const validate = compileBody(BulkTracksBody);

const contributorOf = (track: number, i: number) => ({
  name: `Session Player ${track} of ${i}`,
  roles: [0, 1, 2].map((n) => contributorRoles[(track + i + n * 7) % contributorRoles.length]),
  instruments: [0, 1].map(
    (n) => instruments[(track * 30 + i + n) % instruments.length]?.instrument,
  ),
});

const body = JSON.stringify({
  tracks: Array.from({ length: 100 }, (_, track) => ({
    release_id: 'rel_1',
    title: `Chapter ${track}`,
    contributors: Array.from({ length: 30 }, (__, i) => contributorOf(track, i)),
    ai_use: { recording: 'none', composition: 'none' },
  })),
});

/** As the api does it: the body is parsed and validated, then its tracks, then the release with them. */
function validateAndJudge(): PreflightInput {
  const result = validate(JSON.parse(body));
  assert.ok('value' in result, 'error' in result ? String(result.error) : '');
  const added = (result.value as { tracks: CreateTrackRequest[] }).tracks.map((each) =>
    toNewTrack(each),
  );
  const named = { artists: new Map(), storeIds: new Set<string>() };
  for (const { contributors } of added)
    assert.equal(refuseNamedContributors(contributors, named, 'contributors'), undefined);
  const given = album(100, 180_000);
  const tracks = given.tracks.map((track, i) => ({
    ...track,
    contributors: toContributors(added[i]?.contributors ?? [], named),
  }));
  const bytes = [given.release, ...tracks].reduce((sum, each) => sum + contentBytesOf(each), 0);
  assert.equal(refuseTooLarge(bytes, 'release_id'), undefined);
  const input = { ...given, tracks };
  preflight(input);
  return input;
}

test('100 tracks with 30 contributors each fit into a release, and take less than 300 ms of processor time', async () => {
  await assertOnceUnder(300, () => {
    const { tracks } = validateAndJudge();
    assert.equal(tracks.flatMap(({ contributors }) => contributors).length, 3_000);
  });
});
