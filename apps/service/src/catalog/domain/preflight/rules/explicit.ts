import type { Fix } from '../preflight-input.ts';
import type { Rule } from '../rule.ts';

const source = 'guides of several stores';
const field = 'explicit';

const markExplicit = (): readonly Fix[] => [{ release: { explicit: 'explicit' } }];

export const explicitRules = {
  explicit_missing: {
    description:
      'Each track should say whether it is explicit, clean or neither; stores filter by it.',
    severity: 'warning',
    readsFields: ['explicit'],
    source,
    prevents: 'metadata_missing',
    track: (track) => {
      if (track.explicit !== null) return [];
      const message = 'explicit is missing. Send explicit, clean or none.';
      return [{ track, field, message, measured: null, limit: 'explicit, clean, none' }];
    },
  } satisfies Rule,
  explicit_release: {
    description:
      'A release with an explicit track should be explicit; stores label the release by its tracks.',
    severity: 'warning',
    readsFields: ['explicit'],
    source,
    prevents: 'release_violates_terms_of_service',
    release: ({ release, tracks }) => {
      const isExplicit = tracks.some(({ explicit }) => explicit === 'explicit');
      if (!isExplicit || release.explicit === 'explicit') return [];
      const message = 'A track is explicit, but the release is not. Send explicit for the release.';
      return [
        { field, message, measured: release.explicit, limit: 'explicit', fixes: markExplicit },
      ];
    },
  } satisfies Rule,
};
