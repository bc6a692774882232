/** The model's timers: what is due when, and in which order. */
export type TimerKind = 'answer' | 'check' | 'dispatch' | 'decided' | 'review';
type Timer = {
  readonly at: number;
  readonly kind: TimerKind;
  readonly about: number;
  readonly fire: () => void;
};

/** Of what is due together: answers first, then deadlines and sendings, then reviews. */
const services: Readonly<Record<TimerKind, number>> = {
  answer: 0,
  check: 1,
  dispatch: 1,
  decided: 2,
  review: 3,
};

const compare = (one: Timer, other: Timer): number =>
  one.at - other.at ||
  services[one.kind] - services[other.kind] ||
  one.about - other.about ||
  (one.kind < other.kind ? -1 : one.kind > other.kind ? 1 : 0);

export type Timers = ReturnType<typeof createModelTimers>;

export function createModelTimers() {
  let waiting: Timer[] = [];
  const first = (): Timer | undefined => waiting.toSorted(compare)[0];
  return {
    set: (timer: Timer): void => void waiting.push(timer),
    nextAt: (): number | undefined => first()?.at,
    /** Takes the next out, if it is due by then. */
    takeDue: (end: number): Timer | undefined => {
      const next = first();
      if (next === undefined || next.at > end) return undefined;
      waiting = waiting.filter((timer) => timer !== next);
      return next;
    },
  };
}
