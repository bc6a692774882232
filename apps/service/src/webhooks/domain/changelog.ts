/** The API's changelog for partners (spec §9, contract §10), oldest entry first. */

import type { CalendarDate } from '../../kernel/calendar-date.ts';

export const changeKinds = ['added', 'changed', 'deprecated', 'removed', 'fixed'] as const;

export type ChangelogEntry = {
  readonly date: CalendarDate;
  readonly title: string;
  readonly changes: readonly {
    readonly kind: (typeof changeKinds)[number];
    readonly text: string;
    /** When a deprecated feature stops working. */
    readonly sunset?: CalendarDate;
  }[];
};

export const changelog: readonly ChangelogEntry[] = [
  {
    date: '2024-02-01',
    title: 'v1',
    changes: [
      {
        kind: 'added',
        text: 'Releases, tracks, assets, deliveries, royalties, statements and payouts under /v1.',
      },
      { kind: 'added', text: 'OAuth 2.0 client credentials, for the enterprise tier.' },
      {
        kind: 'added',
        text: 'DDEX ERN 4.x in the sandbox, for enterprise partners: NewReleaseMessage and PurgeReleaseMessage.',
      },
    ],
  },
  {
    date: '2024-04-15',
    title: 'Line items, a seeded sandbox, payouts on hold',
    changes: [
      { kind: 'added', text: 'GET /v1/statements/{statement_id}/line-items.' },
      { kind: 'added', text: 'The sandbox begins with a catalogue of stores.' },
      { kind: 'added', text: 'Payout status on_hold.' },
      {
        kind: 'deprecated',
        text: 'Status submitted in PATCH /v1/releases/{release_id}.',
        sunset: '2024-09-01',
      },
    ],
  },
  {
    date: '2024-06-01',
    title: 'Submissions, idempotency keys, cursors for royalties',
    changes: [
      {
        kind: 'added',
        text: 'POST /v1/releases/{release_id}/submit, which returns a submission.',
      },
      { kind: 'added', text: 'Idempotency-Key on POST and PATCH.' },
      { kind: 'added', text: 'Event delivery.completed.' },
      { kind: 'added', text: 'Royalties: limit, cursor and net_amount.' },
      {
        kind: 'deprecated',
        text: 'Royalties: page and per_page.',
        sunset: '2028-01-01',
      },
      {
        kind: 'fixed',
        text: 'territory of a track takes every code GET /v1/stores/territories lists.',
      },
    ],
  },
];

export const presentEntry = ({ date, title, changes }: ChangelogEntry) => ({
  date,
  title,
  changes: changes.map((change) => ({ ...change, sunset: change.sunset ?? null })),
  url: `/v1/changelog#${date}`,
});
