import { setTimeout as wait } from 'node:timers/promises';

/** `wake` ends a sleep early. If nothing sleeps, it ends the next sleep at once. */
export type WakeSignal = {
  readonly wake: () => void;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

export function createWakeSignal(): WakeSignal {
  let isWoken = false;
  let wake = new AbortController();
  return {
    wake: () => {
      isWoken = true;
      wake.abort();
    },
    sleep: async (ms, signal) => {
      if (!isWoken) {
        const either = AbortSignal.any([signal, wake.signal]);
        await wait(ms, undefined, { signal: either }).catch(() => undefined);
      }
      isWoken = false;
      wake = new AbortController();
    },
  };
}
