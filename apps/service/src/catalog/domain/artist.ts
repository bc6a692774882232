/**
 * An artist of the organization (catalogue §3): the identity behind the artist entries of releases and tracks. Its name
 * is the default of an entry; an entry keeps its own name when the artist is renamed.
 *
 * An artist is merged into another one for good: `mergedInto` always names an artist that is not merged itself, and
 * reads of releases and tracks show that one.
 */

import type { ArtistId } from '../../kernel/ids.ts';
import { didYouMean } from '../../kernel/near-name.ts';
import type { Pairs } from '../../kernel/pairs.ts';
import { invalidField, Problem, type Refusal } from '../../kernel/problem.ts';
import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import { namesOf } from './optional-fields.ts';
import { isDeepEqual } from './release.ts';

/** What a partner can set on an artist. */
export type ArtistContent = {
  readonly name: string;
  readonly reference: string | null;
  readonly metadata: Pairs;
  readonly isni: string | null;
  readonly ipi: string | null;
  /** By language. */
  readonly localizedNames: Pairs;
  /** The id of the artist at a store, by store_id; `new` if the store has to create a page. */
  readonly storeProfiles: Pairs;
};

export type RegisteredArtist = ArtistContent & {
  readonly id: ArtistId;
  readonly mergedInto: ArtistId | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type ArtistEdit = Partial<ArtistContent>;

/** The value of a store profile at a store that has no page of the artist yet. */
export const newProfile = 'new';

/** The same artist, if nothing differs. */
export function applyArtistEdit(
  artist: RegisteredArtist,
  edit: ArtistEdit,
  now: Date,
): RegisteredArtist {
  if (namesOf(edit).every((field) => isDeepEqual(artist[field], edit[field]))) return artist;
  return { ...artist, ...edit, updatedAt: nextUpdatedAt(artist, now) };
}

/** Bounded, because each snapshot of a release has a copy. */
const namesAndProfilesMax = 4_000;

export function refuseArtistSize({
  localizedNames,
  storeProfiles,
}: Pick<ArtistContent, 'localizedNames' | 'storeProfiles'>): Refusal | undefined {
  const length = JSON.stringify([localizedNames, storeProfiles]).length;
  if (length <= namesAndProfilesMax) return undefined;
  const issue = `must have at most ${namesAndProfilesMax} characters in total with localized_names; shorten them`;
  return invalidField('store_profiles', issue);
}

/** Profiles of an artist or of an artist entry; `field` is their path. */
export function refuseUnknownStores(
  profiles: Pairs | undefined,
  storeIds: ReadonlySet<string>,
  field: string,
): Refusal | undefined {
  const unknown = Object.keys(profiles ?? {}).filter((storeId) => !storeIds.has(storeId));
  const [first] = unknown;
  if (first === undefined) return undefined;
  const issue = 'is not a store of the network; GET /v1/stores lists the stores';
  const details = unknown.map((storeId) => ({
    field: `${field}.${storeId}`,
    issue,
    near: () => didYouMean(storeId, storeIds),
  }));
  return { code: 'invalid_field', message: `${field}.${first} ${issue}.`, details };
}

/** Refuses a reference or an ISNI that another artist of the organization has. */
export function refuseTaken(
  { reference, isni }: ArtistEdit,
  others: readonly Pick<RegisteredArtist, 'id' | 'reference' | 'isni' | 'mergedInto'>[],
): Refusal | undefined {
  const named = others.find((other) => other.reference !== null && other.reference === reference);
  if (named !== undefined)
    return invalidField('reference', `is already used by ${named.id}; send another one`);
  const same = others.find(
    (other) => other.isni !== null && other.isni === isni && other.mergedInto === null,
  );
  if (same === undefined) return undefined;
  return invalidField('isni', `is already the ISNI of ${same.id}; use that artist, or merge them`);
}

export function refuseMerged({ id, mergedInto }: RegisteredArtist): Refusal | undefined {
  if (mergedInto === null) return undefined;
  return {
    code: 'invalid_state',
    message: `${id} was merged into ${mergedInto}. Use ${mergedInto} instead.`,
  };
}

/** Undefined: `into` names no artist of the organization. */
export function refuseMerge(
  artist: RegisteredArtist,
  into: RegisteredArtist | undefined,
): Refusal | undefined {
  if (into === undefined)
    return invalidField('into', 'must be the id of an artist of yours; GET /v1/artists lists them');
  if (into.id === artist.id) return invalidField('into', 'must be the id of another artist');
  return refuseMerged(artist) ?? refuseMerged(into) ?? refuseContradiction(artist, into);
}

/** Two ISNIs, or two pages at one store, are two artists: a merge would lose one of them. */
function refuseContradiction(
  artist: RegisteredArtist,
  into: RegisteredArtist,
): Refusal | undefined {
  const differing = [
    ...differingKeys({ isni: artist.isni, ipi: artist.ipi }, { isni: into.isni, ipi: into.ipi }),
    ...differingKeys(artist.localizedNames, into.localizedNames).map(
      (language) => `localized_names.${language}`,
    ),
    ...differingKeys(pagesOf(artist), pagesOf(into)).map((storeId) => `store_profiles.${storeId}`),
  ];
  const [first] = differing;
  if (first === undefined) return undefined;
  return {
    code: 'invalid_state',
    message: `${artist.id} and ${into.id} have different values of ${differing.join(', ')}. Correct one of the two artists, then merge them.`,
    details: differing.map((field) => ({
      field,
      issue: 'is different in the two artists; correct one of them',
    })),
  };
}

type Values = Readonly<Record<string, string | null>>;

const differingKeys = (one: Values, two: Values): string[] =>
  Object.keys(one).filter((key) => {
    const [value, other] = [one[key] ?? null, two[key] ?? null];
    return value !== null && other !== null && value !== other;
  });

/** Only the pages that exist: `new` contradicts none. */
const pagesOf = ({ storeProfiles }: ArtistContent): Pairs =>
  Object.fromEntries(Object.entries(storeProfiles).filter(([, profile]) => profile !== newProfile));

/** The artist that remains, with what only the merged one had. `refuseMerge` has found no contradiction. */
export const withMerged = (
  into: RegisteredArtist,
  artist: RegisteredArtist,
  now: Date,
): RegisteredArtist => ({
  ...into,
  isni: into.isni ?? artist.isni,
  ipi: into.ipi ?? artist.ipi,
  localizedNames: { ...artist.localizedNames, ...into.localizedNames },
  storeProfiles: { ...artist.storeProfiles, ...into.storeProfiles, ...pagesOf(artist) },
  updatedAt: nextUpdatedAt(into, now),
});

export const asMergedInto = (
  artist: RegisteredArtist,
  into: ArtistId,
  now: Date,
): RegisteredArtist => ({ ...artist, mergedInto: into, updatedAt: nextUpdatedAt(artist, now) });

export function refuseUsedArtist(releaseId: string | undefined): Refusal | undefined {
  if (releaseId === undefined) return undefined;
  return {
    code: 'invalid_state',
    message: `The artist is named by ${releaseId} or one of its tracks. Change its artists first, or merge this artist into another one.`,
  };
}

/** The same message for an unknown id, a malformed id and an id of another organization (contract §5). */
export const artistNotFound = (): Problem =>
  new Problem('resource_not_found', 'No artist of your organization has this id.');
