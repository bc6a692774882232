import { minuteMs } from '../../../../kernel/duration.ts';
import type { PreflightInput } from '../preflight-input.ts';
import type { Rule } from '../rule.ts';
import { albumTracksMin, durationsMsOf } from './durations.ts';

const singleTracksMax = 3;
const albumMsMin = 30 * minuteMs;

/** The type by number and length of tracks; undefined while audio that is not ready could change it. */
function typeByContent(input: PreflightInput): 'single' | 'ep' | 'album' | undefined {
  const count = input.tracks.length;
  const durations = durationsMsOf(input);
  const totalMs = durations.reduce((sum, ms) => sum + ms, 0);
  if (count >= albumTracksMin || totalMs >= albumMsMin) return 'album';
  if (count === 0 || durations.length < count) return undefined;
  return count <= singleTracksMax ? 'single' : 'ep';
}

export const typeRules = {
  type_by_content: {
    description:
      'The type should match the number and length of the tracks; stores classify releases by them.',
    severity: 'warning',
    readsFields: ['type', 'audioAssetId'],
    source: 'an open-source classifier of releases',
    prevents: 'new_release_message_invalid',
    release: (input) => {
      const { type } = input.release;
      // Whether a release is a compilation cannot be measured.
      if (type === null || type === 'compilation') return [];
      const typeOfContent = typeByContent(input);
      if (typeOfContent === undefined || typeOfContent === type) return [];
      const message =
        'The type does not match the number and length of the tracks, so stores show another type. Send the type in limit.';
      const fixes = () => [{ release: { type: typeOfContent } }];
      return [{ field: 'type', message, measured: type, limit: typeOfContent, fixes }];
    },
  } satisfies Rule,
};
