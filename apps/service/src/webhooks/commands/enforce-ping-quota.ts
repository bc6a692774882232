import { minuteMs } from '../../kernel/duration.ts';
import { enforce } from '../../kernel/problem.ts';
import { type QuotaPolicy, refuseBeyond } from '../../kernel/quota.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type WebhookId, webhookNotFound } from '../domain/webhook.ts';
import { countPing } from '../store/webhooks.ts';

/** Counts one ping of the current minute: a partner must not make us flood a receiver. */
export async function enforcePingQuota(tx: Tx, id: WebhookId, quotas: QuotaPolicy): Promise<void> {
  const nowMs = tx.realNow.getTime();
  const intoMinuteMs = nowMs % minuteMs;
  const pings = await countPing(tx, id, new Date(nowMs - intoMinuteMs));
  if (pings === undefined) throw webhookNotFound();
  const secondsLeft = Math.ceil((minuteMs - intoMinuteMs) / 1_000);
  enforce(refuseBeyond(quotas, 'webhook_pings_per_minute', pings, secondsLeft));
}
