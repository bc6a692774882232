/** Creates events for healthy endpoints at a steady rate and measures how long each takes to its receiver. */

import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../../../../scripts/servers/server.ts';
import type { Received, Receiver } from '../receiver.ts';
import { type OrgClient, draft } from '../test-service.ts';

export type Healthy = { readonly caller: OrgClient; readonly receiver: Receiver };

export type Percentiles = {
  readonly probes: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
};

const probeEveryMs = 100;
const arriveWithinMs = 60_000;

/** Milliseconds above the limit, which is the larger of 1.5 times the p95 without hanging endpoints and 50 ms more. */
export const p95Excess = (without: Percentiles, beside: Percentiles): number =>
  Math.round(beside.p95 - Math.max(1.5 * without.p95, without.p95 + 50));

/** In each phase both organizations create an event at the same moments, while `shouldContinue` returns true. */
export function createMeasurement(
  healthy: { readonly same: Healthy; readonly other: Healthy },
  say: (line: string) => void,
) {
  let phases = 0;
  return async (name: string, shouldContinue: (probed: number) => boolean) => {
    const phase = `Phase ${phases++}`;
    const begun = Date.now();
    const sent: Promise<readonly [Probe, Probe]>[] = [];
    for (let probed = 0; shouldContinue(probed); probed++) {
      const title = `${phase} ${probed}`;
      sent.push(Promise.all([probe(healthy.same, title), probe(healthy.other, title)]));
      await wait(Math.max(0, begun + (probed + 1) * probeEveryMs - Date.now()));
    }
    const probes = await Promise.all(sent);
    const same = await arrivals(
      healthy.same,
      probes.map(([each]) => each),
    );
    const other = await arrivals(
      healthy.other,
      probes.map(([, each]) => each),
    );
    const figures = {
      same: percentiles(same),
      other: percentiles(other),
      lost: 2 * probes.length - same.length - other.length,
    };
    say(`${name}: ${JSON.stringify(figures)}`);
    say(`slowest event of each second, in ms: ${slowestBySecond(same).join(' ')}`);
    return figures;
  };
}

type Probe = { readonly title: string; readonly answeredAt: number };

async function probe({ caller }: Healthy, title: string): Promise<Probe> {
  const { status, text } = await caller.call('POST', '/v1/releases', draft({ title }));
  if (status !== 201) throw new Error(text);
  return { title, answeredAt: Date.now() };
}

/** For each event that arrived, the milliseconds from the response to the request that created it. */
async function arrivals({ receiver }: Healthy, probes: readonly Probe[]): Promise<number[]> {
  const titleOf = ({ json }: Received) => String(json.data.title);
  const firstAt = new Map<string, number>();
  const haveAllArrived = () => {
    for (const received of receiver.events()) {
      const title = titleOf(received);
      if (!firstAt.has(title)) firstAt.set(title, received.at);
    }
    return probes.every(({ title }) => firstAt.has(title));
  };
  await until('all events have arrived', haveAllArrived, arriveWithinMs).catch(() => undefined);
  return probes.flatMap(({ title, answeredAt }) => {
    const at = firstAt.get(title);
    // The event may arrive before this process has read the response.
    return at === undefined ? [] : [Math.max(0, at - answeredAt)];
  });
}

/** Shows stalls. The seconds are right only if no event was lost. */
function slowestBySecond(values: readonly number[]): number[] {
  const perSecond = 1_000 / probeEveryMs;
  return Array.from({ length: Math.ceil(values.length / perSecond) }, (_, second) =>
    Math.max(...values.slice(second * perSecond, (second + 1) * perSecond)),
  );
}

function percentiles(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { probes: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
