import { minuteMs } from '../../../../kernel/duration.ts';
import type { PreflightInput } from '../preflight-input.ts';
import type { Rule } from '../rule.ts';
import { albumTracksMin, durationsMsOf } from './durations.ts';

const singleTracksMax = 3;
const albumMsMin = 30 * minuteMs;

/** What tracks and time make it; undefined as long as missing audio could still decide. */
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
    severity: 'warning',
    readsFields: ['type', 'audioAssetId'],
    source: 'open-source classifier',
    prevents: 'new_release_message_invalid',
    release: (input) => {
      const { type } = input.release;
      // A compilation is one by what it collects, which nothing here can measure.
      if (type === null || type === 'compilation') return [];
      const fitting = typeByContent(input);
      if (fitting === undefined || fitting === type) return [];
      const message = 'Stores will show another type: they go by the number and length of tracks.';
      const fixes = () => [{ release: { type: fitting } }];
      return [{ field: 'type', message, measured: type, limit: fitting, fixes }];
    },
  } satisfies Rule,
};
