/**
 * What must come of a sequence. Exact ones are told by the model alone. Of loose ones, in which the clock runs,
 * only those are played whose outcome is the same whether no time passes between two requests, or some, or minutes,
 * and whether what is due is fired at once or only by the next advance.
 */

import { type Model, openModel } from './clock-model.ts';
import type { SequenceAction, Mode, Sequence } from './clock-script.ts';
import type { AnnouncedEvent } from './clock-types.ts';

export type Checkpoint = {
  /** Whether the request is done or refused. */
  readonly isDone: boolean;
  readonly at: number;
  /** After an advance, or when it was waited for: how each delivery and each of its stores stand. */
  readonly states: readonly string[];
};

export type Forecast = {
  readonly checkpoints: readonly Checkpoint[];
  readonly events: readonly AnnouncedEvent[];
  readonly fired: number;
};

const timeOf = (at: number | null): string => (at === null ? '-' : new Date(at).toISOString());

/** Times are told of exact sequences only. */
export const formatStoreDelivery = (
  storeDelivery: {
    readonly storeId: string;
    readonly status: string;
    readonly revision: number;
    readonly pendingRevision: number | null;
    readonly code: string | null;
    readonly liveAt: number | null;
    readonly expectedBy: number | null;
  },
  isExact: boolean,
): string =>
  [
    storeDelivery.storeId,
    storeDelivery.status,
    storeDelivery.revision,
    storeDelivery.pendingRevision ?? '-',
    storeDelivery.code ?? '-',
    ...(isExact
      ? [timeOf(storeDelivery.liveAt), timeOf(storeDelivery.expectedBy)]
      : [storeDelivery.liveAt !== null]),
  ].join(' ');

const formatStates = ({ deliveries }: Model, isExact: boolean): readonly string[] =>
  deliveries.flatMap(({ index, status, storeDeliveries: parts }) => [
    `${index} ${status}`,
    ...parts.map((part) => {
      const code = part.refusal?.code ?? null;
      return `${index} ${formatStoreDelivery({ ...part, code }, isExact)}`;
    }),
  ]);

type ElapseTime = (model: Model) => void;

/** Whatever is waited for comes within the first, and nothing else until the second. */
const awaitedMs = [5_000, 300_000] as const;

const modeAfter = (mode: Mode, act: SequenceAction): Mode =>
  act.kind === 'mode' ? act.mode : mode;

function simulate(
  { timing: way, start, isReviewedFirst, releases, actions: acts }: Sequence,
  pass: ElapseTime,
  waitMs: number,
): Forecast {
  const model = openModel(start, releases);
  const isExact = way === 'exact';
  let mode: Mode = 'manual';
  if (isReviewedFirst) model.advance(start);
  const looks = acts.map((act): Checkpoint => {
    if (mode === 'running') pass(model);
    mode = modeAfter(mode, act);
    if (act.kind === 'mode') return { isDone: true, at: model.now(), states: [] };
    if (act.kind === 'await') {
      model.elapse(waitMs);
      return { isDone: true, at: model.now(), states: formatStates(model, isExact) };
    }
    if (act.kind !== 'advance')
      return { isDone: model.applyRequest(act), at: model.now(), states: [] };
    model.advance('ms' in act ? model.now() + act.ms : start + act.toMs);
    const isBlind = 'ms' in act && act.skipsStateCheck === true;
    return { isDone: true, at: model.now(), states: isBlind ? [] : formatStates(model, isExact) };
  });
  return { checkpoints: looks, events: model.told, fired: model.fired() };
}

const elapseVariants: readonly ElapseTime[] = [
  (model) => model.elapse(1_000),
  (model) => model.elapseWithoutFiring(1_000),
  (model) => model.elapse(40_000),
  (model) => model.elapseWithoutFiring(40_000),
  (model) => model.elapse(200_000),
  (model) => model.elapseWithoutFiring(200_000),
];

/** Undefined where it would depend on how long things take. */
export function forecastSequence(sequence: Sequence): Forecast | undefined {
  const [shortMs, longMs] = awaitedMs;
  const first = simulate(sequence, (model) => model.elapse(0), shortMs);
  if (sequence.timing === 'exact') return first;
  const essence = comparableOutcome(first);
  const isSure = elapseVariants.every(
    (pass) => comparableOutcome(simulate(sequence, pass, longMs)) === essence,
  );
  return isSure ? first : undefined;
}

/** Without times, and what each store is told apart from the others. */
const comparableOutcome = ({ checkpoints: looks, events: told }: Forecast): string =>
  [
    ...looks.map(({ isDone, states }) => `${isDone} ${states.join(', ')}`),
    formatByStore(told),
  ].join('\n');

/** In the order of each store, whatever came in between. */
export const formatByStore = (events: readonly AnnouncedEvent[]): string =>
  [...Map.groupBy(events, ({ delivery, store }) => `${delivery} ${store}`)]
    .map(([key, list]) => [key, ...list.map(({ text }) => text)].join('\n'))
    .toSorted((one, other) => (one < other ? -1 : 1))
    .join('\n');
