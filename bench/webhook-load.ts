/** Appends events at a given rate and measures the time from each commit to the receiver. */

import { atRate, percentiles } from './pace.ts';
import type { Audience, WebhookFixture } from './webhook-fixture.ts';

export type WebhookLoad = {
  readonly perSecond: number;
  readonly seconds: number;
  /** How many events one transaction of one organization appends. */
  readonly perTransaction: number;
};

/** Appends to the organizations in turn. Afterwards it waits until no work is left and reports how long that took. */
export async function measureUnderLoad(
  fixture: WebhookFixture,
  audience: Audience,
  load: WebhookLoad,
) {
  const { perSecond, seconds, perTransaction } = load;
  const marks = fixture.newMarks(audience, perSecond * seconds);
  const repeatedBefore = fixture.receiver.repeated();
  const committedAt = new Map<string, number>();
  const orgOf = (i: number) =>
    audience.orgIds[Math.floor(i / perTransaction) % audience.orgIds.length]!;

  const begun = performance.now();
  const elapsed = () => (performance.now() - begun) / 1_000;
  const commits: Promise<void>[] = [];
  const commit = async (i: number): Promise<void> => {
    const batch = marks.slice(i, i + perTransaction);
    await fixture.announce(orgOf(i), batch);
    for (const mark of batch) committedAt.set(mark, performance.now());
  };
  await atRate(perSecond / perTransaction, marks.length / perTransaction, async (n) => {
    commits.push(commit(n * perTransaction));
  });
  await Promise.all(commits);
  const offered = elapsed();
  // Events that did not arrive are counted as lost and not waited for again.
  await fixture.untilDelivered(audience).catch(fixture.skipMissing);
  const behind = elapsed() - offered;

  const latencies = marks.flatMap((mark, i) =>
    (audience.paths.get(orgOf(i)) ?? []).flatMap((path) => {
      const at = fixture.receiver.receivedAt(path, mark);
      return at === undefined ? [] : [at - committedAt.get(mark)!];
    }),
  );
  return {
    per_second: perSecond,
    per_transaction: perTransaction,
    seconds: Math.round(offered * 10) / 10,
    events: marks.length,
    lost: marks.length * audience.endpointsEach - latencies.length,
    repeated: fixture.receiver.repeated() - repeatedBefore,
    behind_seconds: Math.round(behind * 10) / 10,
    commit_to_receiver_ms: percentiles(latencies),
  };
}
