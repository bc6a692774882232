/** Kills the processes in turn, each when its share of the pairs has begun; in the middle Restate loses its disk. */

import { setTimeout as wait } from 'node:timers/promises';
import type { Lab } from '../../../../scripts/experiments/experiment.ts';
import type { TestService } from '../test-service.ts';
import type { KillableProcesses } from './killable-processes.ts';
import type { Duplicate } from './webhooks-receivers.ts';

export type Progress = {
  readonly pairs: number;
  readonly kills: number;
  /** Pairs whose first attempt has arrived. */
  readonly begun: () => number;
  killed: number;
  /** All releases are created, and all clock moves of the partners have ended. */
  isScenarioDone: boolean;
};

type InjectedFault = { readonly kind: string; readonly from: number; readonly to: number };

export type InjectedFaults = {
  readonly faults: readonly InjectedFault[];
  readonly pendingWhenDiskWasLost: number;
};

const killOrder = ['worker', 'engine', 'relay', 'postgres', 'worker', 'api'];
/** The share of the pairs over which the kills are spread. */
const killsEndAt = 0.92;
const diskLostAt = 0.45;
/** Without progress the next kill waits for longer than a hanging attempt lasts, so that the attempt can end. */
const stallMs = 35_000;
/** How many pairs should wait for their first attempt when Restate loses its disk. */
const pendingWanted = 200;
const pendingWithinMs = 15_000;

export async function injectFaults(
  { say }: Lab,
  service: TestService,
  { killAndRestart, loseDisk }: KillableProcesses,
  progress: Progress,
  losesDisk: boolean,
): Promise<InjectedFaults> {
  const faults: InjectedFault[] = [];
  const inject = async (kind: string, execute: () => Promise<void>) => {
    const from = Date.now();
    await execute();
    faults.push({ kind, from, to: Date.now() });
  };
  let pendingWhenDiskWasLost = 0;
  for (let i = 0; i < progress.kills; i++) {
    await untilBegun(progress, (killsEndAt * progress.pairs * i) / progress.kills);
    if (losesDisk && i === Math.floor(diskLostAt * progress.kills)) {
      pendingWhenDiskWasLost = await untilPending(service);
      say(`Restate loses its disk, with ${pendingWhenDiskWasLost} first attempts pending`);
      await inject('disk', loseDisk);
    }
    await wait(300 + Math.random() * 900);
    const kind = killOrder[i % killOrder.length]!;
    await inject(kind, killAndRestart[kind]!);
    progress.killed++;
    if (i % 5 === 4) say(`${i + 1} kills, ${progress.begun()} of ${progress.pairs} pairs begun`);
  }
  return { faults, pendingWhenDiskWasLost };
}

async function untilBegun(progress: Progress, begun: number): Promise<void> {
  let lastBegun = progress.begun();
  let movedAt = Date.now();
  while (lastBegun < begun && !progress.isScenarioDone && Date.now() - movedAt < stallMs) {
    await wait(50);
    if (progress.begun() !== lastBegun) movedAt = Date.now();
    lastBegun = progress.begun();
  }
}

/** Waits until many pairs have had no attempt yet; returns how many. */
async function untilPending(service: TestService): Promise<number> {
  const deadline = Date.now() + pendingWithinMs;
  for (;;) {
    const rows = await service
      .query(
        `select count(*)::int as n from webhook_deliveries where status = 'pending' and attempts = 0`,
      )
      .catch(() => []);
    const n = rows[0]?.n ?? 0;
    if (n >= pendingWanted || Date.now() > deadline) return n;
    await wait(20);
  }
}

/** A process that a kill cut off may still be sending when another one makes the same attempt. */
const aftermathMs = 15_000;
const samplesMax = 8;

/**
 * A receiver that closes a kept connection without an answer gets the attempt again, on a new one (ADR 0059).
 * Otherwise an attempt is made twice if the process that made it or was to record it was killed, or cut off by a kill.
 * For each duplicate this computes how long before its first arrival the last kill had ended: 0 if a kill was between
 * the two.
 */
export function explainDuplicates({ faults }: InjectedFaults, duplicates: readonly Duplicate[]) {
  const others = duplicates.filter(({ isResent }) => !isResent);
  const explained = others.map((duplicate) => {
    const earlier = faults.filter(({ from }) => from <= duplicate.at);
    const distances = earlier.map(({ to }) => Math.max(0, duplicate.firstAt - to));
    return { ...duplicate, ms: Math.min(...distances) };
  });
  const unexplained = explained.filter(({ ms }) => ms > aftermathMs);
  return {
    duplicates: duplicates.length,
    resent_after_reset: duplicates.length - others.length,
    duplicates_after_kill: explained.filter(({ ms }) => ms > 0).length,
    latest_duplicate_after_kill_ms: Math.max(0, ...explained.map(({ ms }) => ms)),
    unexplained_duplicates: unexplained.length,
    unexplained_samples: unexplained
      .slice(0, samplesMax)
      .map(
        ({ name, firstAt, at, ms }) =>
          `${name}: ${ms} ms after a kill, again ${at - firstAt} ms later`,
      ),
  };
}
