import { dayOf } from '../../../../kernel/calendar-date.ts';
import { latestSafeDay, startDayOf } from '../lead-time.ts';
import type { PreflightInput, PreflightTrack } from '../preflight-input.ts';
import type { RawFinding, Rule } from '../rule.ts';

const field = 'release_date';

/** Contract §1: "future" means after today in UTC. A `release_at` may be the day before its release date. */
function checkFuture({ release, today }: PreflightInput): RawFinding[] {
  const { releaseDate, releaseAt } = release;
  if (releaseDate <= today) {
    const message = 'release_date is not in the future. Send a later date.';
    return [{ field, message, measured: releaseDate, limit: today }];
  }
  if (startDayOf(release) > today) return [];
  const message = 'release_at is not in the future (after today in UTC). Send a later time.';
  return [{ field: 'release_at', message, measured: releaseAt, limit: today }];
}

function checkLeadTime(input: PreflightInput): RawFinding[] {
  const { release, stores, today } = input;
  // `release_date_past` reports a date in the past.
  if (checkFuture(input).length > 0) return [];
  const late = stores
    .map(({ storeId, leadTimeBusinessDays }) => ({
      storeId,
      safeDay: dayOf(latestSafeDay(release, leadTimeBusinessDays)),
    }))
    .filter(({ safeDay }) => today > safeDay);
  const [earliest] = late.map(({ safeDay }) => safeDay).toSorted();
  if (earliest === undefined) return [];
  const message =
    'Some stores need more time than is left and may publish late. Send a later release_date, or accept the delay.';
  const lateStores = late.map(({ storeId }) => storeId);
  return [{ field, message, measured: today, limit: earliest, stores: lateStores }];
}

function checkOriginalDate(
  { originalReleaseDate }: Pick<PreflightTrack, 'originalReleaseDate'>,
  { release: { releaseDate } }: PreflightInput,
  track?: PreflightTrack,
): RawFinding[] {
  if (originalReleaseDate === null || originalReleaseDate <= releaseDate) return [];
  return [
    {
      track,
      field: 'original_release_date',
      message: 'original_release_date is later than release_date. Correct one of the two.',
      measured: originalReleaseDate,
      limit: releaseDate,
    },
  ];
}

export const dateRules = {
  release_date_past: {
    description:
      'The release date must be after today in UTC; stores do not accept a date that has passed.',
    severity: 'error',
    readsFields: ['releaseDate', 'releaseAt'],
    source: "a distributor's guide",
    prevents: 'commercial_release_date_invalid',
    release: checkFuture,
  } satisfies Rule,
  original_date_later: {
    description:
      'original_release_date must not be later than release_date; the first publication cannot follow this one.',
    severity: 'error',
    readsFields: ['releaseDate', 'originalReleaseDate'],
    inheritedFields: ['releaseDate'],
    source: 'DDEX ErncFileStatus',
    prevents: 'original_release_date_later_than_release_date',
    release: (input) => checkOriginalDate(input.release, input),
    track: (track, input) => checkOriginalDate(track, input, track),
  } satisfies Rule,
  lead_time: {
    description:
      'The time until the release date should be at least the lead time of the store; otherwise the store may publish late.',
    severity: 'warning',
    readsFields: ['releaseDate', 'releaseAt'],
    source: "a distributor's guide; a major streaming store's content guide",
    prevents: 'commercial_release_date_invalid',
    release: checkLeadTime,
  } satisfies Rule,
};
