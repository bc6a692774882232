/**
 * From a snapshot of a release and its deal at a store to the message that tells the store. The message says everything,
 * because it replaces what the store knew. release-places.ts and track-places.ts name where each
 * value went: change them together.
 */

import {
  type CompilationKind,
  type Genre,
  type LocalizedTitle,
  type MessageHeader,
  type NewReleaseMessage,
  type ParentalWarning,
  type PurgeReleaseMessage,
  type Release as ErnRelease,
  type RightsLine,
  type Title,
  type Track as ErnTrack,
  takeDown,
} from '@tonearm/ern';
import { byArtistId, type Snapshot } from '../../../catalog/face.ts';
import { productCodeOf } from '../../../kernel/product-code.ts';
import { genreAtStore, type Store } from '../../../network/face.ts';
import { type Deal, isLeftOutTrack } from '../../domain/deal.ts';
import type { Dialect } from './dialect.ts';
import { type DealContext, releaseDeals, trackDeals, visibilityOf } from './to-deals.ts';
import { type Files, type MessageAsset, toAudioFile, toCoverFile } from './to-files.ts';
import {
  displayNameOf,
  type PartyContext,
  toAiUse,
  toContributors,
  toDisplayArtist,
  toDisplayComposers,
} from './to-parties.ts';
import { withoutNulls } from './without-nulls.ts';

type Release = Snapshot['release'];
type Track = Snapshot['tracks'][number];

type MessageEnvelope = {
  readonly messageId: string;
  /** Ties the messages about one delivery together. */
  readonly threadId: string;
  readonly createdAt: Date;
};

export type MessageContext = {
  readonly snapshot: Snapshot;
  readonly deal: Deal;
  readonly store: Pick<Store, 'storeId' | 'rulePack' | 'genres' | 'capabilities'>;
  readonly dialect: Dialect;
  readonly envelope: MessageEnvelope;
  readonly files: Files;
};

/** The release without deals, or with deals that have ended, as the store expects it. */
export const toTakedownMessage = (context: MessageContext): NewReleaseMessage =>
  takeDown(
    toNewReleaseMessage(context),
    context.envelope.createdAt,
    context.store.capabilities.takedownMethod,
  );

/** Names the release as every message about it did. */
export function toPurgeMessage(context: MessageContext): PurgeReleaseMessage {
  const { header, language, release } = toNewReleaseMessage(context);
  return { kind: 'purge_release', header, language, ids: release.ids, title: release.title };
}

export function toNewReleaseMessage(context: MessageContext): NewReleaseMessage {
  const { snapshot, dialect, store } = context;
  const { release, assets } = snapshot;
  const offered = offeredTracks(context);
  const build: Build = {
    context,
    parties: {
      storeId: store.storeId,
      artistIdNamespace: dialect.artistIdNamespace,
      artists: byArtistId(snapshot.artists),
    },
    assets: new Map(assets.map((asset) => [asset.id, asset])),
    deals: { release, dialect, takesPreOrders: store.capabilities.preOrder },
  };
  return {
    kind: 'new_release',
    header: toHeader(context),
    language: release.metadataLanguage,
    profile: 'Audio',
    ...(offered.length > 0 &&
      offered.every((track) => isClassical(track, release)) && { profileVariant: 'Classical' }),
    release: toErnRelease(build),
    tracks: offered.map((track) => toErnTrack(track, build)),
  };
}

type Build = {
  readonly context: MessageContext;
  readonly parties: PartyContext;
  readonly assets: ReadonlyMap<string, MessageAsset>;
  readonly deals: DealContext;
};

/** A track without rights at the store is not part of the message. */
export function offeredTracks({ snapshot, deal }: Pick<MessageContext, 'snapshot' | 'deal'>) {
  const leftOut = new Set(deal.tracks.filter(isLeftOutTrack).map(({ trackId }) => trackId));
  return snapshot.tracks.filter(({ id }) => !leftOut.has(id));
}

