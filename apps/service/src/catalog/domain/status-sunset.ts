/**
 * Setting `status` through PATCH: deprecated on 2024-04-15, gone on 2024-09-01 (spec §3.1, §9).
 * Decided in business time, so that a sandbox clock can be set before or after that date.
 */

import type { Refusal } from '../../kernel/problem.ts';
import { refuseResubmit, type Release, type ReleaseStatus } from './release.ts';

export const statusDeprecatedAt = new Date('2024-04-15T00:00:00Z');
export const statusSunsetAt = new Date('2024-09-01T00:00:00Z');

export function refuseStatusInPatch(
  release: Pick<Release, 'status'>,
  wanted: ReleaseStatus,
  now: Date,
): Refusal | undefined {
  if (now >= statusSunsetAt) {
    return {
      code: 'deprecated_feature_removed',
      message: 'status can no longer be set through PATCH; use the submit endpoint.',
      details: [{ field: 'status', issue: 'stopped being writable on 2024-09-01' }],
    };
  }
  const mayBeSubmitted = refuseResubmit(release) === undefined;
  const isAllowed = wanted === release.status || (mayBeSubmitted && wanted === 'submitted');
  if (isAllowed) return undefined;
  return {
    code: 'invalid_state',
    message: `A release that is ${release.status} cannot be made ${wanted}.`,
  };
}
