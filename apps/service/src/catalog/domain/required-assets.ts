/** The files of a release: all must be ready before it is submitted (spec §4.1) or delivered (spec §3.3). */

import type { AssetId, AssetStatus } from '../../assets/face.ts';
import type { Id, ReleaseId } from '../../kernel/ids.ts';
import { type Refusal, type Violation, violationsMax } from '../../kernel/problem.ts';

type NamedAsset = { readonly id: AssetId; readonly status: AssetStatus };

/** An asset is null when the release or the track names none. */
export type RequiredAssets = {
  readonly releaseId: ReleaseId;
  readonly artwork: NamedAsset | null;
  /** By disc and position. */
  readonly audio: readonly { readonly trackId: Id<'trk'>; readonly asset: NamedAsset | null }[];
};

/** `assets` are those that the release and its tracks name. */
export function requiredAssetsOf(
  release: { readonly id: ReleaseId; readonly artworkAssetId: AssetId | null },
  tracks: readonly { readonly id: Id<'trk'>; readonly audioAssetId: AssetId | null }[],
  assets: readonly NamedAsset[],
): RequiredAssets {
  const byId = new Map<string, NamedAsset>(assets.map((asset) => [asset.id, asset]));
  const find = (id: AssetId | null) => byId.get(id ?? '') ?? null;
  return {
    releaseId: release.id,
    artwork: find(release.artworkAssetId),
    audio: tracks.map((track) => ({ trackId: track.id, asset: find(track.audioAssetId) })),
  };
}

/** Leaves five details for the violations of the release itself. */
const listedTracksMax = violationsMax - 5;

/** What is wrong with each file, and a sentence about tracks that are not listed. */
export function listUnready({ releaseId, artwork, audio }: RequiredAssets) {
  const tracks = audio.flatMap(({ trackId, asset }, i) => {
    const issue = `is missing; set it with PATCH /v1/tracks/${trackId}`;
    return describeUnready(asset, { field: `tracks[${i}].audio_asset_id`, issue });
  });
  const issue = `is missing; set it with PATCH /v1/releases/${releaseId}`;
  const unlisted = tracks.length - listedTracksMax;
  return {
    details: [
      ...tracks.slice(0, listedTracksMax),
      ...describeUnready(artwork, { field: 'artwork_asset_id', issue }),
    ],
    unlisted: unlisted > 0 ? ` ${unlisted} more tracks are not listed.` : '',
  };
}

const cures: Readonly<Record<Exclude<AssetStatus, 'ready'>, string>> = {
  pending_upload: 'upload its file and complete it',
  processing: 'wait for the event asset.ready',
  failed: 'replace it with another asset',
};

/** `missing` is the violation when no asset is named. */
function describeUnready(asset: NamedAsset | null, missing: Violation): Violation[] {
  if (asset === null) return [missing];
  const { id, status } = asset;
  if (status === 'ready') return [];
  return [{ ...missing, issue: `names ${id}, which is ${status}; ${cures[status]}` }];
}

export const hasUnready = ({ artwork, audio }: RequiredAssets): boolean =>
  [artwork, ...audio.map(({ asset }) => asset)].some(
    (asset) => asset !== null && asset.status !== 'ready',
  );

/** Spec §3.3: every file of a delivery must be ready. */
export function refuseUnready(required: RequiredAssets): Refusal | undefined {
  const { details, unlisted } = listUnready(required);
  if (details.length === 0) return undefined;
  return {
    code: 'asset_not_ready',
    message: `Some files of the release are missing or not ready. Deliver it when all are ready.${unlisted}`,
    details,
  };
}
