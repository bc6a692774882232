/**
 * Every state that a store delivery can reach. The search starts from a new store delivery and applies every input to
 * every state it finds until it finds no new state, so what is true of these states is true of every store delivery.
 */

import { isDeepStrictEqual } from 'node:util';
import type { StoreDelivery, StoreStep } from '../../src/delivery/domain/store-delivery.ts';
import type { Confirmation } from '../../src/network/face.ts';
import { due, future, initial, type Input, inputsAt, reduce } from './inputs.ts';

/** What changes without a step: the lane claims the message, records that it was sent, and time passes. */
function withoutStep(storeDelivery: StoreDelivery): readonly StoreDelivery[] {
  const { message, takedown, expectedBy } = storeDelivery;
  const mayClaim = message.kind === 'takedown' || takedown === null;
  const inLane = (state: 'sending' | 'sent') => ({
    ...storeDelivery,
    message: { ...message, state },
  });
  return [
    ...(message.state === 'dispatched' && mayClaim ? [inLane('sending')] : []),
    ...(message.state === 'sending' ? [inLane('sent')] : []),
    ...(expectedBy === future ? [{ ...storeDelivery, expectedBy: due }] : []),
  ];
}

/** An input that takes at least one step. */
export type Move = {
  readonly input: Input;
  readonly before: StoreDelivery;
  readonly steps: readonly StoreStep[];
};

export type Exploration = {
  readonly confirmation: Confirmation;
  /** By their keys. */
  readonly states: ReadonlyMap<string, StoreDelivery>;
  /** The keys of the states that can follow each state. */
  readonly next: ReadonlyMap<string, ReadonlySet<string>>;
  readonly moves: readonly Move[];
  /** How many inputs were applied, also those that changed nothing. */
  readonly compared: number;
  /** Where the domain differs from the model. */
  readonly differences: readonly string[];
};

/** More would not help to find the reason. */
const differencesMax = 20;

const typesOf = (steps: readonly StoreStep[]) =>
  steps.map(({ type }) => type).join(', ') || 'nothing';

const describeDifference = (
  { input, before, steps }: Move,
  expected: readonly StoreStep[],
): string =>
  `${input.name}: ${typesOf(steps)}, in the model: ${typesOf(expected)}\n` +
  JSON.stringify({ before, actual: steps.at(-1), expected: expected.at(-1) });

function apply(
  inputs: readonly Input[],
  before: StoreDelivery,
): { readonly moves: readonly Move[]; readonly differences: readonly string[] } {
  const moves = inputs.map((input) => ({ input, before, steps: input.actual(before) }));
  const differences = moves.flatMap((move) => {
    const expected = move.input.expected(before);
    return isDeepStrictEqual(move.steps, expected) ? [] : [describeDifference(move, expected)];
  });
  return { moves: moves.filter(({ steps }) => steps.length > 0), differences };
}

export const keyOf = (storeDelivery: StoreDelivery): string => JSON.stringify(storeDelivery);

function explore(confirmation: Confirmation): Exploration {
  const inputs = inputsAt(confirmation);
  const states = new Map([[keyOf(initial), initial]]);
  const next = new Map<string, Set<string>>();
  const moves: Move[] = [];
  const differences: string[] = [];
  let compared = 0;
  // Iterating a Map visits entries that are added during the iteration.
  for (const [key, before] of states) {
    const applicable = inputs.filter(({ appliesTo }) => appliesTo(before));
    const found = apply(applicable, before);
    compared += applicable.length;
    moves.push(...found.moves);
    differences.push(...found.differences);
    if (differences.length >= differencesMax) break;
    const after = found.moves.map(({ steps }) => steps.at(-1)?.storeDelivery ?? before);
    const following = [...after, ...withoutStep(before)].map((each) => reduce(each));
    for (const each of following) {
      const eachKey = keyOf(each);
      if (!states.has(eachKey)) states.set(eachKey, each);
    }
    next.set(key, new Set(following.map(keyOf)));
  }
  return { confirmation, states, next, moves, compared, differences };
}

let explored: readonly Exploration[] | undefined;

/** For each kind of store. Computed once, because several test files read it. */
export function explorations(): readonly Exploration[] {
  explored ??= (['live', 'ingest', 'none'] as const).map(explore);
  return explored;
}

export const reachableStates = (): readonly StoreDelivery[] =>
  explorations().flatMap(({ states }) => [...states.values()]);
