/** What other slices may use of the catalog. */
export { freezeRelease } from './commands/freeze-release.ts';
export { judgeForStores } from './commands/judge-for-stores.ts';
export { moveRelease } from './commands/move-release.ts';
export type { Finding } from './domain/preflight/finding.ts';
export type { Release } from './domain/release.ts';
export type { Snapshot } from './domain/snapshot.ts';
export { changesBetween, sendsTheSame } from './domain/snapshot-changes.ts';
export { releaseReviewService } from './events.ts';
export { findRelease, lockRelease, releasesWithUpc } from './store/releases.ts';
export { findSnapshot } from './store/submissions.ts';
export { releasesWithIsrc } from './store/tracks.ts';
