/**
 * A NewReleaseMessage as the bodies that the API would take for the same release, so that they are checked and stored
 * by the same rules. A message replaces everything: what it leaves out is null. What ERN cannot say is absent, and stays
 * as it is.
 */

import type {
  Contributor,
  Deal,
  DisplayArtist,
  LocalizedTitle,
  NewReleaseMessage,
  Party,
  RightsLine,
  Track,
} from '@tonearm/ern';
import {
  aiUseOf,
  explicitOf,
  instrumentOf,
  releaseTypeOf,
  roleOf,
  ugcPolicyOf,
} from './ern-words.ts';
import { type DealRights, rightsOfDeals, territoryFieldsOf } from './rights-of-deals.ts';

type Body = Readonly<Record<string, unknown>>;

export type ErnBodies = {
  readonly release: Body;
  readonly tracks: readonly { readonly body: Body; readonly fileUri: string | undefined }[];
  readonly coverUri: string | undefined;
  /** Whether deals were narrowed, because a release has one list of territories and one start. */
  readonly isNarrowed: boolean;
  /** Roles and instruments that are none of ours. */
  readonly unknownWords: readonly string[];
};

/** Undefined: the message offers nothing. */
export function toBodies(message: NewReleaseMessage, now: Date): ErnBodies | undefined {
  const { release, tracks } = message;
  const offered = [release.deals, ...tracks.map(({ trackRelease }) => trackRelease?.deals ?? [])];
  const rights = rightsOfDeals(release.deals, now) ?? rightsOfDeals(offered.flat(), now);
  if (rights === undefined) return undefined;
  return {
    release: { ...releaseBody(message), ...offerFields(message, rights) },
    tracks: tracks.map((track) => ({
      body: { ...trackBody(track), ...trackRights(track, rights, now) },
      fileUri: track.editions[0]?.audio?.file?.uri,
    })),
    coverUri: release.cover?.file?.uri,
    isNarrowed: rights.isNarrowed,
    unknownWords: tracks.flatMap(({ contributors = [] }) =>
      contributors.flatMap(({ roles, instruments = [] }) => [
        ...roles.filter((role) => roleOf(role) === undefined),
        ...instruments.filter((instrument) => instrumentOf(instrument) === undefined),
      ]),
    ),
  };
}

const releaseBody = ({ release, language }: NewReleaseMessage): Body => ({
  ...titleFields(release),
  artists: artistsOf(release.artists),
  label: release.label.name,
  metadata_language: language,
  original_release_date: fullDate(release.originalReleaseDate),
  genre: release.genre.text,
  subgenre: release.genre.subgenre ?? null,
  p_line: lineOf(release.pLine),
  c_line: lineOf(release.cLine),
  explicit: explicitOf(release.parentalWarning),
  type: releaseTypeOf(release.type, release.compilation !== undefined),
  catalog_number: release.ids.catalogNumber?.value ?? null,
  ai_use: release.cover?.aiUse === undefined ? null : { artwork: aiUseOf(release.cover.aiUse) },
});

/** Where, how and when stores may offer the release. An instant is `release_at`; anything else is a local day. */
function offerFields({ release }: NewReleaseMessage, rights: DealRights): Body {
  const { territories, excluded } = territoryFieldsOf(rights.territories);
  const isInstant = /T.*(Z|[+-]\d{2}:\d{2})$/.test(rights.start);
  const startDay = rights.start.slice(0, 10);
  const releaseDate = isInstant ? (fullDate(release.releaseDate) ?? startDay) : startDay;
  const preOrder = release.deals.find((deal) => deal.isPreOrder)?.period.start.slice(0, 10);
  return {
    territories,
    excluded_territories: excluded,
    use_types: rights.useTypes,
    release_date: releaseDate,
    release_at: isInstant ? rights.start : null,
    pre_order_date: preOrder !== undefined && preOrder < releaseDate ? preOrder : null,
  };
}

function trackBody(track: Track): Body {
  const [edition] = track.editions;
  const { contributors = [] } = track;
  const composition = contributors.find(({ aiUse }) => aiUse !== undefined)?.aiUse;
  return {
    ...titleFields(track),
    artists: artistsOf(track.artists),
    contributors: mergedContributors([...contributors, ...composersOf(track.artists)]),
    ...(edition?.isrc !== undefined && { isrc: edition.isrc }),
    disc: track.disc,
    position: track.number,
    explicit: explicitOf(track.parentalWarning),
    lyrics_language: track.isInstrumental === true ? 'zxx' : (track.languageOfPerformance ?? null),
    p_line: lineOf(edition?.pLine),
    genre: track.trackRelease?.genre.text ?? null,
    subgenre: track.trackRelease?.genre.subgenre ?? null,
    original_release_date: fullDate(track.firstPublicationDate),
    iswc: track.iswc ?? null,
    recording_country: track.recordingCountry ?? null,
    composition: track.isCover === undefined ? null : track.isCover ? 'cover' : 'original',
    ai_use:
      track.aiUse === undefined && composition === undefined
        ? null
        : { recording: aiUseOf(track.aiUse), composition: aiUseOf(composition) },
    preview_start_ms: edition?.preview?.startMs ?? null,
    ugc_policy: ugcPolicyOf(policyOf(track.trackRelease?.deals ?? [])),
    instant_gratification: track.isInstantGratification ?? null,
  };
}

