import { dayOf } from '../../../../kernel/calendar-date.ts';
import { latestSafeDay } from '../lead-time.ts';
import type { PreflightInput } from '../preflight-input.ts';
import type { RawFinding, Rule } from '../rule.ts';

const field = 'release_date';

function checkLeadTime({ release: { releaseDate }, stores, today }: PreflightInput): RawFinding[] {
  // `release_date_past` reports a date in the past.
  if (releaseDate <= today) return [];
  const late = stores
    .map(({ storeId, leadTimeBusinessDays }) => ({
      storeId,
      safeDay: dayOf(latestSafeDay(releaseDate, leadTimeBusinessDays)),
    }))
    .filter(({ safeDay }) => today > safeDay);
  const [earliest] = late.map(({ safeDay }) => safeDay).toSorted();
  if (earliest === undefined) return [];
  const message = 'Some stores need more time than is left: they may publish late.';
  const lateStores = late.map(({ storeId }) => storeId);
  return [{ field, message, measured: today, limit: earliest, stores: lateStores }];
}

export const dateRules = {
  release_date_past: {
    severity: 'error',
    readsFields: ['releaseDate'],
    source: 'Ingrooves',
    prevents: 'commercial_release_date_invalid',
    release: ({ release: { releaseDate }, today }) => {
      if (releaseDate > today) return [];
      const message = 'The release date must be in the future.';
      return [{ field, message, measured: releaseDate, limit: today }];
    },
  } satisfies Rule,
  original_date_later: {
    severity: 'error',
    readsFields: ['releaseDate', 'originalReleaseDate'],
    source: 'DDEX ErncFileStatus',
    prevents: 'original_release_date_later_than_release_date',
    release: ({ release: { releaseDate, originalReleaseDate } }) => {
      if (originalReleaseDate === null || originalReleaseDate <= releaseDate) return [];
      return [
        {
          field: 'original_release_date',
          message: 'The original release date must not be later than the release date.',
          measured: originalReleaseDate,
          limit: releaseDate,
        },
      ];
    },
  } satisfies Rule,
  lead_time: {
    severity: 'warning',
    readsFields: ['releaseDate'],
    source: 'Ingrooves; Spotify content operations',
    prevents: 'commercial_release_date_invalid',
    release: checkLeadTime,
  } satisfies Rule,
};
