/** Starts deliveries and records answers at a given rate, and measures the time from an answer to its visible state. */

import { setTimeout as wait } from 'node:timers/promises';
import { type OrgId, toUuid } from '../apps/service/src/kernel/ids.ts';
import { sql } from '../apps/service/src/platform/db/sql.ts';
import { type DeliveryFixture, type SentMessageRef, shuffled } from './delivery-fixture.ts';
import { atRate, percentiles } from './pace.ts';

export type DeliveryLoad = {
  readonly perSecond: number;
  readonly seconds: number;
  readonly storesEach: number;
  /** How many answers are recorded at once, as from one poll of a store's folder. */
  readonly answersAtOnce: number;
};

const probesMax = 300;
const probeEveryMs = 5;
const probeLimitMs = 120_000;

/**
 * Each second `perSecond` store deliveries are started, and as many others, whose messages were sent before, are
 * answered. Afterwards it waits until no work is left and reports how long that took.
 */
export async function measureUnderLoad(fixture: DeliveryFixture, load: DeliveryLoad) {
  const { perSecond, seconds, storesEach } = load;
  const deliveries = Math.ceil((perSecond * seconds) / storesEach);
  const releases = await fixture.givenReleases(2 * deliveries);
  const sent = await fixture.start(releases.splice(0, deliveries), storesEach);
  const messages = shuffled(await fixture.messagesOf(sent)).slice(0, perSecond * seconds);

  const begun = performance.now();
  const elapsed = () => (performance.now() - begun) / 1_000;
  const started: Promise<string>[] = [];
  const starting = atRate(perSecond / storesEach, deliveries, async (i) => {
    started.push(fixture.create(releases[i] ?? '', fixture.storeIds.slice(0, storesEach)));
  });
  const [latencies] = await Promise.all([answerAtRate(fixture, messages, load), starting]);
  const offered = elapsed();
  const ids = await Promise.all(started);
  await Promise.all([fixture.untilSent(ids), fixture.untilAnswersApplied(messages)]);
  return {
    per_second: perSecond,
    seconds: Math.round(offered),
    started: deliveries * storesEach,
    answered: messages.length,
    behind_seconds: Math.round((elapsed() - offered) * 10) / 10,
    answer_to_state_ms: percentiles(latencies),
  };
}

async function answerAtRate(
  fixture: DeliveryFixture,
  messages: readonly SentMessageRef[],
  { perSecond, answersAtOnce }: DeliveryLoad,
): Promise<readonly number[]> {
  const batches = Math.ceil(messages.length / answersAtOnce);
  const probeEvery = Math.ceil(batches / probesMax);
  const watch = watchStates(fixture);
  const probes: Promise<number>[] = [];
  const recorded: Promise<unknown>[] = [];
  await atRate(perSecond / answersAtOnce, batches, async (i) => {
    const batch = messages.slice(i * answersAtOnce, (i + 1) * answersAtOnce);
    const [first] = batch;
    if (first !== undefined && i % probeEvery === 0) probes.push(watch.untilVisible(first));
    recorded.push(fixture.answer(batch));
  });
  await Promise.all(recorded);
  const latencies = await Promise.all(probes);
  await watch.close();
  return latencies;
}

type Probe = SentMessageRef & { readonly begun: number; readonly found: (ms: number) => void };

/**
 * One read every few milliseconds asks for all store deliveries that are watched. A read for each would cost more than
 * the work that it measures, and the more the slower the work is.
 */
function watchStates({ partner, service }: DeliveryFixture) {
  const orgId = partner.orgId as OrgId;
  const watched = new Map<string, Probe>();
  const closed = new AbortController();
  const keyOf = (row: { delivery_id: string; store_id: string }) =>
    `${row.delivery_id} ${row.store_id}`;
  const findVisible = () => {
    const probes = [...watched.values()];
    return service.db.readOnce(orgId, (db) =>
      db.query<{ delivery_id: string; store_id: string }>(sql`
        select delivery_id, store_id
          from unnest(${probes.map(({ deliveryId }) => deliveryId)}::uuid[], ${probes.map(({ storeId }) => storeId)}::text[])
               as watched (delivery_id, store_id)
          join delivery_stores using (delivery_id, store_id)
         where org_id = ${toUuid(orgId)} and status = 'delivered'
      `),
    );
  };
  const watching = (async () => {
    while (!closed.signal.aborted) {
      const visible = watched.size === 0 ? [] : await findVisible();
      for (const key of visible.map(keyOf)) {
        const probe = watched.get(key);
        watched.delete(key);
        probe?.found(performance.now() - probe.begun);
      }
      const [oldest] = watched.values();
      if (oldest !== undefined && performance.now() - oldest.begun > probeLimitMs)
        throw new Error('an answer was not applied in time');
      await wait(probeEveryMs);
    }
  })();
  return {
    /** Milliseconds until a read returns the new status. */
    untilVisible: (message: SentMessageRef): Promise<number> => {
      const { promise, resolve } = Promise.withResolvers<number>();
      const { deliveryId, storeId } = message;
      watched.set(keyOf({ delivery_id: deliveryId, store_id: storeId }), {
        ...message,
        begun: performance.now(),
        found: resolve,
      });
      return Promise.race([promise, watching.then(() => promise)]);
    },
    close: async (): Promise<void> => {
      closed.abort();
      await watching;
    },
  };
}
