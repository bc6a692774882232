/** Where each field of a track is in the message. Every field has a line: a new one does not compile without it. */

import type { NewReleaseMessage } from '@tonearm/ern';
import type { presentTrack, Snapshot } from '../../../catalog/face.ts';
import {
  artistPlace,
  at,
  atOr,
  behindCredit,
  dealFieldPlaces,
  localizedTitlePlace,
  never,
  type Place,
  type PlaceOf,
  reasons,
  useTypePlace,
} from './place.ts';
import { creditedRolesOf } from './to-parties.ts';

type Track = Snapshot['tracks'][number];
type TrackField = keyof ReturnType<typeof presentTrack>;
type SentTrack = NewReleaseMessage['tracks'][number];

export type TrackInMessage = {
  readonly track: Track;
  /** Undefined: the store is not offered the track. */
  readonly sent: SentTrack | undefined;
  /** Of the sent track. */
  readonly index: number;
  readonly storeId: string;
};

export function trackPlaces({
  track,
  sent,
  index,
  storeId,
}: TrackInMessage): Readonly<Record<TrackField, PlaceOf>> {
  const base = `/tracks/${index}`;
  const edition = `${base}/editions/0`;
  const sold = `${base}/trackRelease`;
  const deals = sent?.trackRelease?.deals ?? [];
  const ofService = never(reasons.ofService);
  const dealPlace = at(`${sold}/deals`);
  const sung = at(`${base}/languageOfPerformance`, `${base}/isInstrumental`);
  return {
    id: ofService,
    reference: never(reasons.ownNotes),
    metadata: never(reasons.ownNotes),
    release_id: ofService,
    title: at(`${base}/title/text`),
    version: at(`${base}/title/version`),
    artists: ([i = '', ...tail]) =>
      artistPlace(track.artists[Number(i)] ?? {}, `${base}/artists/${i}`, storeId)(tail),
    contributors: contributorPlace(track, base),
    isrc: at(`${edition}/isrc`),
    audio_asset_id: at(`${edition}/audio/file`),
    territory: dealPlace,
    excluded_territories: dealPlace,
    use_types: useTypePlace(sold, deals, track.useTypes ?? []),
    disc: at(`${base}/disc`),
    position: at(`${base}/number`),
    duration_ms: at(`${base}/durationMs`),
    preview_start_ms: at(`${edition}/preview/startMs`),
    genre: at(`${sold}/genre/text`),
    subgenre: at(`${sold}/genre/subgenre`),
    language:
      track.lyricsLanguage === null ? sung : never('The store gets lyrics_language instead.'),
    lyrics_language: sung,
    p_line: at(`${edition}/pLine`),
    explicit: at(`${base}/parentalWarning`),
    ai_use: ([part]) => (part === 'recording' ? at(`${base}/aiUse`)([]) : composedByAi(sent, base)),
    original_release_date: at(`${base}/firstPublicationDate`),
    iswc: at(`${base}/iswc`),
    recording_country: at(`${base}/recordingCountry`),
    composition: atOr('ERN says only whether a recording is a cover.', `${base}/isCover`),
    samples: never(reasons.noElement),
    mechanical_licence: never(reasons.noElement),
    instant_gratification: at(`${base}/isInstantGratification`),
    ugc_policy: atOr(reasons.noUserContent, ...dealFieldPlaces(sold, deals, 'rightsClaimPolicy')),
    localized_titles: localizedTitlePlace(base, track.localizedTitles),
    created_at: ofService,
    updated_at: ofService,
  };
}

const composedByAi = (sent: SentTrack | undefined, base: string): Place => ({
  at: (sent?.contributors ?? []).map((_, i) => `${base}/contributors/${i}/aiUse`),
  otherwise: 'ERN declares it on the writers, and the track credits none.',
});

/** A contributor is one entry of the message or two (`to-parties.ts`). */
function contributorPlace(track: Track, base: string): PlaceOf {
  const entries = creditedRolesOf(track).map((credited, i) => ({
    ...credited,
    pointer: `${base}/contributors/${i}`,
  }));
  return ([index = '', field, item]) => {
    const contributor = track.contributors[Number(index)];
    const own = entries.filter((entry) => entry.index === Number(index));
    const pointers = own.map(({ pointer }) => pointer);
    switch (field) {
      case 'name':
      case 'ipi':
        return at(...pointers.map((pointer) => `${pointer}/party/${field}`))([]);
      case 'roles': {
        const role = contributor?.roles[Number(item)];
        return at(
          ...own.flatMap(({ roles, pointer }) =>
            role !== undefined && roles.includes(role)
              ? [`${pointer}/roles/${roles.indexOf(role)}`]
              : [],
          ),
        )([]);
      }
      case 'instruments':
        return atOr(
          'ERN names instruments of performers only.',
          ...pointers.map((pointer) => `${pointer}/instruments/${item}`),
        )([]);
      default: {
        const adds = { isni: true, ipi: contributor?.ipi === undefined, proprietaryIds: true };
        const places = pointers.map((pointer) => behindCredit(pointer, adds));
        return {
          at: places.flatMap((place) => place.at),
          otherwise: places[0]?.otherwise ?? reasons.ofService,
        };
      }
    }
  };
}
