/** Counts the work that the service has not finished: zero once all deliveries are settled. */

import { setTimeout as wait } from 'node:timers/promises';
import type { Query } from './lasting-queries.ts';

const pollMs = 1_000;

export type Pending = Readonly<Record<string, number>>;

/** A timer is late after 60 s: by then the engine or the reconciler must have fired it. */
const text = `
  select (select count(*)::int from outbox) as outbox,
         (select count(*)::int from store_answers) as unheard,
         (select count(*)::int from delivery_stores
           where message_state in ('queued', 'dispatched', 'sending')) as unsent,
         (select count(*)::int from timers
           where state in ('waiting', 'firing') and due_at < now() - interval '60 seconds') as late_timers,
         (select count(*)::int from events where sequence is null) as unnumbered_events,
         (select count(*)::int from audit where sequence is null) as unnumbered_audit`;

export const sumOf = (pending: Pending): number =>
  Object.values(pending).reduce((sum, count) => sum + count, 0);

export async function readPending(query: Query): Promise<Pending> {
  const [row] = await query<Pending>(text, []);
  return row ?? {};
}

/** Waits until no work is left. Returns what is left at the time limit. */
export async function untilSettled(query: Query, limitMs: number): Promise<Pending> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const pending = await readPending(query);
    if (sumOf(pending) === 0 || Date.now() > deadline) return pending;
    await wait(pollMs);
  }
}
