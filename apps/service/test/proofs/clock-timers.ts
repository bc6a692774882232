/** The model's timers, and the order in which they fire. */

export type TimerKind = 'answer' | 'check' | 'dispatch' | 'decided' | 'review';
type Timer = {
  readonly at: number;
  readonly kind: TimerKind;
  /** Of the delivery or the release that the timer belongs to. */
  readonly index: number;
  readonly fire: () => void;
};

/** Timers with the same time fire in this order: answers, then deadlines and dispatches, then reviews. */
const priorities: Readonly<Record<TimerKind, number>> = {
  answer: 0,
  check: 1,
  dispatch: 1,
  decided: 2,
  review: 3,
};

const compare = (one: Timer, other: Timer): number =>
  one.at - other.at ||
  priorities[one.kind] - priorities[other.kind] ||
  one.index - other.index ||
  (one.kind < other.kind ? -1 : one.kind > other.kind ? 1 : 0);

export type Timers = ReturnType<typeof createModelTimers>;

export function createModelTimers() {
  let waiting: Timer[] = [];
  const first = (): Timer | undefined => waiting.toSorted(compare)[0];
  return {
    set: (timer: Timer): void => void waiting.push(timer),
    nextAt: (): number | undefined => first()?.at,
    /**
     * Removes and returns the next timer, if it is due by `end`, and removes those that it serves: the service marks timers
     * with the same message as fired together.
     */
    takeDue: (end: number): Timer | undefined => {
      const next = first();
      if (next === undefined || next.at > end) return undefined;
      waiting = waiting.filter(
        ({ at, kind, index }) => at > next.at || kind !== next.kind || index !== next.index,
      );
      return next;
    },
  };
}
