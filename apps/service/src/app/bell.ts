import { setTimeout as wait } from 'node:timers/promises';

/** Wakes whoever rests by it. Rung while nobody rests, it is heard at the next rest. */
export type Bell = {
  readonly ring: () => void;
  readonly rest: (ms: number, signal: AbortSignal) => Promise<void>;
};

export function createBell(): Bell {
  let hasRung = false;
  let wake = new AbortController();
  return {
    ring: () => {
      hasRung = true;
      wake.abort();
    },
    rest: async (ms, signal) => {
      if (!hasRung) {
        const either = AbortSignal.any([signal, wake.signal]);
        await wait(ms, undefined, { signal: either }).catch(() => undefined);
      }
      hasRung = false;
      wake = new AbortController();
    },
  };
}
