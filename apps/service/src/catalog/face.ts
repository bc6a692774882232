/** What other slices may use of the catalog. */
export { createRelease } from './commands/create-release.ts';
export { createTracks } from './commands/create-tracks.ts';
export { editRelease } from './commands/edit-release.ts';
export { ensureReleaseSnapshot } from './commands/ensure-release-snapshot.ts';
export { runPreflight } from './commands/run-preflight.ts';
export {
  runPreflightForStores,
  buildPreflightInputForStores,
} from './commands/run-preflight-for-stores.ts';
export { changeReleaseStatus } from './commands/change-release-status.ts';
export { submitRelease } from './commands/submit-release.ts';
export { isWithdrawn, releaseStartsAt } from './domain/availability.ts';
export { appliesToStore, type Finding } from './domain/preflight/finding.ts';
export type { PreflightInput } from './domain/preflight/preflight-input.ts';
export type { Release } from './domain/release.ts';
export type { Snapshot } from './domain/snapshot.ts';
export type { TrackId } from './domain/track.ts';
export { diffSnapshots, hasSameContent } from './domain/snapshot-changes.ts';
export { releaseReviewService } from './messages.ts';
export {
  findExistingReleases,
  findRelease,
  findReleaseByReference,
  lockRelease,
  findReleasesByUpc,
} from './store/releases.ts';
export { findSnapshot, findSnapshotCodes, type SnapshotCodes } from './store/submissions.ts';
export { findReleasesByIsrc } from './store/tracks.ts';
