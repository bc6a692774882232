/**
 * Predicts the outcome of a sequence: what must be true after each action, and which events are announced. The model
 * predicts an exact sequence completely. A loose sequence, in which the clock runs, is used only if its outcome is the
 * same whether no time, a second or half an hour passes between two requests, and whether due timers fire at once or
 * only with the next advance.
 */

import { formatState, formatTimes } from './clock-format.ts';
import { type Model, openModel } from './clock-model.ts';
import type { SequenceAction, Mode, Sequence } from './clock-script.ts';
import type { AnnouncedEvent } from './clock-types.ts';

export type Checkpoint = {
  /** Whether the request is done or refused. */
  readonly isDone: boolean;
  readonly at: number;
  /** After an advance or an `await`: one line per delivery and per store delivery. Empty if states are not compared. */
  readonly states: readonly string[];
};

export type Forecast = {
  readonly checkpoints: readonly Checkpoint[];
  readonly events: readonly AnnouncedEvent[];
  readonly fired: number;
};

/** Contains times only for exact sequences. */
const formatStates = ({ deliveries }: Model, isExact: boolean): readonly string[] =>
  deliveries.flatMap(({ index, status, storeDeliveries }) => [
    `${index} ${status}`,
    ...storeDeliveries.map((storeDelivery) => {
      const times = isExact ? ` ${formatTimes(storeDelivery)}` : '';
      return `${index} ${storeDelivery.storeId} ${formatState(storeDelivery.state)}${times}`;
    }),
  ]);

type ElapseTime = (model: Model) => void;

/** How long an `await` takes. The awaited states are reached in the shorter time and do not change in the longer. */
const awaitedMs = [5_000, 1_800_000] as const;

const modeAfter = (mode: Mode, action: SequenceAction): Mode =>
  action.kind === 'mode' ? action.mode : mode;

function simulate(
  { timing, start, isReviewedFirst, releases, actions }: Sequence,
  elapse: ElapseTime,
  waitMs: number,
): Forecast {
  const model = openModel(start, releases);
  const isExact = timing === 'exact';
  let mode: Mode = 'manual';
  if (isReviewedFirst) model.advance(start);
  const checkpoints = actions.map((action): Checkpoint => {
    if (mode === 'running') elapse(model);
    mode = modeAfter(mode, action);
    if (action.kind === 'mode') return { isDone: true, at: model.now(), states: [] };
    if (action.kind === 'await') {
      model.elapse(waitMs);
      return { isDone: true, at: model.now(), states: formatStates(model, isExact) };
    }
    if (action.kind !== 'advance')
      return { isDone: model.applyRequest(action), at: model.now(), states: [] };
    model.advance('ms' in action ? model.now() + action.ms : start + action.toMs);
    const skipsStates = 'ms' in action && action.skipsStateCheck === true;
    return {
      isDone: true,
      at: model.now(),
      states: skipsStates ? [] : formatStates(model, isExact),
    };
  });
  return { checkpoints, events: model.events, fired: model.fired() };
}

const elapseVariants: readonly ElapseTime[] = [
  (model) => model.elapse(1_000),
  (model) => model.elapseWithoutFiring(1_000),
  (model) => model.elapse(40_000),
  (model) => model.elapseWithoutFiring(40_000),
  (model) => model.elapse(300_000),
  (model) => model.elapseWithoutFiring(300_000),
  (model) => model.elapse(1_800_000),
  (model) => model.elapseWithoutFiring(1_800_000),
];

/** Undefined if the outcome depends on how much real time passes. */
export function forecastSequence(sequence: Sequence): Forecast | undefined {
  const [shortMs, longMs] = awaitedMs;
  const first = simulate(sequence, (model) => model.elapse(0), shortMs);
  if (sequence.timing === 'exact') return first;
  const outcome = comparableOutcome(first);
  const isTheSame = elapseVariants.every(
    (elapse) => comparableOutcome(simulate(sequence, elapse, longMs)) === outcome,
  );
  return isTheSame ? first : undefined;
}

/** The outcome without times, with the events of each store by themselves. */
const comparableOutcome = ({ checkpoints, events }: Forecast): string =>
  [
    ...checkpoints.map(({ isDone, states }) => `${isDone} ${states.join(', ')}`),
    formatByStore(events),
  ].join('\n');

/** The events of each store in their order, without the order between stores. */
export const formatByStore = (events: readonly AnnouncedEvent[]): string =>
  [...Map.groupBy(events, ({ delivery, store }) => `${delivery} ${store}`)]
    .map(([key, list]) => [key, ...list.map(({ text }) => text)].join('\n'))
    .toSorted((one, other) => (one < other ? -1 : 1))
    .join('\n');
