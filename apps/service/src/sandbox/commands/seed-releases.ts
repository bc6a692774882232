/** Releases of the fictional catalogue, made with the partners' commands. Existing releases are not changed. */

import type { Asset } from '../../assets/face.ts';
import {
  createRelease,
  createTracks,
  editRelease,
  findReleaseByReference,
  type NewTrack,
  presentRelease,
  presentTrack,
  type Release,
  submitRelease,
} from '../../catalog/face.ts';
import { findOrganization, isLicensedFor } from '../../identity/face.ts';
import { dayOf } from '../../kernel/calendar-date.ts';
import { addMs, dayMs } from '../../kernel/duration.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { covers, songs } from '../domain/seed-files.ts';
import type { SeedRelease } from '../domain/seed-plan.ts';
import { ensureSeedLabel, withSeedArtists } from './seed-artists.ts';
import { seededAssets } from './seed-assets.ts';

/** Does the steps that are missing: an earlier run may have done some of them. */
export async function seedRelease(tx: Tx, plan: SeedRelease): Promise<void> {
  const assets = await seededAssets(tx);
  let release =
    (await findReleaseByReference(tx, plan.reference)) ?? (await createSeedRelease(tx, plan));
  if (release.status !== 'draft') return;
  if (release.trackCount === 0 && plan.tracks.length > 0) {
    await addTracks(tx, release, plan, assets);
  }
  if (release.artworkAssetId === null && plan.cover !== null) {
    release = await setArtwork(tx, release, assetNamed(assets, covers[plan.cover].fileName));
  }
  if (!plan.isSubmitted) return;
  appendSeedAudit(tx, 'release.submit', await submitRelease(tx, release.id));
}

const appendSeedAudit = (
  tx: Tx,
  action: string,
  { before, after }: { readonly before?: Release; readonly after: Release },
): void =>
  appendAudit(tx, {
    action,
    auditedId: after.id,
    before: before && presentRelease(before),
    after: presentRelease(after),
  });

async function createSeedRelease(tx: Tx, plan: SeedRelease): Promise<Release> {
  // Real time: the catalogue's history ends at the time of the reset.
  const dayFromNow = (days: number) => dayOf(addMs(tx.realNow, days * dayMs));
  const { outInDays, outAt, preOrderDays } = plan;
  const releaseDate = dayFromNow(outInDays);
  const line = plan.hasLines ? `${releaseDate.slice(0, 4)} ${plan.label}` : null;
  await ensureSeedLabel(tx, plan.label);
  const release = await createRelease(tx, {
    reference: plan.reference,
    metadata: { origin: 'seed' },
    title: plan.title,
    version: null,
    artists: await withSeedArtists(tx, plan.credits.artists),
    releaseDate,
    originalReleaseDate: null,
    releaseAt: outAt === undefined ? null : `${releaseDate}T${outAt}:00.000Z`,
    preOrderDate: preOrderDays === undefined ? null : dayFromNow(outInDays - preOrderDays),
    label: plan.label,
    territories: await licensedAmong(tx, plan.territories),
    excludedTerritories: (await licensedAmong(tx, plan.excluded)) ?? null,
    upc: undefined,
    type: plan.type,
    genre: plan.genre,
    language: plan.language,
    pLine: line,
    cLine: line,
    catalogNumber: null,
    explicit: plan.explicit ?? 'none',
    aiUse: plan.aiUse && { artwork: plan.aiUse },
    ...plan.details,
  });
  appendSeedAudit(tx, 'release.create', { after: release });
  return release;
}

/** The planned territories that the organization is licensed for; undefined if none is. */
async function licensedAmong(
  tx: Tx,
  codes: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  const organization = await findOrganization(tx, tx.orgId);
  const allowed = codes?.filter((code) =>
    isLicensedFor(organization?.licensedTerritories ?? [], code),
  );
  return allowed?.length === 0 ? undefined : allowed;
}

async function addTracks(
  tx: Tx,
  release: Release,
  { tracks, credits: ofRelease, explicit, aiUse }: SeedRelease,
  assets: ReadonlyMap<string, Asset>,
): Promise<void> {
  const excluded = await Promise.all(tracks.map((track) => licensedAmong(tx, track.excluded)));
  const artists: NewTrack['artists'][] = [];
  for (const { credits = ofRelease } of tracks)
    artists.push(await withSeedArtists(tx, credits.artists));
  const created = await createTracks(
    tx,
    tracks.map(({ title, song, credits = ofRelease, origin }, i) => ({
      releaseId: release.id,
      reference: null,
      metadata: {},
      title,
      version: null,
      artists: artists[i],
      contributors: credits.contributors ?? [],
      aiUse: aiUse && { recording: 'none', composition: 'none' },
      isrc: undefined,
      audioAssetId: assetNamed(assets, songs[song].fileName).id,
      territory: null,
      excludedTerritories: excluded[i] ?? null,
      disc: 1,
      position: undefined,
      explicit: explicit ?? 'none',
      language: null,
      genre: null,
      pLine: null,
      ...origin,
    })),
  );
  appendAudit(tx, {
    action: 'track.create_many',
    auditedId: release.id,
    before: undefined,
    after: { data: created.map((track) => presentTrack(track, track.release)) },
  });
}

async function setArtwork(tx: Tx, { id }: Release, cover: Asset): Promise<Release> {
  const edited = await editRelease(tx, {
    id,
    edit: { artworkAssetId: cover.id },
    status: undefined,
    isExpected: () => true,
  });
  appendSeedAudit(tx, 'release.update', edited);
  return edited.after;
}

function assetNamed(assets: ReadonlyMap<string, Asset>, fileName: string): Asset {
  const asset = assets.get(fileName);
  if (asset === undefined) throw new Error(`there is no asset ${fileName}`);
  return asset;
}
