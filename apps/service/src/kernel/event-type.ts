/** The types of the events that are stored and sent to webhooks (contract §6). `app/event-catalogue.ts` describes each. */
export const eventTypes = [
  'release.created',
  'release.status.changed',
  'asset.ready',
  'asset.failed',
  'delivery.completed',
  'delivery.taken_down',
  'delivery.store.updated',
  'delivery.store.overdue',
  'payout.status.changed',
  'payout_method.changed',
  'statement.published',
  'adjustment.created',
  'earnings.held',
  'earnings.released',
  'earnings.forfeited',
  'webhook.disabled',
  'organization.verification.changed',
  'api.changelog.published',
] as const;

/** With `ping`, which is sent when a webhook is registered or pinged, is not stored and cannot be subscribed to. */
export const sentEventTypes = ['ping', ...eventTypes] as const;
export type SentEventType = (typeof sentEventTypes)[number];
