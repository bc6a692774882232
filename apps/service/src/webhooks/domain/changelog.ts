/** The API's changelog for partners (spec §9, contract §10), oldest entry first. */

import type { CalendarDate } from '../../kernel/calendar-date.ts';
import { deprecatedFeatures, type FeatureName } from '../../kernel/deprecation.ts';

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

function deprecated(feature: FeatureName): ChangelogEntry['changes'][number] {
  const { description, sunsetOn } = deprecatedFeatures[feature];
  return { kind: 'deprecated', text: description, sunset: sunsetOn };
}

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
      deprecated('release_status_in_patch'),
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
      deprecated('royalties_page_parameters'),
      {
        kind: 'fixed',
        text: 'territory of a track takes every code GET /v1/stores/territories lists.',
      },
    ],
  },
  {
    date: '2026-11-16',
    title: 'Payouts, credentials you manage, verification, audit log, request log',
    changes: [
      {
        kind: 'added',
        text: 'POST /v1/oauth/token and /v1/oauth_clients, for the enterprise tier; /v1/api_keys for every tier.',
      },
      {
        kind: 'added',
        text: 'GET and PATCH /v1/organization, with its verification; event organization.verification.changed.',
      },
      {
        kind: 'added',
        text: 'GET /v1/audit_log and /v1/audit_log.jsonl, an audit log that you can verify yourself.',
      },
      {
        kind: 'added',
        text: 'GET /v1/requests and /v1/idempotency_keys/{key}: what you sent, what was answered and what it caused.',
      },
      {
        kind: 'added',
        text: 'GET /v1/organization/deprecations: the deprecated features that you still use.',
      },
      {
        kind: 'added',
        text: 'expires_in_seconds of the upload and download of an asset.',
      },
      {
        kind: 'added',
        text: 'doc_url of every error: the page about its code. Each issue in details is a full sentence.',
      },
      {
        kind: 'added',
        text: 'GET /v1/balance, /v1/adjustments and /v1/earning_holds: what you can be paid, what was corrected and what is disputed.',
      },
      {
        kind: 'added',
        text: 'POST /v1/payouts and POST /v1/payouts/{payout_id}/cancel; holds with what you must do about each; GET /v1/payouts/{payout_id}/transitions.',
      },
      {
        kind: 'added',
        text: '/v1/payout_methods with dual control, /v1/tax_profile and /v1/payout_schedule.',
      },
      {
        kind: 'added',
        text: 'Events payout.status.changed, payout_method.changed, adjustment.created, earnings.held, earnings.released and earnings.forfeited.',
      },
      {
        kind: 'added',
        text: 'Event statement.published: a statement with its amounts and balances. statement_currency in GET /v1/organization.',
      },
      {
        kind: 'added',
        text: 'GET /v1/statements with filters, GET /v1/statements/{statement_id}; its line items by cursor, and all of them as /line-items.jsonl or /line-items.csv, which continue after an interrupted download.',
      },
      {
        kind: 'added',
        text: 'GET /v1/statements/{statement_id}/proof and /ledger-entries, with which you add up a statement yourself; document of a statement, a PDF; statement_id of GET /v1/adjustments.',
      },
      {
        kind: 'added',
        text: 'GET /v1/royalties by cursor, with filters; GET /v1/royalties/summary, which sums royalties by store, territory, release, track, label, month and use type; GET /v1/royalties/reporting_status, which says which months stores have reported.',
      },
      {
        kind: 'added',
        text: 'Sandbox: POST /v1/sandbox/reports lets a store report and pay your royalties, the clock closes months, and royalties in POST /v1/sandbox/reset adds twelve months of them.',
      },
      {
        kind: 'added',
        text: 'stores[].message and stores[].conveys of POST /v1/deliveries/dry_run: the ERN message of each store, and which values of the release it carries.',
      },
      {
        kind: 'added',
        text: 'GET /v1/deliveries/{delivery_id}/stores/{store_id}/messages: the messages that a store was sent and what it answered, with the files themselves and their digests.',
      },
      {
        kind: 'added',
        text: 'Sandbox: POST /v1/sandbox/ern takes ERN messages of enterprise partners, with findings by XPath.',
      },
      {
        kind: 'changed',
        text: 'Answers are compressed if you send Accept-Encoding; their ETag is then weak.',
      },
      {
        kind: 'changed',
        text: 'A suspended organization can read; its changes are refused with organization_suspended.',
      },
    ],
  },
];

/** `publicUrl`: of the api, which serves the page of the changelog. */
export const presentEntry = ({ date, title, changes }: ChangelogEntry, publicUrl: string) => ({
  date,
  title,
  changes: changes.map((change) => ({ ...change, sunset: change.sunset ?? null })),
  url: `${publicUrl}/docs/guides/changelog#${date}`,
});
