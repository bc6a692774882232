/**
 * The deliveries of the fictional catalogue. They show every status of a delivery and of a store except
 * `pending`, which lasts only while a store is paused or a person reviews.
 */

import type { SimulatedReply } from './reaction.ts';

export type SeedDelivery = {
  readonly reference: string;
  readonly release: string;
  readonly stores: readonly string[];
  /** The stores' replies to the release; a store without one answers on the release date. */
  readonly answers: Readonly<Record<string, SimulatedReply>>;
  /** The stores that get a takedown request. */
  readonly takedownRequestedStores: readonly string[];
  /** Of these, the stores that have removed the release. */
  readonly removedFromStores: readonly string[];
  /** The stores that have the release get an update with this genre, and have not confirmed it. */
  readonly newGenre: string | null;
};

const yes: SimulatedReply = { says: 'yes' };

const sameReply = (
  stores: readonly string[],
  reply: SimulatedReply,
): Readonly<Record<string, SimulatedReply>> =>
  Object.fromEntries(stores.map((store) => [store, reply]));

const delivery = (
  release: string,
  stores: readonly string[],
  fields: Partial<SeedDelivery>,
): SeedDelivery => ({
  reference: `${release}-delivery`,
  release,
  stores,
  answers: {},
  takedownRequestedStores: [],
  removedFromStores: [],
  newGenre: null,
  ...fields,
});

const nightDrive = ['aurora', 'beatlane', 'cascade', 'firefly', 'indigo'];
const lanterns = ['aurora', 'glasshouse', 'hanami'];
const postcards = ['aurora', 'cascade', 'driftwood'];

export const seedDeliveries: readonly SeedDelivery[] = [
  delivery('demo-night-drive', nightDrive, { answers: sameReply(nightDrive, yes) }),
  delivery('demo-paper-lanterns', lanterns, {
    answers: sameReply(lanterns, yes),
    newGenre: 'Electronic',
  }),
  delivery('demo-salt-and-cedar', ['aurora', 'beatlane', 'cascade', 'driftwood', 'glasshouse'], {}),
  delivery('demo-harbour-lights', ['aurora', 'beatlane', 'cascade', 'driftwood', 'indigo'], {
    answers: {
      aurora: yes,
      cascade: yes,
      beatlane: {
        says: 'no',
        code: 'artwork_rejected',
        reason: 'The cover shows the same picture as another release of the label.',
      },
      driftwood: { says: 'flag', code: 'rights_conflict', reason: 'Another party claims track 4.' },
    },
  }),
  delivery('demo-mlima', ['aurora', 'kilima'], {
    answers: sameReply(['aurora', 'kilima'], {
      says: 'no',
      code: 'metadata_error',
      reason: 'The language of the track does not match its audio.',
    }),
  }),
  delivery('demo-rios', ['aurora', 'emberline'], {
    answers: {
      aurora: yes,
      emberline: {
        says: 'flag',
        code: 'rights_conflict',
        reason: 'Please confirm that you hold the rights in Mexico.',
      },
    },
  }),
  delivery('demo-old-postcards', postcards, {
    answers: sameReply(postcards, yes),
    takedownRequestedStores: postcards,
    removedFromStores: postcards,
  }),
  delivery('demo-glass-city', ['aurora', 'beatlane', 'cascade'], {
    answers: sameReply(['aurora', 'beatlane', 'cascade'], yes),
    takedownRequestedStores: ['aurora', 'cascade'],
    removedFromStores: ['cascade'],
  }),
];
