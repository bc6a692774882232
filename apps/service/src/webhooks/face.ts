/** What other slices may use of webhooks. */
export { restartWebhooks } from './commands/restart-webhooks.ts';
export { hastenRetries, isSending } from './store/owed.ts';
