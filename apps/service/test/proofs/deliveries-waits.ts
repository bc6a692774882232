/** What a scenario waits for: messages that are sent, and answers that are applied. */

import { setTimeout as wait } from 'node:timers/promises';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import type { HangLimit } from './hang-limit.ts';
import type { Query } from './lasting-queries.ts';

export type DeliveryRef = { readonly orgId: string; readonly id: Id<'dlv'> };

const pollMs = 500;

const idsOf = ({ orgId, id }: DeliveryRef) => [toUuid(orgId as Id<'org'>), toUuid(id)];

export type SentMessage = {
  readonly store_id: string;
  readonly message_id: string;
  readonly message_kind: string;
  readonly is_recorded: boolean;
};

/**
 * Messages that these stores have, or are about to have: an answer may arrive before the send is recorded. If a
 * takedown is requested, a message that is being sent may still be replaced, so its send must be recorded.
 */
export const findSent = (
  query: Query,
  delivery: DeliveryRef,
  storeIds: readonly string[],
): Promise<readonly SentMessage[]> =>
  query(
    `select store_id, message_id, message_kind, message_state = 'sent' as is_recorded from delivery_stores
      where org_id = $1 and delivery_id = $2 and store_id = any($3)
        and (message_state = 'sent' or message_state = 'sending' and takedown_requested_at is null)`,
    [...idsOf(delivery), storeIds],
  );

/** The stores of the delivery with answers that are recorded and not applied. */
const findUnapplied = async (query: Query, delivery: DeliveryRef): Promise<ReadonlySet<string>> => {
  const rows = await query<{ store_id: string }>(
    'select distinct store_id from store_answers where org_id = $1 and delivery_id = $2',
    idsOf(delivery),
  );
  return new Set(rows.map(({ store_id }) => store_id));
};

export type AppliedWatch = {
  /** Resolves when no recorded answer of the store, or of any store, waits to be applied. */
  readonly untilApplied: (storeId?: string) => Promise<void>;
};

/** One query serves all stores of a delivery that wait. */
export function watchApplied(
  query: Query,
  delivery: DeliveryRef,
  hangLimit: HangLimit,
): AppliedWatch {
  type Waiter = {
    readonly storeId: string | undefined;
    readonly resolve: () => void;
    readonly reject: (error: Error) => void;
    readonly isHung: () => boolean;
  };
  let waiters: Waiter[] = [];
  let isPolling = false;
  const poll = async (): Promise<void> => {
    while (waiters.length > 0) {
      // A store that begins to wait during the query waits for the next one.
      const asked = [...waiters];
      const unapplied = await findUnapplied(query, delivery);
      const isDone = ({ storeId }: Waiter) =>
        storeId === undefined ? unapplied.size === 0 : !unapplied.has(storeId);
      const done = asked.filter(isDone);
      waiters = waiters.filter((waiter) => !done.includes(waiter));
      for (const { resolve } of done) resolve();
      const hung = waiters.filter(({ isHung }) => isHung());
      waiters = waiters.filter((waiter) => !hung.includes(waiter));
      for (const { reject } of hung) reject(new Error('the service did not apply all answers'));
      if (waiters.length > 0) await wait(pollMs);
    }
    isPolling = false;
  };
  return {
    untilApplied: async (storeId) => {
      const isHung = hangLimit.beginWait();
      const applied = new Promise<void>((resolve, reject) =>
        waiters.push({ storeId, resolve, reject, isHung }),
      );
      if (!isPolling) {
        isPolling = true;
        void poll();
      }
      await applied;
    },
  };
}