const policyOf = (deals: readonly Deal[]) =>
  deals.find(({ rightsClaimPolicy }) => rightsClaimPolicy !== undefined)?.rightsClaimPolicy;

/** Null where they are those of the release. A track without a deal is withdrawn. */
function trackRights({ trackRelease }: Track, ofRelease: DealRights, now: Date): Body {
  if (trackRelease === undefined) return sameAsRelease;
  const own = rightsOfDeals(trackRelease.deals, now);
  const uses = ofRelease.useTypes.filter((use) => own?.useTypes.includes(use) ?? false);
  const set = ofRelease.territories & (own?.territories ?? 0n);
  if (uses.length === 0 || set === 0n) return { ...sameAsRelease, use_types: [] };
  const { territories, excluded } = territoryFieldsOf(set);
  const isSamePlace = set === ofRelease.territories;
  return {
    territory: isSamePlace ? null : territories,
    excluded_territories: isSamePlace ? null : excluded,
    use_types: uses.length === ofRelease.useTypes.length ? null : uses,
  };
}

const sameAsRelease = { territory: null, excluded_territories: null, use_types: null };

type Titled = {
  readonly title: Track['title'];
  readonly localizedTitles?: readonly LocalizedTitle[];
};

const titleFields = ({ title, localizedTitles }: Titled): Body => ({
  title: title.text,
  version: title.version ?? null,
  localized_titles:
    localizedTitles === undefined
      ? null
      : Object.fromEntries(
          localizedTitles.map(({ language, text, version = null }) => [
            language,
            { title: text, version },
          ]),
        ),
});

const isComposer = ({ role }: DisplayArtist): boolean => role === 'Composer';

/** A composer who is shown beside the performers of classical music is one of our contributors. */
function artistsOf(artists: readonly DisplayArtist[]): readonly Body[] {
  const shown = artists.every(isComposer) ? artists : artists.filter((each) => !isComposer(each));
  return shown.map(({ party, role, artisticRoles = [] }) => ({
    ...partyFields(party),
    role: artisticRoles.includes('Remixer') ? 'remixer' : displayRoleOf(role),
  }));
}

const composersOf = (artists: readonly DisplayArtist[]): readonly Contributor[] =>
  artists.filter(isComposer).map(({ party }) => ({ party, roles: ['Composer'] }));

const displayRoleOf = (role: DisplayArtist['role']): string =>
  role === 'FeaturedArtist' ? 'featured' : 'main';

const partyFields = ({ name, isni }: Party): Body => ({
  name,
  ...(isni !== undefined && { isni }),
});

/** A writer who also performs may be two contributors of the message, and is one of ours. */
function mergedContributors(contributors: readonly Contributor[]): readonly Body[] {
  // Thousands of contributors may refer to one party.
  const keys = new Map(
    [...new Set(contributors.map(({ party }) => party))].map((party) => [
      party,
      JSON.stringify(party),
    ]),
  );
  const groups = Map.groupBy(contributors, ({ party }) => keys.get(party));
  return [...groups.values()].flatMap((group) => {
    const roles = group.flatMap((each) => each.roles.flatMap((role) => roleOf(role) ?? []));
    const played = group.flatMap((each) =>
      (each.instruments ?? []).flatMap((instrument) => instrumentOf(instrument) ?? []),
    );
    const { name = '', ipi } = group[0]?.party ?? {};
    if (roles.length === 0) return [];
    return [
      {
        name,
        roles: [...new Set(roles)],
        ...(played.length > 0 && { instruments: [...new Set(played)] }),
        ...(ipi !== undefined && { ipi }),
      },
    ];
  });
}

/** Without the sign, and with the year, as stores show it. */
function lineOf(line: RightsLine | undefined): string | null {
  if (line === undefined) return null;
  const text = line.text.replace(/^(?:\([PpCc]\)|℗|©)\s*/, '');
  return line.year === undefined || text.startsWith(String(line.year))
    ? text
    : `${line.year} ${text}`;
}

const fullDate = (date: string | undefined): string | null =>
  date !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(date) ? date : null;
