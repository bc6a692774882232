/** Where a value of a release, as the API shows it, is in the model of the message. */

import type { Deal as ErnDeal } from '@tonearm/ern';
import { newProfile, type Snapshot } from '../../../catalog/face.ts';
import type { UseType } from '../../../kernel/use-type.ts';
import { commercialModelOf } from './to-deals.ts';

/**
 * `at`: JSON pointers into the model; the value is sent if the message carries one of them. `otherwise`: why not, if the
 * builder of the message does not know of it either, because the mapping left the value out.
 */
export type Place = { readonly at: readonly string[]; readonly otherwise: string };

/** The value of a field, or one inside it: `tail` are the steps from the field to the value. */
export type PlaceOf = (tail: readonly string[]) => Place;

type Entry = Snapshot['release']['artists'][number];

export const at =
  (...pointers: readonly string[]): PlaceOf =>
  () => ({ at: pointers, otherwise: notInMessage });

export const atOr =
  (otherwise: string, ...pointers: readonly string[]): PlaceOf =>
  () => ({ at: pointers, otherwise });

export const never = (reason: string): PlaceOf => atOr(reason);

const notInMessage = 'The message to this store does not carry it.';

/** Reasons that several fields share. */
export const reasons = {
  ofService: 'It is a value of this service that stores do not need.',
  ownNotes: 'It is a note of your own, which stores are never shown.',
  noElement: 'ERN has no element for it.',
  noArtwork: 'The release has no artwork.',
  noUserContent: 'The store is not offered the release for videos of users.',
  noPriceClass: 'The store does not sell the release as a download, or has no price classes.',
  noPreOrder: 'The store does not take pre-orders of this release.',
  otherStore: 'It is for another store.',
} as const;

export const localizedTitlePlace =
  (base: string, titles: Snapshot['release']['localizedTitles']): PlaceOf =>
  ([language = '', field]) => {
    const index = Object.keys(titles ?? {})
      .toSorted()
      .indexOf(language);
    const name = field === 'title' ? 'text' : 'version';
    return at(`${base}/localizedTitles/${index}/${name}`)([]);
  };

/** One use type of a list: the deals about it. */
export const useTypePlace =
  (base: string, deals: readonly ErnDeal[], uses: readonly UseType[]): PlaceOf =>
  ([index]) => {
    const use = uses[Number(index)];
    const model = use && commercialModelOf[use];
    return {
      at: deals.flatMap((deal, i) =>
        model !== undefined && deal.commercialModels.includes(model)
          ? [`${base}/deals/${i}/commercialModels`]
          : [],
      ),
      otherwise: 'The store does not offer music in this way.',
    };
  };

export const dealFieldPlaces = (
  base: string,
  deals: readonly ErnDeal[],
  field: keyof ErnDeal,
): readonly string[] => deals.map((_, i) => `${base}/deals/${i}/${field}`);

/** An artist entry of a release or a track. `base`: the party in the model. */
export const artistPlace =
  (entry: Pick<Entry, 'isni' | 'storeProfiles'>, base: string, storeId: string): PlaceOf =>
  ([field, storeOfProfile]) => {
    const { isni, storeProfiles = {} } = entry;
    switch (field) {
      case 'name':
        return at(`${base}/party/name`)([]);
      case 'role':
        return at(`${base}/role`)([]);
      case 'isni':
        return at(`${base}/party/isni`)([]);
      case 'store_profiles':
        return storeOfProfile === storeId
          ? atOr(profileReason(storeProfiles[storeId]), `${base}/party/proprietaryIds`)([])
          : never(reasons.otherStore)([]);
      default:
        return behindCredit(base, {
          isni: isni === undefined,
          ipi: true,
          proprietaryIds: storeProfiles[storeId] === undefined,
        });
    }
  };

const profileReason = (profile: string | undefined): string =>
  profile === newProfile
    ? 'The store creates a page for an artist without an id.'
    : 'The store takes no ids of artists.';

/** An artist_id is sent as what the artist adds to the credit: what the credit does not say itself. */
export function behindCredit(
  base: string,
  adds: { readonly isni: boolean; readonly ipi: boolean; readonly proprietaryIds: boolean },
): Place {
  const added = Object.entries(adds).flatMap(([name, isAdded]) => (isAdded ? [name] : []));
  return {
    at: [...added, 'localizedNames'].map((name) => `${base}/party/${name}`),
    otherwise: 'It is an id of this service; the store gets the name of the artist.',
  };
}
