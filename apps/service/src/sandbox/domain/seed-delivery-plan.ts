/**
 * The deliveries of the fictional catalogue. Every state a delivery and a store can be in is there to be seen, but for
 * `pending`, in which nothing stays for long unless a store is paused or a person reviews.
 */

import type { SimulatedReply } from './reaction.ts';

export type SeedDelivery = {
  readonly reference: string;
  readonly release: string;
  readonly stores: readonly string[];
  /** What stores say to the release; who is not named keeps silent until it is out. */
  readonly answers: Readonly<Record<string, SimulatedReply>>;
  /** Asked to remove it again. */
  readonly takedownRequestedStores: readonly string[];
  /** Of these, who has. */
  readonly removedFromStores: readonly string[];
  /** Stores that have it are sent it again with this genre, and have not confirmed. */
  readonly newGenre: string | null;
};

const yes: SimulatedReply = { says: 'yes' };

const everyone = (
  stores: readonly string[],
  word: SimulatedReply,
): Readonly<Record<string, SimulatedReply>> =>
  Object.fromEntries(stores.map((store) => [store, word]));

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
  delivery('demo-night-drive', nightDrive, { answers: everyone(nightDrive, yes) }),
  delivery('demo-paper-lanterns', lanterns, {
    answers: everyone(lanterns, yes),
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
    answers: everyone(['aurora', 'kilima'], {
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
    answers: everyone(postcards, yes),
    takedownRequestedStores: postcards,
    removedFromStores: postcards,
  }),
  delivery('demo-glass-city', ['aurora', 'beatlane', 'cascade'], {
    answers: everyone(['aurora', 'beatlane', 'cascade'], yes),
    takedownRequestedStores: ['aurora', 'cascade'],
    removedFromStores: ['cascade'],
  }),
];
