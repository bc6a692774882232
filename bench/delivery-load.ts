/** Deliveries and answers at a given rate, and how long an answer takes until its state can be read. */

import { setTimeout as wait } from 'node:timers/promises';
import { type OrgId, toUuid } from '../apps/service/src/kernel/ids.ts';
import { sql } from '../apps/service/src/platform/db/sql.ts';
import { type DeliveryFixture, type SentMessageRef, shuffled } from './delivery-fixture.ts';
import { atRate, percentiles } from './pace.ts';

export type DeliveryLoad = {
  readonly perSecond: number;
  readonly seconds: number;
  readonly storesEach: number;
  /** So many answers come at once, as from a look into a store's folder. */
  readonly answersAtOnce: number;
};

const probesMax = 300;
const probeEveryMs = 5;
const probeLimitMs = 120_000;

/**
 * Each second so many store deliveries are started, and so many others, which were sent before, are answered.
 * Afterwards it waits for whatever is left to do, and says for how long.
 */
export async function measureUnderLoad(lab: DeliveryFixture, load: DeliveryLoad) {
  const { perSecond, seconds, storesEach } = load;
  const deliveries = Math.ceil((perSecond * seconds) / storesEach);
  const releases = await lab.givenReleases(2 * deliveries);
  const sent = await lab.start(releases.splice(0, deliveries), storesEach);
  const messages = shuffled(await lab.messagesOf(sent)).slice(0, perSecond * seconds);

  const begun = performance.now();
  const elapsed = () => (performance.now() - begun) / 1_000;
  const started: Promise<string>[] = [];
  const starting = atRate(perSecond / storesEach, deliveries, async (i) => {
    started.push(lab.create(releases[i] ?? '', lab.storeIds.slice(0, storesEach)));
  });
  const [latencies] = await Promise.all([answerAtRate(lab, messages, load), starting]);
  const offered = elapsed();
  const ids = await Promise.all(started);
  await Promise.all([lab.untilSent(ids), lab.untilAnswersApplied(messages)]);
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
  lab: DeliveryFixture,
  messages: readonly SentMessageRef[],
  { perSecond, answersAtOnce }: DeliveryLoad,
): Promise<readonly number[]> {
  const batches = Math.ceil(messages.length / answersAtOnce);
  const probeEvery = Math.ceil(batches / probesMax);
  const probes: Promise<number>[] = [];
  const intakes: Promise<unknown>[] = [];
  await atRate(perSecond / answersAtOnce, batches, async (i) => {
    const batch = messages.slice(i * answersAtOnce, (i + 1) * answersAtOnce);
    const [first] = batch;
    if (first !== undefined && i % probeEvery === 0) probes.push(untilVisible(lab, first));
    intakes.push(lab.answer(batch));
  });
  await Promise.all(intakes);
  return Promise.all(probes);
}

/** From now until anybody who reads sees it. */
async function untilVisible(
  lab: DeliveryFixture,
  { deliveryId, storeId }: SentMessageRef,
): Promise<number> {
  const begun = performance.now();
  const orgId = lab.partner.orgId as OrgId;
  for (;;) {
    const [row] = await lab.service.db.readOnce(orgId, (db) =>
      db.query<{ status: string }>(sql`
        select status from delivery_stores
         where org_id = ${toUuid(orgId)} and delivery_id = ${deliveryId} and store_id = ${storeId}
      `),
    );
    const took = performance.now() - begun;
    if (row?.status === 'delivered') return took;
    if (took > probeLimitMs) throw new Error('an answer was not heard');
    await wait(probeEveryMs);
  }
}
