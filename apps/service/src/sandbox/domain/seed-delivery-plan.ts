/**
 * The deliveries of the fictional catalogue, and their history. They show every status of a delivery and of a store except
 * `pending`, which lasts only while a store is paused or a person reviews; and stores of every kind of confirmation.
 *
 *   30 days ago   all of them are sent; from then on stores answer by themselves, at their own times
 *   29 days ago   the stores' replies in `answers`
 *    4 days ago   what the partner requests, and what stores say of releases they have: `earlier`
 *   now           the same, without time for stores to confirm: `latest`
 */

import type { SimulatedReply } from './reaction.ts';

export const historyDays = 30;
export const answeredDaysAgo = 29;
export const earlierDaysAgo = 4;

type Replies = Readonly<Record<string, SimulatedReply>>;

/** Applies to stores that have the release. */
type SeedChange = {
  /** The stores that get a takedown request. */
  readonly takedowns: readonly string[];
  /** The stores get an update with this genre. */
  readonly newGenre: string | null;
  /** Stores that flag or remove the release, or reject the update. */
  readonly answers: Replies;
};

export type SeedDelivery = {
  readonly reference: string;
  readonly release: string;
  readonly stores: readonly string[];
  /** The stores' replies to the release; a store without one answers by itself. */
  readonly answers: Replies;
  readonly earlier: SeedChange;
  readonly latest: SeedChange;
};

const yes: SimulatedReply = { says: 'yes' };

const noChange: SeedChange = { takedowns: [], newGenre: null, answers: {} };

const delivery = (
  release: string,
  stores: readonly string[],
  { answers = {}, earlier, latest }: SeedHistory = {},
): SeedDelivery => ({
  reference: `${release}-delivery`,
  release,
  stores,
  answers,
  earlier: { ...noChange, ...earlier },
  latest: { ...noChange, ...latest },
});

/** Its stores answer by themselves. */
export const unchangedDelivery = (release: string, stores: readonly string[]): SeedDelivery =>
  delivery(release, stores);

type SeedHistory = {
  readonly answers?: Replies;
  readonly earlier?: Partial<SeedChange>;
  readonly latest?: Partial<SeedChange>;
};

const wrongLanguage: SimulatedReply = {
  says: 'no',
  code: 'metadata_error',
  reason: 'The language of the track does not match its audio.',
};

export const seedDeliveries: readonly SeedDelivery[] = [
  delivery('demo-night-drive', [
    'aurora',
    'beatlane',
    'cascade',
    'emberline',
    'firefly',
    'indigo',
    'jangala',
  ]),
  delivery('demo-paper-lanterns', ['aurora', 'glasshouse', 'hanami'], {
    latest: {
      newGenre: 'Electronic',
      answers: {
        hanami: {
          says: 'no',
          code: 'genre_not_supported',
          reason: 'This store has no genre Electronic. Use Dance.',
        },
      },
    },
  }),
  delivery('demo-salt-and-cedar', [
    'aurora',
    'beatlane',
    'cascade',
    'driftwood',
    'glasshouse',
    'indigo',
    'jangala',
  ]),
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
    answers: { aurora: wrongLanguage, kilima: wrongLanguage },
  }),
  delivery('demo-rios', ['aurora', 'emberline'], {
    answers: {
      emberline: {
        says: 'flag',
        code: 'rights_conflict',
        reason: 'Please confirm that you hold the rights in Mexico.',
      },
    },
  }),
  delivery('demo-old-postcards', ['aurora', 'cascade', 'driftwood'], {
    earlier: { takedowns: ['aurora', 'cascade', 'driftwood'] },
  }),
  delivery('demo-glass-city', ['aurora', 'beatlane', 'cascade', 'firefly', 'indigo'], {
    earlier: {
      takedowns: ['cascade'],
      answers: {
        beatlane: {
          says: 'flag',
          code: 'rights_conflict',
          reason: 'Another party claims the recording. Confirm your rights.',
        },
        firefly: { says: 'removed' },
      },
    },
    latest: { takedowns: ['aurora'] },
  }),
];
