/**
 * Setting `status` through PATCH, a deprecated feature that has been removed (spec §3.1, §9). Decided in business time,
 * so that a sandbox clock can be set before or after the sunset.
 */

import { deprecatedFeatures, isPastSunset } from '../../kernel/deprecation.ts';
import type { Refusal } from '../../kernel/problem.ts';
import { refuseResubmit, type Release, type ReleaseStatus } from './release.ts';

const feature = 'release_status_in_patch';

export function refuseRemovedStatus(now: Date): Refusal | undefined {
  if (!isPastSunset(feature, now)) return undefined;
  return {
    code: 'deprecated_feature_removed',
    message:
      'status cannot be set with PATCH any more. Remove it, and submit the release with POST /v1/releases/{release_id}/submit.',
    details: [
      {
        field: 'status',
        issue: `cannot be set since ${deprecatedFeatures[feature].sunsetOn}; remove it, and use the submit endpoint`,
      },
    ],
  };
}

export function refuseStatusInPatch(
  release: Pick<Release, 'status'>,
  wanted: ReleaseStatus,
  now: Date,
): Refusal | undefined {
  const removed = refuseRemovedStatus(now);
  if (removed !== undefined) return removed;
  const mayBeSubmitted = refuseResubmit(release) === undefined;
  const isAllowed = wanted === release.status || (mayBeSubmitted && wanted === 'submitted');
  if (isAllowed) return undefined;
  return {
    code: 'invalid_state',
    message: `The status cannot change from ${release.status} to ${wanted}.`,
  };
}
