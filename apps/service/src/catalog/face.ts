/** What other slices may use of the catalog. */
export { createArtist } from './commands/create-artist.ts';
export { createLabel } from './commands/create-label.ts';
export { createRelease, type NewRelease } from './commands/create-release.ts';
export { createTracks, type NewTrack } from './commands/create-tracks.ts';
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
export { ddexRoleOf, isWriterRole } from './domain/contributor-roles.ts';
export type { Contributor } from './domain/contributor.ts';
export { byArtistId, type Credit, creditOf } from './domain/credited-artists.ts';
export { ddexInstrumentOf } from './domain/instruments.ts';
export { newProfile } from './domain/artist.ts';
export { appliesToStore, type Finding } from './domain/preflight/finding.ts';
export { presentLabel, presentRegisteredArtist } from './domain/present-artist.ts';
export { presentRelease } from './domain/present-release.ts';
export { presentTrack } from './domain/present-track.ts';
export { genres } from './domain/preflight/genres.ts';
export type { PreflightInput } from './domain/preflight/preflight-input.ts';
export type { Release } from './domain/release.ts';
export type { Snapshot } from './domain/snapshot.ts';
export type { TrackId } from './domain/track.ts';
export { diffSnapshots, hasSameContent } from './domain/snapshot-changes.ts';
export { releaseReviewService } from './messages.ts';
export { listArtists } from './store/artists.ts';
export { listLabels } from './store/labels.ts';
export {
  findExistingReleases,
  findRelease,
  findReleaseByReference,
  findReleaseNames,
  lockRelease,
  findReleasesByProductCode,
} from './store/releases.ts';
export { findSnapshot, findSnapshotCodes, type SnapshotCodes } from './store/submissions.ts';
export { findReleasesByIsrc } from './store/tracks.ts';
