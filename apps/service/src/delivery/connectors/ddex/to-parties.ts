/** Artists and contributors as parties of a message, with the ids by which the store finds their pages. */

import type {
  AiUse,
  Contributor as ErnContributor,
  DisplayArtist,
  LocalizedText,
  Party,
} from '@tonearm/ern';
import {
  type Contributor,
  type Credit,
  creditOf,
  ddexInstrumentOf,
  ddexRoleOf,
  isWriterRole,
  newProfile,
  type Snapshot,
} from '../../../catalog/face.ts';
import { withoutNulls } from './without-nulls.ts';

type Entry = Snapshot['release']['artists'][number];
type Track = Snapshot['tracks'][number];

export type PartyContext = {
  readonly storeId: string;
  readonly artistIdNamespace: string | null;
  readonly artists: Parameters<typeof creditOf>[1];
};

/** An IPI name number in a message has eleven digits. */
const ipiDigits = 11;

const displayRoles = { main: 'MainArtist', featured: 'FeaturedArtist', remixer: 'Artist' } as const;

export function toDisplayArtist(entry: Entry, context: PartyContext): DisplayArtist {
  return {
    party: toParty(creditOf(entry, context.artists), context),
    role: displayRoles[entry.role],
    ...(entry.role === 'remixer' && { artisticRoles: ['Remixer'] }),
  };
}

/** Shown beside the performers of classical music. */
export const toDisplayComposers = (
  { contributors, artists }: Pick<Track, 'contributors' | 'artists'>,
  context: PartyContext,
): readonly DisplayArtist[] =>
  contributors
    .filter(
      ({ roles, name, artistId }) =>
        roles.includes('composer') &&
        !artists.some(
          (each) => each.name === name || (artistId !== undefined && each.artistId === artistId),
        ),
    )
    .map((contributor) => ({
      party: toParty(contributorCredit(contributor, context), context),
      role: 'Composer',
    }));

const toParty = (credit: Credit, { storeId, artistIdNamespace }: PartyContext): Party => {
  const profile = credit.storeProfiles?.[storeId];
  const isKnown = profile !== undefined && profile !== newProfile && artistIdNamespace !== null;
  return withoutNulls<Party>({
    name: credit.name,
    localizedNames: localizedNamesOf(credit),
    isni: credit.isni,
    ipi: credit.ipi?.padStart(ipiDigits, '0'),
    proprietaryIds: isKnown ? [{ namespace: artistIdNamespace, value: profile }] : null,
  });
};

function localizedNamesOf({ localizedNames = {} }: Credit): readonly LocalizedText[] | null {
  const names = Object.entries(localizedNames)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([language, text]) => ({ language, text }));
  return names.length === 0 ? null : names;
}

/** One line as stores show it: `Ada & Bob feat. Cyd`. */
export function displayNameOf(artists: readonly Entry[]): string {
  const namesOf = (role: Entry['role']) =>
    joined(artists.filter((entry) => entry.role === role).map(({ name }) => name));
  const featured = namesOf('featured');
  return featured === '' ? namesOf('main') : `${namesOf('main')} feat. ${featured}`;
}

const joined = (names: readonly string[]): string =>
  names.length < 2
    ? names.join('')
    : `${names.slice(0, -1).join(', ')} & ${names[names.length - 1]}`;

export const toContributors = (
  track: Pick<Track, 'contributors' | 'aiUse'>,
  context: PartyContext,
): readonly ErnContributor[] =>
  creditedRolesOf(track).map(({ contributor, roles, aiUse }) =>
    withoutNulls<ErnContributor>({
      party: toParty(contributorCredit(contributor, context), context),
      roles: roles.map(ddexRoleOf),
      instruments: aiUse === null ? contributor.instruments?.map(ddexInstrumentOf) : null,
      aiUse,
    }),
  );

/** A contributor's own IPI comes first. */
function contributorCredit(
  { artistId, name, ipi }: Contributor,
  { artists }: PartyContext,
): Credit {
  const credit = creditOf({ artistId, name, role: 'main' }, artists);
  return ipi === undefined ? credit : { ...credit, ipi };
}

/** An entry of the message. `index`: of the contributor in the track. */
type CreditedRoles = {
  readonly index: number;
  readonly contributor: Contributor;
  readonly roles: Contributor['roles'];
  /** Of the composition. */
  readonly aiUse: AiUse | null;
};

/** AI in a composition is declared on its writers, so a writer who also performs has two entries. */
export function creditedRolesOf({
  contributors,
  aiUse,
}: Pick<Track, 'contributors' | 'aiUse'>): readonly CreditedRoles[] {
  const composition = toAiUse(aiUse?.composition);
  return contributors.flatMap((contributor, index): CreditedRoles[] => {
    const { roles } = contributor;
    const all = { index, contributor, roles, aiUse: null };
    if (composition === null) return [all];
    const written = roles.filter(isWriterRole);
    const others = roles.filter((role) => !isWriterRole(role));
    return [
      ...(written.length > 0 ? [{ ...all, roles: written, aiUse: composition }] : []),
      ...(others.length > 0 ? [{ ...all, roles: others }] : []),
    ];
  });
}

const aiUses = { none: 'None', partly: 'Partly', all: 'All' } as const;

/** Null: not declared. */
export const toAiUse = (use: keyof typeof aiUses | null | undefined): AiUse | null =>
  use === null || use === undefined ? null : aiUses[use];
