/**
 * A release (spec §2.1, §3.1; contract §2, §3) and its rules. A draft becomes submitted; nothing ever
 * becomes a draft again. Every change of content counts up `revision`.
 */
import type { CalendarDate } from '../../kernel/calendar-date.ts';
import type { Id, ReleaseId } from '../../kernel/ids.ts';
import type { Refusal, Violation } from '../../kernel/problem.ts';
import { documentedTerritories, type TerritoryCode } from '../../kernel/territory.ts';
import type { Upc } from '../../kernel/upc.ts';

export const releaseStatuses = ['draft', 'submitted', 'delivered', 'rejected'] as const;
export type ReleaseStatus = (typeof releaseStatuses)[number];

export const releaseTypes = ['single', 'ep', 'album', 'compilation'] as const;
export const explicitMarks = ['explicit', 'clean', 'none'] as const;
export const artistRoles = [
  'main',
  'featured',
  'remixer',
  'producer',
  'composer',
  'lyricist',
  'performer',
] as const;

export type Artist = {
  readonly name: string;
  readonly role: (typeof artistRoles)[number];
  readonly isni?: string | undefined;
  readonly storeProfiles?: Readonly<Record<string, string>> | undefined;
};

/** What a partner says about a release; null where it said nothing. */
export type ReleaseContent = {
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly title: string;
  readonly version: string | null;
  readonly artists: readonly Artist[];
  readonly releaseDate: CalendarDate;
  readonly originalReleaseDate: CalendarDate | null;
  readonly label: string;
  readonly territories: readonly TerritoryCode[];
  readonly type: (typeof releaseTypes)[number] | null;
  readonly genre: string | null;
  readonly language: string | null;
  readonly pLine: string | null;
  readonly cLine: string | null;
  readonly catalogNumber: string | null;
  readonly explicit: (typeof explicitMarks)[number] | null;
  readonly artworkAssetId: Id<'ast'> | null;
};

export type Release = ReleaseContent & {
  readonly id: ReleaseId;
  readonly upc: Upc;
  readonly status: ReleaseStatus;
  readonly trackCount: number;
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type ContentField = keyof ReleaseContent;

export type ReleaseEdit = Partial<ReleaseContent>;

/** The release after an edit, and which fields really change. Nothing changed is no new revision. */
export function edited(
  release: Release,
  edit: ReleaseEdit,
  now: Date,
): { readonly next: Release; readonly changed: readonly ContentField[] } {
  const territories = edit.territories && documentedTerritories(edit.territories);
  const wanted: ReleaseEdit = { ...edit, ...(territories && { territories }) };
  const fields = Object.keys(wanted) as ContentField[];
  const changed = fields.filter((field) => !isSame(release[field], wanted[field]));
  if (changed.length === 0) return { next: release, changed };
  return {
    next: { ...release, ...wanted, revision: release.revision + 1, updatedAt: later(release, now) },
    changed,
  };
}

/** Never back: a change that waited for another must not look older to who asks for updates since. */
const later = ({ updatedAt }: Pick<Release, 'updatedAt'>, now: Date): Date =>
  now > updatedAt ? now : updatedAt;

/** Objects compare by content, whatever the order their keys were sent or stored in. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [a, b].map((side) =>
    Object.entries(side).filter(([, value]) => value !== undefined),
  );
  if (left === undefined || right === undefined || left.length !== right.length) return false;
  const other = new Map<string, unknown>(right);
  return left.every(([key, value]) => other.has(key) && isSame(value, other.get(key)));
}

/** Spec §4.1: at least one artist has the role `main`. */
export function refuseArtists(artists: readonly Artist[]): Refusal | undefined {
  if (artists.some(({ role }) => role === 'main')) return undefined;
  return {
    code: 'invalid_field',
    message: 'At least one artist must have the role main.',
    details: [{ field: 'artists', issue: 'must contain at least one artist with role main' }],
  };
}

/** What tells two submissions apart (spec §4.1). */
export type Fingerprint = Pick<Release, 'upc' | 'label' | 'releaseDate'>;

export type Rival = Fingerprint & Pick<Release, 'id' | 'status' | 'reference'>;

/** Contract §3: no two releases with one fingerprint unless the other is still a draft. */
export function refuseTwin(
  fingerprint: Fingerprint,
  rivals: readonly Rival[],
): Refusal | undefined {
  const twin = rivals.find(
    ({ status, upc, label, releaseDate }) =>
      status !== 'draft' &&
      upc === fingerprint.upc &&
      label === fingerprint.label &&
      releaseDate === fingerprint.releaseDate,
  );
  return (
    twin && {
      code: 'duplicate_submission',
      message: `${twin.id} was already submitted with this UPC, label and release date.`,
    }
  );
}

export function refuseTakenReference(
  reference: string | null,
  rivals: readonly Rival[],
): Refusal | undefined {
  const owner = rivals.find((rival) => reference !== null && rival.reference === reference);
  return (
    owner && {
      code: 'invalid_field',
      message: `The reference is already used by ${owner.id}.`,
      details: [{ field: 'reference', issue: `is already used by ${owner.id}` }],
    }
  );
}

/** Spec §3.1: `draft` → `submitted`. */
export const submittedAt = (release: Release, now: Date): Release => ({
  ...release,
  status: 'submitted',
  updatedAt: later(release, now),
});

export function refuseDelete(release: Pick<Release, 'status'>): Refusal | undefined {
  if (release.status === 'draft') return undefined;
  return {
    code: 'invalid_state',
    message: `Only a draft can be deleted; this release is ${release.status}.`,
  };
}

/** Spec §4.1, the preconditions that do not look into assets, all unmet ones listed in its order. */
export function refuseSubmit(
  release: Pick<Release, 'trackCount' | 'artworkAssetId' | 'releaseDate'>,
  today: CalendarDate,
): Refusal | undefined {
  const details: Violation[] = [];
  if (release.trackCount === 0)
    details.push({ field: 'tracks', issue: 'at least one is required' });
  if (release.artworkAssetId === null) {
    details.push({ field: 'artwork_asset_id', issue: 'a ready artwork asset is required' });
  }
  if (release.releaseDate <= today) {
    details.push({ field: 'release_date', issue: 'must be in the future' });
  }
  if (details.length === 0) return undefined;
  return {
    code: 'release_not_submittable',
    message: 'The release does not yet meet every condition for submission.',
    details,
  };
}
