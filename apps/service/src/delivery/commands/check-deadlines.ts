import { minuteMs } from '../../kernel/duration.ts';
import type { Tx } from '../../platform/db/database.ts';
import { setTimer } from '../../platform/engine/timers.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import { findOverdue, type StorePart } from '../domain/store-part.ts';
import { lookAtDelivery } from '../messages.ts';
import { lockDelivery } from '../store/deliveries.ts';
import { lockParts } from '../store/parts.ts';
import { changeDelivery } from './change-delivery.ts';

/** Clocks differ: who comes a little early looks, and sets the timer again. */
const skewMs = minuteMs;

/** Stores whose time is up are announced as overdue; the next one's time is looked at then. */
export async function checkDeadlines(tx: Tx, id: DeliveryId): Promise<void> {
  const [delivery, parts] = await Promise.all([lockDelivery(tx, id), lockParts(tx, id)]);
  // Another has looked already: of several timers for one moment, one counts.
  if (delivery === undefined || delivery.checkAt === null) return;
  if (delivery.checkAt.getTime() > tx.now.getTime() + skewMs) return;
  const change = changeDelivery(tx, delivery);
  for (const part of parts) {
    const step = findOverdue(part, tx.now);
    if (step !== undefined) change.take(part, step);
  }
  const next = nextDeadline(parts, tx.now);
  change.set({ checkAt: next });
  if (next !== null) setTimer(tx, next, lookAtDelivery(tx.orgId, id, 'check'));
  await change.write();
}

function nextDeadline(parts: readonly StorePart[], now: Date): Date | null {
  const coming = parts.flatMap(({ expectedBy }) =>
    expectedBy !== null && expectedBy > now ? [expectedBy.getTime()] : [],
  );
  return coming.length === 0 ? null : new Date(Math.min(...coming));
}
