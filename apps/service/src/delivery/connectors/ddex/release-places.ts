/** Where each field of a release is in the message. Every field has a line: a new one does not compile without it. */

import type { NewReleaseMessage } from '@tonearm/ern';
import type { presentRelease } from '../../../catalog/face.ts';
import {
  artistPlace,
  at,
  atOr,
  dealFieldPlaces,
  localizedTitlePlace,
  never,
  type PlaceOf,
  reasons,
  useTypePlace,
} from './place.ts';
import { type MessageContext, offeredTracks } from './to-message.ts';

type ReleaseField = keyof ReturnType<typeof presentRelease>;

export function releasePlaces(
  context: MessageContext,
  { release: sent }: NewReleaseMessage,
): Readonly<Record<ReleaseField, PlaceOf>> {
  const { snapshot, store } = context;
  const { release } = snapshot;
  const dealPlace = at('/release/deals');
  const ofService = never(reasons.ofService);
  return {
    id: at('/release/ids/proprietaryIds'),
    reference: never(reasons.ownNotes),
    metadata: never(reasons.ownNotes),
    title: at('/release/title/text'),
    version: at('/release/title/version'),
    artists: ([index = '', ...tail]) => {
      const entry = release.artists[Number(index)] ?? {};
      return artistPlace(entry, `/release/artists/${index}`, store.storeId)(tail);
    },
    release_date: at('/release/releaseDate'),
    release_at: dealPlace,
    pre_order_date: atOr(
      reasons.noPreOrder,
      ...dealFieldPlaces('/release', sent.deals, 'isPreOrder'),
    ),
    original_release_date: at('/release/originalReleaseDate'),
    label: at('/release/label/name'),
    label_id: ofService,
    metadata_language: at('/language'),
    upc: release.ean === null ? at('/release/ids/icpn') : never('The store gets the EAN instead.'),
    ean: at('/release/ids/icpn'),
    territories: dealPlace,
    excluded_territories: dealPlace,
    use_types: useTypePlace('/release', sent.deals, release.useTypes ?? []),
    status: ofService,
    genre: at('/release/genre/text'),
    subgenre: at('/release/genre/subgenre'),
    language: languagePlace(context),
    p_line: at('/release/pLine'),
    c_line: at('/release/cLine'),
    explicit: at('/release/parentalWarning'),
    type: at('/release/type'),
    catalog_number: at('/release/ids/catalogNumber'),
    ai_use: atOr(reasons.noArtwork, '/release/cover/aiUse'),
    price_tier: atOr(reasons.noPriceClass, ...dealFieldPlaces('/release', sent.deals, 'priceCode')),
    localized_titles: localizedTitlePlace('/release', release.localizedTitles),
    artwork_asset_id: atOr(reasons.noArtwork, '/release/cover/file'),
    track_count: ofService,
    submission: ofService,
    revision: ofService,
    created_at: ofService,
    updated_at: ofService,
  };
}

/** Of the tracks that have no language of their own. */
function languagePlace(context: MessageContext): PlaceOf {
  const inheriting = offeredTracks(context).flatMap((track, i) =>
    track.lyricsLanguage === null && track.language === null
      ? [`/tracks/${i}/languageOfPerformance`, `/tracks/${i}/isInstrumental`]
      : [],
  );
  return atOr('Each track has a language of its own.', ...inheriting);
}