const toHeader = ({ dialect, envelope }: MessageContext): MessageHeader => ({
  threadId: envelope.threadId,
  messageId: envelope.messageId,
  sender: dialect.sender,
  recipients: dialect.recipients,
  createdAt: envelope.createdAt.toISOString().replace(/\.\d+/, ''),
  control: dialect.isTest ? 'TestMessage' : 'LiveMessage',
});

function toErnRelease(build: Build): ErnRelease {
  const { context, parties, assets, deals } = build;
  const { snapshot, dialect, store, deal } = context;
  const { release } = snapshot;
  const cover = assets.get(release.artworkAssetId ?? '');
  const offered = releaseDeals(deal, deals);
  return withoutNulls<ErnRelease>({
    ids: withoutNulls<ErnRelease['ids']>({
      icpn: productCodeOf(release),
      catalogNumber: release.catalogNumber === null ? null : ownId(dialect, release.catalogNumber),
      proprietaryIds: [ownId(dialect, release.id)],
    }),
    type: dialect.releaseTypes[release.type ?? typeByTracks(snapshot)],
    title: toTitle(release),
    localizedTitles: toLocalizedTitles(release),
    displayArtistName: displayNameOf(release.artists),
    artists: release.artists.map((entry) => toDisplayArtist(entry, parties)),
    label: { name: release.label },
    pLine: toRightsLine(release.pLine),
    cLine: toRightsLine(release.cLine),
    durationMs: offeredTracks(context).reduce((sum, track) => sum + (track.durationMs ?? 0), 0),
    genre: toGenre(release, store),
    releaseDate: release.releaseDate,
    originalReleaseDate: release.originalReleaseDate,
    parentalWarning: toParentalWarning(release.explicit),
    compilation: release.type === 'compilation' ? compilationKindOf(context) : null,
    cover: cover && toCover(cover, build),
    deals: offered,
    visibility: visibilityOf(offered),
  });
}

function toCover(asset: MessageAsset, { context }: Build): ErnRelease['cover'] {
  const { release } = context.snapshot;
  return {
    proprietaryIds: [ownId(context.dialect, asset.id)],
    ...withoutNulls<Pick<NonNullable<ErnRelease['cover']>, 'aiUse'>>({
      aiUse: toAiUse(release.aiUse?.artwork),
    }),
    ...toCoverFile(asset, context),
  };
}

function toErnTrack(track: Track, build: Build): ErnTrack {
  const { context, parties } = build;
  const { release } = context.snapshot;
  const contributors = toContributors(track, parties);
  const sung = sungLanguageOf(track, release);
  return withoutNulls<ErnTrack>({
    disc: track.disc,
    number: track.position,
    editions: [toEdition(track, build)],
    iswc: track.iswc,
    title: toTitle(track),
    localizedTitles: toLocalizedTitles(track),
    displayArtistName: displayNameOf(track.artists),
    artists: [
      ...track.artists.map((entry) => toDisplayArtist(entry, parties)),
      ...(isClassical(track, release) ? toDisplayComposers(track, parties) : []),
    ],
    contributors: contributors.length === 0 ? null : contributors,
    rightsControllers: rightsIn(track, context).useTypes.includes('ugc')
      ? [{ party: { name: release.label }, share: wholeShare }]
      : null,
    durationMs: track.durationMs ?? 0,
    firstPublicationDate: track.originalReleaseDate,
    recordingCountry: track.recordingCountry,
    parentalWarning: toParentalWarning(track.explicit ?? release.explicit),
    aiUse: toAiUse(track.aiUse?.recording),
    isCover: isCoverOf(track),
    isInstrumental: sung === notSung ? true : null,
    languageOfPerformance: sung === notSung ? null : sung,
    isClassical: isClassical(track, release) ? true : null,
    isInstantGratification: track.instantGratification === true ? true : null,
    trackRelease: toTrackRelease(track, build),
  });
}

/** Per cent. A track is offered for videos of users if all rights in the recording are the label's own. */
const wholeShare = 100;

