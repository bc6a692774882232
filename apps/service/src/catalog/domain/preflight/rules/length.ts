/** Stores do not pay for very short tracks, and reject a release whose only track is too short. */

import { minuteMs } from '../../../../kernel/duration.ts';
import type { PreflightInput, PreflightTrack } from '../preflight-input.ts';
import type { Rule } from '../rule.ts';
import { albumTracksMin, durationsMsOf } from './durations.ts';

const trackMsMin = 30_000;
const albumMeanMsMin = minuteMs;
const source = 'guides of several distributors';
const prevents = 'resource_not_meeting_specifications';

function checkTrack(track: PreflightTrack, message: string) {
  const measured = track.audio?.facts.durationMs;
  if (measured === undefined || measured >= trackMsMin) return [];
  return [{ track, field: 'audio_asset_id', message, measured, limit: trackMsMin }];
}

function checkMean(input: PreflightInput) {
  const { release, tracks } = input;
  const durations = durationsMsOf(input);
  const isAlbum = tracks.length >= albumTracksMin || release.type === 'album';
  // The mean is known only when the audio of every track is ready.
  if (!isAlbum || tracks.length === 0 || durations.length < tracks.length) return [];
  const mean = durations.reduce((sum, ms) => sum + ms, 0) / tracks.length;
  if (mean >= albumMeanMsMin) return [];
  const message =
    'The tracks of the album last less than 60 seconds on average. Check that the right audio is attached.';
  return [{ field: 'tracks', message, measured: Math.floor(mean), limit: albumMeanMsMin }];
}

export const lengthRules = {
  length_only_track: {
    description:
      'The only track of a release must last at least 30 seconds; stores refuse shorter ones.',
    unit: 'ms',
    severity: 'error',
    readsFields: ['audioAssetId'],
    source,
    prevents,
    track: (track, { tracks }) =>
      tracks.length === 1
        ? checkTrack(
            track,
            'The only track is shorter than 30 seconds. Stores refuse such a release: upload longer audio.',
          )
        : [],
  } satisfies Rule,
  length_track: {
    description:
      'A track should last at least 30 seconds; stores do not pay for plays of shorter ones.',
    unit: 'ms',
    severity: 'warning',
    readsFields: ['audioAssetId'],
    source,
    prevents,
    track: (track, { tracks }) =>
      tracks.length === 1
        ? []
        : checkTrack(
            track,
            'The track is shorter than 30 seconds, and stores do not pay for its plays. Check that the right audio is attached.',
          ),
  } satisfies Rule,
  length_album_mean: {
    description:
      'The tracks of an album should last 60 seconds on average; stores suspect albums of very short tracks of collecting plays.',
    unit: 'ms',
    severity: 'warning',
    readsFields: ['audioAssetId', 'type'],
    source,
    prevents,
    release: checkMean,
  } satisfies Rule,
};
