/** Spec §9.3: a breaking change needs a registered deprecation, announced in time, whose sunset has passed. */

import {
  type DeprecatedFeature,
  noticeDaysMin,
  startOf,
} from '../../apps/service/src/kernel/deprecation.ts';
import { dayMs } from '../../apps/service/src/kernel/duration.ts';
import type { Breach } from './breach.ts';

/** Why a breach may not be made; undefined if it may. */
export function refuseBreach(
  { at }: Breach,
  features: readonly DeprecatedFeature[],
  now: Date,
): string | undefined {
  const feature = features.find(({ covers }) =>
    covers.some((place) => at === place || at.startsWith(`${place} `)),
  );
  if (feature === undefined) return 'no deprecated feature covers it';
  const { deprecatedOn, sunsetOn } = feature;
  const noticeMs = startOf(sunsetOn).getTime() - startOf(deprecatedOn).getTime();
  if (noticeMs < noticeDaysMin * dayMs)
    return `it was deprecated on ${deprecatedOn}, less than ${noticeDaysMin} days before ${sunsetOn}`;
  return now < startOf(sunsetOn) ? `its sunset is on ${sunsetOn}` : undefined;
}
