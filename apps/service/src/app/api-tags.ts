/** What each group of operations is for, in the order in which the reference shows them. */
export const apiTags: Readonly<Record<string, string>> = {
  Releases:
    'A release is what you publish under one UPC. Create it, change it and submit it for review.',
  Tracks:
    'Tracks are the recordings of a release. Create and change them one at a time, or up to 100 at once.',
  Assets:
    'Assets are audio and artwork files. Upload each file to a presigned URL, complete it, and wait until it is `ready`.',
  Artists:
    'Artists are the identities behind the names on releases and tracks, with their pages at stores.',
  Labels: 'Labels are the names under which you publish.',
  Preflight:
    'Preflight reports what stores would refuse before you submit, and offers fixes that you can apply.',
  Stores:
    'Stores are where releases are delivered to. Each lists its territories and what it supports.',
  Deliveries:
    'A delivery sends a release to stores. Follow each store, send updates, and take the release down.',
  Royalties:
    'Royalties are what stores reported for your tracks, after fees and taxes, from your published statements.',
  Statements:
    'A statement has what you earned in a month, in one currency, with every line item, and how your balance changed.',
  Payouts:
    'A payout sends money from your balance to your bank account or wallet. Create it, follow it, and see what it waits for.',
  Balance:
    'Your balance for each currency, the adjustments that are not royalties, and earnings that are held.',
  Webhooks: 'Webhooks are your endpoints that receive events.',
  Events:
    'Events record what happened in your organization. They are kept for 30 days, with every attempt to send them.',
  'Payout methods': 'Payout methods are the bank accounts and wallets that your payouts go to.',
  'Payout settings':
    'Your tax profile, and whether payouts are created by you or by us and from which amount on.',
  Organization:
    'Your organization: its settings, its verification and its use of deprecated features.',
  'API keys': 'Create, list and revoke the API keys of your organization.',
  OAuth: 'OAuth 2.0 for the enterprise tier: clients, their secrets, and the token endpoint.',
  Requests:
    'Your requests of the last 30 days with their answers, and the stored answer of an idempotency key.',
  'Audit log':
    'The audit log records every change in your organization, in a hash chain that you can verify yourself.',
  Reference:
    'Public lists: event types, error codes, contributor roles, genres, preflight rules and the changelog.',
  Sandbox:
    'Only in the sandbox: script what stores do, move the clock, receive webhooks, and start over.',
};
