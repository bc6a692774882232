/** What Redis accepted in the proof `rate-limit`, by its own clock, and how it differs from the limits and the responses. */

import { connect } from 'node:net';
import type { RatePolicy } from '../../src/kernel/rate.ts';
import type { OrgClient } from '../test-service.ts';

export type LimitedOrganization = {
  readonly partner: OrgClient;
  readonly policy: RatePolicy;
  /** Redis's microseconds of every acceptance. */
  readonly acceptedAt: number[];
  /** RateLimit-Remaining of every accepted request. */
  readonly remaining: number[];
  quotaRefusals: number;
};

export const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** MONITOR also shows the commands of scripts: `LPUSH "limit:live:org_…:burst" "microseconds"`. */
export async function listenToRedis(port: number, orgs: readonly LimitedOrganization[]) {
  const socket = connect({ host: '127.0.0.1', port });
  const orgById = new Map(orgs.map((org) => [org.partner.orgId, org]));
  let rest = '';
  const monitoring = Promise.withResolvers<void>();
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString()).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '+OK') monitoring.resolve();
      const match = /"LPUSH" "limit:live:(\w+):burst" "(\d+)"/.exec(line);
      orgById.get(match?.[1] ?? '')?.acceptedAt.push(Number(match?.[2]));
    }
  });
  socket.write('MONITOR\r\n');
  await monitoring.promise;
  return { close: () => socket.destroy() };
}

function minutesOf({ acceptedAt }: LimitedOrganization): Map<number, number> {
  const minutes = new Map<number, number>();
  for (const micros of acceptedAt) {
    const minute = Math.floor(micros / 60_000_000);
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
  }
  return minutes;
}

export const overQuota = (org: LimitedOrganization): number =>
  sum([...minutesOf(org).values()].map((count) => Math.max(0, count - org.policy.perMinute)));

/** Counts the acceptances with `perSecond` others in the second before them. */
export const overBurst = ({ acceptedAt, policy }: LimitedOrganization): number =>
  acceptedAt.filter((at, i) => at - (acceptedAt[i - policy.perSecond] ?? 0) < 1_000_000).length;

/** Requests that were accepted but not counted by Redis, or counted but not accepted. */
export const uncounted = (orgs: readonly LimitedOrganization[]): number =>
  sum(orgs.map(({ acceptedAt, remaining }) => Math.abs(acceptedAt.length - remaining.length)));

/** In each minute the RateLimit-Remaining values must count down from the quota, one by one. */
export function wrongRemaining(org: LimitedOrganization): number {
  const counts = new Map<number, number>();
  const add = (value: number, by: number) => counts.set(value, (counts.get(value) ?? 0) + by);
  for (const value of org.remaining) add(value, 1);
  for (const count of minutesOf(org).values()) {
    for (let used = 1; used <= count; used++) add(org.policy.perMinute - used, -1);
  }
  return sum([...counts.values()].map(Math.abs));
}

/** Requests that a process has counted by itself because Redis did not answer in time. */
export async function countFallbacks(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const match = /^tonearm_rate_limiter_fallback_total(?:\{[^}]*\})? (\d+)/m.exec(text);
  if (match === null) throw new Error('The api reports no count of fallbacks.');
  return Number(match[1]);
}
