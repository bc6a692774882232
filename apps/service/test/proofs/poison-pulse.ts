/**
 * The pulse of an organization nothing is wrong with: release after release is submitted, through whatever trouble,
 * and its review by the worker is waited for.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { OrgClient, TestService } from '../test-service.ts';

const everyMs = 700;
const pollMs = 50;
const limitMs = 120_000;

type Pulse = {
  readonly fault: string;
  begun: number;
  /** A worker was killed while it was on its way: it may have been in the hands of that worker. */
  wasWorkerKilled: boolean;
  ms: number | undefined;
};

export function startPulse(service: TestService, caller: OrgClient) {
  const pulses: Pulse[] = [];
  const waiting = new Set<Promise<void>>();
  const state = { trouble: 'none', isOver: false };

  const submitAndWait = async (): Promise<void> => {
    const id = await service.givenSubmittedRelease(caller);
    const begun = performance.now();
    const beat: Pulse = { fault: state.trouble, begun, wasWorkerKilled: false, ms: undefined };
    pulses.push(beat);
    while (performance.now() - begun < limitMs) {
      const { json } = await caller.call('GET', `/v1/releases/${id}`);
      if (json.submission?.review_status === 'approved') {
        beat.ms = Math.round(performance.now() - beat.begun);
        return;
      }
      await wait(pollMs);
    }
  };
  const beating = (async () => {
    while (!state.isOver) {
      const one = submitAndWait();
      waiting.add(one);
      void one.finally(() => waiting.delete(one)).catch(() => undefined);
      await wait(everyMs);
    }
  })();
  return {
    /** What is going on from now on. */
    setFault: (trouble: string) => {
      state.trouble = trouble;
    },
    markWorkerKilled: () => {
      for (const beat of pulses) if (beat.ms === undefined) beat.wasWorkerKilled = true;
    },
    /** Whoever was submitted while there was no worker at all has been waiting for one since now. */
    markWorkerBack: () => {
      for (const beat of pulses) {
        if (beat.ms === undefined && !beat.wasWorkerKilled) beat.begun = performance.now();
      }
    },
    stop: async () => {
      state.isOver = true;
      await beating;
      await Promise.all(waiting);
      return figuresOf(pulses);
    },
  };
}

function figuresOf(pulses: readonly Pulse[]) {
  const worst: Record<string, number> = {};
  for (const { fault: trouble, ms, wasWorkerKilled: wasCut } of pulses) {
    const name = wasCut ? 'in the hands of a worker that was killed' : trouble;
    worst[name] = Math.max(worst[name] ?? 0, ms ?? Infinity);
  }
  const slowest = (wasCut: boolean) =>
    Math.max(
      0,
      ...pulses.filter((beat) => beat.wasWorkerKilled === wasCut).map(({ ms = Infinity }) => ms),
    );
  return {
    pulses: pulses.length,
    pulses_lost: pulses.filter(({ ms }) => ms === undefined).length,
    pulse_slowest_ms: slowest(false),
    pulse_cut_slowest_ms: slowest(true),
    pulse_slowest_ms_by_trouble: worst,
  };
}
