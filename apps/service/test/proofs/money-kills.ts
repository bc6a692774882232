/**
 * Which step of which month of `prove money` is interrupted, and what is killed: chosen by the seed before the month
 * begins. A step that was interrupted less often comes first, and a kind that was killed less often.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { closeGates, killTask, type Step, tasks } from './money-gates.ts';
import type { Month } from './money-month.ts';
import type { MoneyStack } from './money-stack.ts';
import type { Random } from './random.ts';

const kinds = ['worker', 'task', 'relay', 'engine', 'postgres'] as const;
type Kind = (typeof kinds)[number];
type Kill = { readonly step: Step; readonly kind: Kind };

export type KillCounts = {
  readonly steps: Record<string, number>;
  readonly kinds: Record<string, number>;
  readonly pairs: Record<string, number>;
};

export type KillPlan = {
  readonly killsMin: number;
  readonly months: number;
  /** One of the kills loses the disk of the engine. */
  readonly losesDisk: boolean;
};

export function createKiller(stack: MoneyStack, random: Random, plan: KillPlan) {
  const planned: KillCounts = { steps: {}, kinds: {}, pairs: {} };
  const done: KillCounts = { steps: {}, kinds: {}, pairs: {} };
  let kills = 0;
  let disksLost = 0;

  const choose = (month: number, sequence: readonly Step[]): Kill[] => {
    const due = Math.ceil((plan.killsMin * (month + 1)) / plan.months);
    const wanted = Math.min(sequence.length, Math.max(0, due - kills));
    const order = sequence.map((step, position) => ({ step, position, dice: random.below(1_000) }));
    const timesOf = ({ step }: { readonly step: Step }) => planned.steps[step] ?? 0;
    const chosen = new Set<number>();
    while (chosen.size < wanted) {
      const [next] = order
        .filter(({ position }) => !chosen.has(position))
        .toSorted((a, b) => timesOf(a) - timesOf(b) || a.dice - b.dice);
      if (next === undefined) break;
      chosen.add(next.position);
      count(planned.steps, next.step);
    }
    return [...chosen].map((position) => {
      const step = sequence[position]!;
      return { step, kind: chooseKind(step) };
    });
  };

  const chooseKind = (step: Step): Kind => {
    const possible = kinds.filter((kind) => kind !== 'task' || tasks[step] !== undefined);
    const timesOf = (kind: Kind) => planned.pairs[`${step} ${kind}`] ?? 0;
    const [kind = 'worker'] = possible
      .map((each) => ({ each, dice: random.below(1_000) }))
      .toSorted(
        (a, b) =>
          timesOf(a.each) - timesOf(b.each) ||
          (planned.kinds[a.each] ?? 0) - (planned.kinds[b.each] ?? 0) ||
          a.dice - b.dice,
      )
      .map(({ each }) => each);
    count(planned.pairs, `${step} ${kind}`);
    count(planned.kinds, kind);
    return kind;
  };

  /** Kills at the first step that is reached, and removes it from `left`. */
  const killNext = async (left: Kill[], isOver: () => boolean): Promise<void> => {
    const isOfTask = ({ kind }: Kill): boolean => kind === 'task';
    const atGates = left.filter((each) => !isOfTask(each));
    const gates = await closeGates(stack, [...new Set(atGates.map(({ step }) => step))]);
    try {
      while (!isOver()) {
        const ofTask = left.find((each) => isOfTask(each) && killTask(stack, each.step));
        if (ofTask !== undefined) return enter(left, ofTask, 'task');
        const waiting = await gates.findWaiting();
        const atGate = atGates.find(({ step }) => step === waiting);
        if (atGate === undefined) {
          await wait(pollMs);
          continue;
        }
        const losesDisk = plan.losesDisk && disksLost === 0 && kills >= plan.killsMin / 2;
        const kind = losesDisk ? 'disk' : (atGate.kind as Exclude<Kind, 'task'>);
        await stack.killAndRestart[kind](() => gates.open(atGate.step));
        return enter(left, atGate, kind);
      }
    } finally {
      await gates.openAll();
    }
  };

  const enter = (left: Kill[], kill: Kill, kind: Kind | 'disk'): void => {
    left.splice(left.indexOf(kill), 1);
    kills++;
    if (kind === 'disk') disksLost++;
    count(done.steps, kill.step);
    count(done.kinds, kind);
    count(done.pairs, `${kill.step} ${kind}`);
  };

  return {
    counts: done,
    kills: () => kills,
    disksLost: () => disksLost,
    /** The kills of one month, one after the other. `sequence`: the steps that the month will have. */
    killDuring: async (month: number, sequence: readonly Step[], isOver: () => boolean) => {
      const left = choose(month, sequence);
      while (left.length > 0 && !isOver()) await killNext(left, isOver);
    },
  };
}

/** Processes of steps live for less than a second. */
const pollMs = 10;

const count = (counts: Record<string, number>, key: string): void => {
  counts[key] = (counts[key] ?? 0) + 1;
};

/** The steps that a month surely has. */
export function sequenceOf({ hasBlockedRun, isRecalculated, isRestated }: Month): readonly Step[] {
  const reverse = isRestated ? (['reverse'] as const) : [];
  const calculated: readonly Step[] = [
    'plan',
    'calculate',
    'allocate',
    'finish',
    ...reverse,
    'review',
  ];
  return [
    'read',
    'read',
    'read',
    ...(hasBlockedRun ? (['plan', 'review', 'discard'] as const) : []),
    ...(isRecalculated ? [...calculated, 'discard' as const] : []),
    ...calculated,
    'announce',
    'close',
    'complete',
  ];
}