const rightsIn = (track: Track, { deal }: Pick<MessageContext, 'deal'>) =>
  deal.tracks.find(({ trackId }) => trackId === track.id) ?? deal;

const isClassical = (track: Track, release: Release): boolean =>
  (track.genre ?? release.genre) === 'Classical';

function toEdition(track: Track, { context, assets }: Build): ErnTrack['editions'][number] {
  const { release } = context.snapshot;
  const audio = assets.get(track.audioAssetId ?? '');
  return withoutNulls<ErnTrack['editions'][number]>({
    isrc: track.isrc,
    pLine: toRightsLine(track.pLine ?? release.pLine),
    audio: audio && toAudioFile(audio, context),
    preview: track.previewStartMs === null ? null : { startMs: track.previewStartMs },
  });
}

function toTrackRelease(track: Track, { context, deals }: Build): ErnTrack['trackRelease'] {
  const { snapshot, dialect, store } = context;
  const { release } = snapshot;
  const genre = track.genre === null ? { ...release, subgenre: subgenreOf(track, release) } : track;
  return {
    ids: { proprietaryIds: [ownId(dialect, `${productCodeOf(release)}_${track.isrc}`)] },
    genre: toGenre(genre, store),
    deals: trackDeals(rightsIn(track, context), deals, track),
  };
}

/** A subgenre belongs to a genre: that of the release only counts with its genre. */
const subgenreOf = (track: Track, release: Release): string | null =>
  track.subgenre ?? release.subgenre;

const ownId = ({ sender }: Dialect, value: string) => ({ namespace: sender.dpid, value });

/** For stores that decide by the tracks, as they do: up to 3 are a single, up to 6 an EP. */
function typeByTracks({ tracks }: Snapshot): 'single' | 'ep' | 'album' {
  if (tracks.length <= 3) return 'single';
  return tracks.length <= 6 ? 'ep' : 'album';
}

const toTitle = ({ title, version }: Pick<Release, 'title' | 'version'>): Title =>
  withoutNulls<Title>({ text: title, version });

function toLocalizedTitles({
  localizedTitles,
}: Pick<Release, 'localizedTitles'>): readonly LocalizedTitle[] | null {
  if (localizedTitles === null) return null;
  return Object.entries(localizedTitles)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([language, titles]) => ({ language, ...toTitle(titles) }));
}

/** Whether all tracks are by the same main artists. */
function compilationKindOf(context: MessageContext): CompilationKind {
  const artists = offeredTracks(context).map((track) =>
    JSON.stringify(
      track.artists
        .filter(({ role }) => role === 'main')
        .map(({ artistId, name }) => artistId ?? name)
        .toSorted(),
    ),
  );
  return new Set(artists).size === 1 ? 'SingleArtist' : 'MultiArtist';
}

/** `2026 Northern Lights`: the year and the owner, also after a sign. */
const toRightsLine = (text: string | null): RightsLine | null => {
  if (text === null) return null;
  const [, year] = /^(?:[℗©]|\([PC]\))?\s*(\d{4})\b/i.exec(text) ?? [];
  return year === undefined ? { text } : { year: Number(year), text };
};

const toGenre = (
  { genre, subgenre }: Pick<Release, 'genre' | 'subgenre'>,
  store: Pick<Store, 'rulePack' | 'genres'>,
): Genre => withoutNulls<Genre>({ text: genreAtStore(store, genre ?? ''), subgenre });

const parentalWarnings = {
  explicit: 'Explicit',
  clean: 'ExplicitContentEdited',
  none: 'NotExplicit',
} as const;

const toParentalWarning = (explicit: Release['explicit']): ParentalWarning =>
  explicit === null ? 'NoAdviceAvailable' : parentalWarnings[explicit];

const isCoverOf = ({ composition }: Track): boolean | null =>
  composition === null || composition === 'public_domain' ? null : composition === 'cover';

/** The BCP 47 tag of a text without language. */
const notSung = 'zxx';

const sungLanguageOf = (track: Track, release: Release): string | null =>
  track.lyricsLanguage ?? track.language ?? release.language;
