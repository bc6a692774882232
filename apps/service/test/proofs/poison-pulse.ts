/**
 * The pulse of an organization nothing is wrong with: release after release is submitted, through whatever trouble,
 * and its review by the worker is waited for.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { OrgClient, TestService } from '../test-service.ts';

const everyMs = 700;
const pollMs = 50;
const limitMs = 120_000;

type Beat = {
  readonly trouble: string;
  begun: number;
  /** A worker was killed while it was on its way: it may have been in the hands of that worker. */
  wasCut: boolean;
  ms: number | undefined;
};

export function startPulse(service: TestService, caller: OrgClient) {
  const beats: Beat[] = [];
  const waiting = new Set<Promise<void>>();
  const state = { trouble: 'none', isOver: false };

  const submitAndWait = async (): Promise<void> => {
    const id = await service.givenSubmittedRelease(caller);
    const begun = performance.now();
    const beat: Beat = { trouble: state.trouble, begun, wasCut: false, ms: undefined };
    beats.push(beat);
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
    during: (trouble: string) => {
      state.trouble = trouble;
    },
    noteKill: () => {
      for (const beat of beats) if (beat.ms === undefined) beat.wasCut = true;
    },
    /** Whoever was submitted while there was no worker at all has been waiting for one since now. */
    noteBack: () => {
      for (const beat of beats) {
        if (beat.ms === undefined && !beat.wasCut) beat.begun = performance.now();
      }
    },
    stop: async () => {
      state.isOver = true;
      await beating;
      await Promise.all(waiting);
      return figuresOf(beats);
    },
  };
}

function figuresOf(beats: readonly Beat[]) {
  const worst: Record<string, number> = {};
  for (const { trouble, ms, wasCut } of beats) {
    const name = wasCut ? 'in the hands of a worker that was killed' : trouble;
    worst[name] = Math.max(worst[name] ?? 0, ms ?? Infinity);
  }
  const slowest = (wasCut: boolean) =>
    Math.max(0, ...beats.filter((beat) => beat.wasCut === wasCut).map(({ ms = Infinity }) => ms));
  return {
    pulses: beats.length,
    pulses_lost: beats.filter(({ ms }) => ms === undefined).length,
    pulse_slowest_ms: slowest(false),
    pulse_cut_slowest_ms: slowest(true),
    pulse_slowest_ms_by_trouble: worst,
  };
}
