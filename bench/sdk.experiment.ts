/**
 * Compares the processor time of one call of the SDK with that of `fetch` alone, in one process, against a server in
 * another that does nothing but answer. Processor time of this process, because it hardly depends on other load of the
 * machine.
 *
 * The bar: a call of the SDK uses at most 0.3 ms more, for GET and for POST. It fails when the core does more for each
 * call.
 */

import { join } from 'node:path';
import { type CreateRelease, Tonearm } from '@tonearm/sdk';
import type { Experiment } from '../scripts/experiments/experiment.ts';
import { root } from '../scripts/servers/server.ts';
import { interleave, median, type Rounds } from './blocks.ts';
import { startProcess, untilAnswering } from './start-process.ts';

const sizes = {
  start: { rounds: 1, calls: 50, warm: 50 },
  full: { rounds: 15, calls: 1_000, warm: 2_000 },
};
const port = 26_490;

const release: CreateRelease = {
  title: 'Night Drive',
  artists: [{ name: 'Aurora Díaz', role: 'main' }],
  release_date: '2027-01-15',
};
const id = 'rel_01m74z2pe0emj8rpmscqkq6ty7';

type Call = () => PromiseLike<unknown>;

/** What a program without the SDK would write at least. */
function bareCalls(url: string): Record<string, Call> {
  const headers = { authorization: 'Bearer ta_test_bench' };
  const jsonHeaders = { ...headers, 'content-type': 'application/json' };
  return {
    get_fetch: async () => (await fetch(`${url}/v1/releases/${id}`, { headers })).json(),
    create_fetch: async () => {
      const idempotency = { 'idempotency-key': crypto.randomUUID() };
      const answer = await fetch(`${url}/v1/releases`, {
        method: 'POST',
        headers: { ...jsonHeaders, ...idempotency },
        body: JSON.stringify(release),
      });
      return answer.json();
    },
  };
}

function sdkCalls(url: string): Record<string, Call> {
  const tonearm = new Tonearm({ apiKey: 'ta_test_bench', baseUrl: url });
  return {
    get_sdk: () => tonearm.releases.get(id),
    create_sdk: () => tonearm.releases.create(release),
  };
}

/** Microseconds of this process for one call. */
async function costOf(call: Call, calls: number): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i++) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

/** Milliseconds that a call of the SDK uses more than `fetch`, in the median of the rounds. */
function overheadOf(rounds: Rounds, route: string): number {
  const bare = rounds[`${route}_fetch`] ?? [];
  const more = (rounds[`${route}_sdk`] ?? []).map((cost, i) => cost - (bare[i] ?? Number.NaN));
  return Math.round(median(more)) / 1_000;
}

const milliseconds = (costs: readonly number[] = []) => Math.round(median(costs)) / 1_000;

export const experiment: Experiment = {
  compares: 'processor time per call of the SDK, against fetch alone',
  bar: (size) =>
    size === 'full'
      ? { get_overhead_ms: { atMost: 0.3 }, create_overhead_ms: { atMost: 0.3 } }
      : { calls: { atLeast: 1 } },
  run: async (lab) => {
    const { rounds, calls, warm } = sizes[lab.size === 'start' ? 'start' : 'full'];
    const ownPort = port + Number(process.env['TONEARM_PORT_OFFSET'] ?? 0);
    const url = `http://127.0.0.1:${ownPort}`;
    const server = startProcess(
      lab,
      'sdk-server',
      [join(root, 'bench/sdk-server.ts'), String(ownPort)],
      {},
    );
    await untilAnswering(ownPort, '/');
    const contenders = Object.entries({ ...bareCalls(url), ...sdkCalls(url) });
    for (const [, call] of contenders) await costOf(call, warm);
    const costs = await interleave(
      rounds,
      contenders.map(([name, call]) => ({ name, measure: () => costOf(call, calls) })),
      lab.say,
    );
    server.stop();
    return {
      rounds,
      calls,
      get_fetch_ms: milliseconds(costs['get_fetch']),
      get_sdk_ms: milliseconds(costs['get_sdk']),
      get_overhead_ms: overheadOf(costs, 'get'),
      create_fetch_ms: milliseconds(costs['create_fetch']),
      create_sdk_ms: milliseconds(costs['create_sdk']),
      create_overhead_ms: overheadOf(costs, 'create'),
    };
  },
};
