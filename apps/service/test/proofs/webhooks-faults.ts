/** Kills in turn, each at its share of the way; in the middle Restate loses its disk. */

import { setTimeout as wait } from 'node:timers/promises';
import type { Lab } from '../../../../scripts/experiments/experiment.ts';
import type { TestService } from '../test-service.ts';
import type { KillableProcesses } from './killable-processes.ts';

export type Progress = {
  readonly pairs: number;
  readonly kills: number;
  /** Pairs of which anything has arrived. */
  readonly begun: () => number;
  killed: number;
  /** All has been created, and has had its first attempt or will have it. */
  isScenarioDone: boolean;
};

type InjectedFault = { readonly kind: string; readonly from: number; readonly to: number };

export type InjectedFaults = {
  readonly faults: readonly InjectedFault[];
  readonly pendingWhenDiskWasLost: number;
};

const killOrder = ['worker', 'engine', 'relay', 'postgres', 'worker', 'api'];
/** Kills are spread over the first part of the run. */
const killsEndAt = 0.92;
const diskLostAt = 0.45;
/** Where nothing moves, the next kill waits longer than an attempt that hangs: else it would never end. */
const stallMs = 35_000;
/** So many pairs are to be in the lanes when their disk is lost. */
const pendingWanted = 200;
const pendingPatienceMs = 15_000;

export async function injectFaults(
  { say }: Lab,
  service: TestService,
  { killAndRestart: kinds, loseDisk }: KillableProcesses,
  progress: Progress,
  losesDisk: boolean,
): Promise<InjectedFaults> {
  const blows: InjectedFault[] = [];
  const inject = async (kind: string, execute: () => Promise<void>) => {
    const from = Date.now();
    await execute();
    blows.push({ kind, from, to: Date.now() });
  };
  let pendingWhenDiskWasLost = 0;
  for (let i = 0; i < progress.kills; i++) {
    await untilBegun(progress, (killsEndAt * progress.pairs * i) / progress.kills);
    if (losesDisk && i === Math.floor(diskLostAt * progress.kills)) {
      pendingWhenDiskWasLost = await untilPending(service);
      say(`Restate loses its disk, with ${pendingWhenDiskWasLost} attempts to be made`);
      await inject('disk', loseDisk);
    }
    await wait(300 + Math.random() * 900);
    const kind = killOrder[i % killOrder.length]!;
    await inject(kind, kinds[kind]!);
    progress.killed++;
    if (i % 5 === 4) say(`${i + 1} kills, ${progress.begun()} of ${progress.pairs} pairs begun`);
  }
  return { faults: blows, pendingWhenDiskWasLost };
}

async function untilBegun(progress: Progress, begun: number): Promise<void> {
  let seen = progress.begun();
  let movedAt = Date.now();
  while (seen < begun && !progress.isScenarioDone && Date.now() - movedAt < stallMs) {
    await wait(50);
    if (progress.begun() !== seen) movedAt = Date.now();
    seen = progress.begun();
  }
}

/** How many first attempts are not made, once there are many. */
async function untilPending(service: TestService): Promise<number> {
  const deadline = Date.now() + pendingPatienceMs;
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

/** Whoever was cut off by a kill may still be sending when another is given the same to do. */
const aftermathMs = 15_000;

/**
 * An attempt is made twice because whoever made it first, or was to note it, was killed or cut off by a kill. How long
 * before the first of the two the last kill was over: 0 when one was between them.
 */
export function explainDuplicates(
  { faults: blows }: InjectedFaults,
  duplicates: readonly { readonly firstAt: number; readonly at: number }[],
) {
  const distances = duplicates.map(({ firstAt, at }) =>
    Math.min(...blows.filter(({ from }) => from <= at).map(({ to }) => Math.max(0, firstAt - to))),
  );
  return {
    duplicates: duplicates.length,
    duplicates_after_kill: distances.filter((ms) => ms > 0).length,
    latest_duplicate_after_kill_ms: Math.max(0, ...distances),
    unexplained_duplicates: distances.filter((ms) => ms > aftermathMs).length,
  };
}
