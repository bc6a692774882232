/** The events partners receive about the catalog (spec §6, contract §6). */

import { presentRelease } from './domain/present-release.ts';
import type { Release, ReleaseStatus } from './domain/release.ts';

export const releaseCreated = (release: Release) => ({
  type: 'release.created',
  data: presentRelease(release),
});

/** Not sent on creation (contract §6). */
export const releaseStatusChanged = (release: Release, previous: ReleaseStatus) => ({
  type: 'release.status.changed',
  data: {
    release_id: release.id,
    previous_status: previous,
    status: release.status,
    release: presentRelease(release),
  },
});
