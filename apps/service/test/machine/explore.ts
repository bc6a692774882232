/**
 * Every state that a store delivery can reach. The search starts from a new store delivery and applies every input to
 * every state it finds until it finds no new state, so what is true of these states is true of every store delivery.
 */

import { isDeepStrictEqual } from 'node:util';
import type { StoreDelivery, StoreStep } from '../../src/delivery/domain/store-delivery.ts';
import type { Confirmation } from '../../src/network/face.ts';
import { due, future, initial, type Input, inputsAt, reduce } from './inputs.ts';

/** What changes without a step: the lane claims the message, records that it was sent, and time passes. */
export function withoutStep(storeDelivery: StoreDelivery): readonly StoreDelivery[] {
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
  /** The key of the state after it. */
  readonly to: string;
};

export type Exploration = {
  readonly confirmation: Confirmation;
  /** By their keys. */
  readonly states: ReadonlyMap<string, StoreDelivery>;
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

function findDifference(
  { name, expected: expectedOf }: Input,
  before: StoreDelivery,
  steps: readonly StoreStep[],
): string | undefined {
  const expected = expectedOf(before);
  if (steps.length === 0 && expected.length === 0) return undefined;
  if (isDeepStrictEqual(steps, expected)) return undefined;
  const shown = JSON.stringify({ before, actual: steps.at(-1), expected: expected.at(-1) });
  return `${name}: ${typesOf(steps)}, in the model: ${typesOf(expected)}\n${shown}`;
}

export const keyOf = (storeDelivery: StoreDelivery): string => JSON.stringify(storeDelivery);

function explore(confirmation: Confirmation): Exploration {
  const inputs = inputsAt(confirmation);
  const states = new Map([[keyOf(initial), initial]]);
  const moves: Move[] = [];
  const differences: string[] = [];
  let compared = 0;
  const reach = (after: StoreDelivery): string => {
    const reduced = reduce(after);
    const key = keyOf(reduced);
    if (!states.has(key)) states.set(key, reduced);
    return key;
  };
  // Iterating a Map visits entries that are added during the iteration.
  for (const before of states.values()) {
    for (const input of inputs) {
      if (!input.appliesTo(before)) continue;
      const steps = input.actual(before);
      const difference = findDifference(input, before, steps);
      if (difference !== undefined) differences.push(difference);
      const after = steps.at(-1)?.storeDelivery;
      if (after !== undefined) moves.push({ input, before, steps, to: reach(after) });
      compared++;
    }
    for (const after of withoutStep(before)) reach(after);
    if (differences.length >= differencesMax) break;
  }
  return { confirmation, states, moves, compared, differences };
}

let explored: readonly Exploration[] | undefined;

/** For each kind of store. Computed once, because several test files read it. */
export function explorations(): readonly Exploration[] {
  explored ??= (['live', 'ingest', 'none'] as const).map(explore);
  return explored;
}

export const reachableStates = (): readonly StoreDelivery[] =>
  explorations().flatMap(({ states }) => [...states.values()]);
