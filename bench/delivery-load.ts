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
  const probes: Promise<number>[] = [];
  const recorded: Promise<unknown>[] = [];
  await atRate(perSecond / answersAtOnce, batches, async (i) => {
    const batch = messages.slice(i * answersAtOnce, (i + 1) * answersAtOnce);
    const [first] = batch;
    if (first !== undefined && i % probeEvery === 0) probes.push(untilVisible(fixture, first));
    recorded.push(fixture.answer(batch));
  });
  await Promise.all(recorded);
  return Promise.all(probes);
}

/** Milliseconds until a read returns the new status. */
async function untilVisible(
  fixture: DeliveryFixture,
  { deliveryId, storeId }: SentMessageRef,
): Promise<number> {
  const begun = performance.now();
  const orgId = fixture.partner.orgId as OrgId;
  for (;;) {
    const [row] = await fixture.service.db.readOnce(orgId, (db) =>
      db.query<{ status: string }>(sql`
        select status from delivery_stores
         where org_id = ${toUuid(orgId)} and delivery_id = ${deliveryId} and store_id = ${storeId}
      `),
    );
    const elapsedMs = performance.now() - begun;
    if (row?.status === 'delivered') return elapsedMs;
    if (elapsedMs > probeLimitMs) throw new Error('an answer was not applied in time');
    await wait(probeEveryMs);
  }
}
