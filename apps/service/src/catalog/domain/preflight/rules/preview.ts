import type { PreflightTrack } from '../preflight-input.ts';
import type { RawFinding, Rule } from '../rule.ts';

/** The API refuses this for audio that is ready; later the audio may be replaced, or become ready. */
function checkStart(track: PreflightTrack): RawFinding[] {
  const { previewStartMs, audio } = track;
  const limit = audio?.facts.durationMs;
  if (previewStartMs === null || limit === undefined || previewStartMs < limit) return [];
  return [
    {
      track,
      field: 'preview_start_ms',
      message: 'preview_start_ms is after the end of the audio. Send a smaller value.',
      measured: previewStartMs,
      limit,
      // Without a value, each store chooses where its preview begins.
      fixes: () => [{ tracks: { [track.id]: { previewStartMs: null } } }],
    },
  ];
}

export const previewRules = {
  preview_start: {
    description:
      'preview_start_ms must be before the end of the audio; after it there is nothing to play.',
    unit: 'ms',
    severity: 'error',
    readsFields: ['previewStartMs', 'audioAssetId'],
    source: 'DDEX ERN 4.3',
    prevents: 'resource_not_meeting_specifications',
    track: checkStart,
  } satisfies Rule,
};
