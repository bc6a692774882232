import { findOrganization, allocateUpc } from '../../identity/face.ts';
import type { LanguageTag } from '../../kernel/language.ts';
import { enforce, enforceAll, Problem } from '../../kernel/problem.ts';
import { documentedTerritories, world } from '../../kernel/territory.ts';
import { findTerritoryAvailability } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import { type ArtistEntry, refuseNamedArtists, toArtists } from '../domain/artist-entries.ts';
import { refuseNamedLabel } from '../domain/label.ts';
import {
  type Release,
  refuseArtists,
  refuseTakenReference,
  refuseDuplicate,
  type ReleaseContent,
  unsetReleaseFields,
  refuseUpc,
} from '../domain/release.ts';
import { refuseUseTypes, refuseWindow } from '../domain/rights.ts';
import { releaseCreated } from '../events.ts';
import { findConflictingReleases } from '../store/release-conflicts.ts';
import { insertRelease } from '../store/releases.ts';
import { insertRevision } from '../store/revisions.ts';
import { findNamedArtists } from './find-named-artists.ts';
import { findNamedLabel } from './find-named-label.ts';
import { refuseReleaseTerritories, territoriesToLookUp } from './refuse-territory-rights.ts';
import { reserveNamedCodes } from './reserve-named-codes.ts';

/** The account fills these in when the partner leaves them out (spec §4.1). */
type Defaulted = {
  readonly label?: string | undefined;
  readonly metadataLanguage?: LanguageTag | undefined;
  /** Not parsed yet. */
  readonly labelId?: string | undefined;
  readonly territories?: readonly string[] | undefined;
  readonly upc?: string | undefined;
};

export type NewRelease = Pick<ReleaseContent, 'title' | 'releaseDate' | 'metadata'> &
  Partial<Omit<typeof unsetReleaseFields, 'artworkAssetId' | 'labelId'>> &
  Defaulted & { readonly artists: readonly ArtistEntry[] };

export async function createRelease(tx: Tx, draft: NewRelease): Promise<Release> {
  const content = { ...unsetReleaseFields, ...draft };
  enforceAll([
    draft.upc === undefined ? undefined : refuseUpc(draft.upc),
    refuseArtists(draft.artists),
    refuseUseTypes(content.useTypes),
    ...refuseWindow(content),
  ]);

  const id = tx.newId('rel');
  const requested = { codes: draft.territories, excluded: draft.excludedTerritories };
  const [account, label, named, availability, upc, conflicts] = await Promise.all([
    findOrganization(tx, tx.orgId),
    findNamedLabel(tx, draft, 'default'),
    findNamedArtists(tx, draft.artists),
    findTerritoryAvailability(tx, territoriesToLookUp(requested)),
    draft.upc ?? allocateUpc(tx),
    // No release has a newly allocated UPC, so only the EAN and the reference can conflict.
    findConflictingReleases(tx, id, {
      upc: draft.upc === undefined ? 'any' : { is: draft.upc },
      ean: draft.ean,
      reference: draft.reference,
    }),
  ]);
  if (account === undefined) throw new Error(`${tx.orgId} is not provisioned here`);
  const defaultTerritories = label?.defaultTerritories ?? [world];

  enforce(
    refuseNamedLabel(draft, label) ??
      refuseNamedArtists(draft.artists, named, 'artists') ??
      refuseReleaseTerritories(requested, defaultTerritories, availability) ??
      refuseTakenReference(draft.reference ?? null, conflicts),
  );
  if (upc === undefined) {
    throw new Problem(
      'upc_pool_exhausted',
      'The UPC pool of your organization is empty. Send a upc of your own, or ask support for a new range.',
    );
  }

  const release: Release = {
    ...content,
    id,
    upc,
    artists: toArtists(draft.artists, named),
    label: label?.name ?? draft.label ?? account.defaultLabel,
    labelId: label?.id ?? null,
    metadataLanguage: draft.metadataLanguage ?? account.defaultMetadataLanguage,
    territories: documentedTerritories(draft.territories ?? defaultTerritories),
    status: 'draft',
    trackCount: 0,
    submission: null,
    revision: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  enforce(refuseDuplicate(release, conflicts));

  reserveNamedCodes(tx, draft);
  insertRelease(tx, release);
  insertRevision(tx, release, []);
  appendEvent(tx, releaseCreated(release));
  return release;
}
