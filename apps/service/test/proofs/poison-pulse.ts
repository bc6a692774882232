/**
 * The pulses of an organization that no fault touches: a release is submitted every 700 ms during all faults, and the
 * time until the worker has reviewed it is measured.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { OrgClient, TestService } from '../test-service.ts';

const submitEveryMs = 700;
const pollMs = 50;
const limitMs = 240_000;

type Pulse = {
  readonly fault: string;
  begun: number;
  /** A worker was killed while this review was pending, so the invocation may have run in that worker. */
  wasWorkerKilled: boolean;
  ms: number | undefined;
};

export function startPulse(service: TestService, caller: OrgClient) {
  const pulses: Pulse[] = [];
  const waiting = new Set<Promise<void>>();
  const state = { fault: 'none', isOver: false };

  const submitAndWait = async (): Promise<void> => {
    const id = await service.givenSubmittedRelease(caller);
    const begun = performance.now();
    const pulse: Pulse = { fault: state.fault, begun, wasWorkerKilled: false, ms: undefined };
    pulses.push(pulse);
    while (performance.now() - begun < limitMs) {
      const { json } = await caller.call('GET', `/v1/releases/${id}`);
      if (json.submission?.review_status === 'approved') {
        pulse.ms = Math.round(performance.now() - pulse.begun);
        return;
      }
      await wait(pollMs);
    }
  };
  const submitting = (async () => {
    while (!state.isOver) {
      const one = submitAndWait();
      waiting.add(one);
      void one.finally(() => waiting.delete(one)).catch(() => undefined);
      await wait(submitEveryMs);
    }
  })();
  return {
    /** Names the fault that lasts from now on. */
    setFault: (fault: string) => {
      state.fault = fault;
    },
    markWorkerKilled: () => {
      for (const pulse of pulses) if (pulse.ms === undefined) pulse.wasWorkerKilled = true;
    },
    /** Releases that were submitted while no worker ran are measured from now on. */
    markWorkerBack: () => {
      for (const pulse of pulses) {
        if (pulse.ms === undefined && !pulse.wasWorkerKilled) pulse.begun = performance.now();
      }
    },
    stop: async () => {
      state.isOver = true;
      await submitting;
      await Promise.all(waiting);
      return figuresOf(pulses);
    },
  };
}

function figuresOf(pulses: readonly Pulse[]) {
  const slowestByFault: Record<string, number> = {};
  for (const { fault, ms, wasWorkerKilled } of pulses) {
    const name = wasWorkerKilled ? 'in the hands of a worker that was killed' : fault;
    slowestByFault[name] = Math.max(slowestByFault[name] ?? 0, ms ?? Infinity);
  }
  const slowest = (wasWorkerKilled: boolean) =>
    Math.max(
      0,
      ...pulses
        .filter((pulse) => pulse.wasWorkerKilled === wasWorkerKilled)
        .map(({ ms = Infinity }) => ms),
    );
  return {
    pulses: pulses.length,
    pulses_lost: pulses.filter(({ ms }) => ms === undefined).length,
    pulse_slowest_ms: slowest(false),
    pulse_cut_slowest_ms: slowest(true),
    pulse_slowest_ms_by_trouble: slowestByFault,
  };
}
