/** What other slices may use of webhooks. */
export { restartWebhooks } from './commands/restart-webhooks.ts';
export { requeueBusyDispatchers } from './commands/wake-endpoints.ts';
export { rescheduleRetriesNow, hasEventsInFlight } from './store/webhook-deliveries.ts';
export { clearFailingSince } from './store/webhooks.ts';
export { webhookDispatcherService } from './messages.ts';
