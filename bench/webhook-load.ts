/** Events at a given rate, and how long after its commit each was at its receiver. */

import { atRate, percentiles } from './pace.ts';
import type { Audience, WebhookFixture } from './webhook-fixture.ts';

export type WebhookLoad = {
  readonly perSecond: number;
  readonly seconds: number;
  /** So many are announced by one transaction, of one organization. */
  readonly perTransaction: number;
};

/** To organizations in turn. Afterwards it waits for whatever is left to do, and says for how long. */
export async function measureUnderLoad(lab: WebhookFixture, audience: Audience, load: WebhookLoad) {
  const { perSecond, seconds, perTransaction } = load;
  const marks = lab.newMarks(audience, perSecond * seconds);
  const repeatedBefore = lab.receiver.repeated();
  const committedAt = new Map<string, number>();
  const orgOf = (i: number) =>
    audience.orgIds[Math.floor(i / perTransaction) % audience.orgIds.length]!;

  const begun = performance.now();
  const elapsed = () => (performance.now() - begun) / 1_000;
  const commits: Promise<void>[] = [];
  const commit = async (i: number): Promise<void> => {
    const own = marks.slice(i, i + perTransaction);
    await lab.announce(orgOf(i), own);
    for (const mark of own) committedAt.set(mark, performance.now());
  };
  await atRate(perSecond / perTransaction, marks.length / perTransaction, async (n) => {
    commits.push(commit(n * perTransaction));
  });
  await Promise.all(commits);
  const offered = elapsed();
  // What did not come is counted, not waited for.
  await lab.untilDelivered(audience).catch(lab.skipMissing);
  const behind = elapsed() - offered;

  const latencies = marks.flatMap((mark, i) =>
    (audience.paths.get(orgOf(i)) ?? []).flatMap((path) => {
      const at = lab.receiver.receivedAt(path, mark);
      return at === undefined ? [] : [at - committedAt.get(mark)!];
    }),
  );
  return {
    per_second: perSecond,
    per_transaction: perTransaction,
    seconds: Math.round(offered * 10) / 10,
    events: marks.length,
    lost: marks.length * audience.endpointsEach - latencies.length,
    repeated: lab.receiver.repeated() - repeatedBefore,
    behind_seconds: Math.round(behind * 10) / 10,
    commit_to_receiver_ms: percentiles(latencies),
  };
}
