import { findOrganization } from '../../identity/face.ts';
import { type CalendarDate, dayOf } from '../../kernel/calendar-date.ts';
import type { ReleaseId } from '../../kernel/ids.ts';
import { comparableCode, productCodeOf } from '../../kernel/product-code.ts';
import { allStores, findCodesHeldElsewhere, type Store } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { PreflightInput, PreflightStore } from '../domain/preflight/preflight-input.ts';
import {
  type Snapshot,
  snapshotOf,
  toPreflightInput,
  toPreflightTracks,
} from '../domain/snapshot.ts';
import { findRelatedTracks } from '../store/related-tracks.ts';
import { shareLockRelease } from '../store/releases.ts';
import { findSimilarArtists } from '../store/similar-artists.ts';
import { findSnapshotRows } from './find-snapshot-rows.ts';

/** Share-locks the release, so that its tracks are of the same revision. */
export async function findPreflightInput(
  tx: Tx,
  id: ReleaseId,
): Promise<PreflightInput | undefined> {
  const release = await shareLockRelease(tx, id);
  if (release === undefined) return undefined;
  const rows = await findSnapshotRows(tx, release);
  return buildPreflightInput(tx, snapshotOf(release, rows), dayOf(tx.now));
}

/** Adds the stores, the licence and the related tracks of the organization to a snapshot. */
export async function buildPreflightInput(
  tx: Tx,
  snapshot: Snapshot,
  today: CalendarDate,
): Promise<PreflightInput> {
  const tracks = toPreflightTracks(snapshot);
  const { release } = snapshot;
  const [account, stores, relatedTracks, similarArtists] = await Promise.all([
    findOrganization(tx, tx.orgId),
    allStores(tx),
    findRelatedTracks(tx, release.id, tracks),
    findSimilarArtists(tx, snapshot),
  ]);
  const heldElsewhere = await findCodesHeldElsewhere(
    tx,
    release.id,
    stores.map(({ storeId }) => storeId),
    [comparableCode(productCodeOf(release)), ...tracks.map(({ isrc }) => isrc)],
  );
  return toPreflightInput(snapshot, {
    tracks,
    relatedTracks,
    similarArtists,
    stores: stores.map(toPreflightStore),
    heldElsewhere,
    licensedTerritories: account?.licensedTerritories ?? [],
    today,
  });
}

const toPreflightStore = ({
  storeId,
  territoryCodes,
  capabilities,
  rulePack,
}: Store): PreflightStore => ({
  storeId,
  territoryCodes,
  audioFormats: capabilities.audioFormats,
  useTypes: capabilities.useTypes,
  preOrder: capabilities.preOrder,
  leadTimeBusinessDays: capabilities.leadTimeBusinessDays,
  rulePack,
});
