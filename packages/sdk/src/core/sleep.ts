/** Waiting that ends when its signal says so. */

export type Alarm = {
  /** Resolves after the time or when it is rung early. Rejects with the reason of the signal. */
  readonly rung: Promise<void>;
  ring(): void;
};

export function alarm(ms: number, signal?: AbortSignal): Alarm {
  let ring: () => void = () => undefined; // oxlint-disable-line unicorn/consistent-function-scoping -- replaced below
  const rung = new Promise<void>((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      settle();
    };
    const stop = () => end(() => reject(signal?.reason));
    ring = () => end(resolve);
    const timer = setTimeout(ring, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
  return { rung, ring };
}

export const sleep = (ms: number, signal?: AbortSignal): Promise<void> => alarm(ms, signal).rung;

/** The value, or a rejection with the reason of the signal. What makes the value goes on for others. */
export function untilAborted<T>(value: T | Promise<T>, signal?: AbortSignal): T | Promise<T> {
  if (!(value instanceof Promise) || signal === undefined) return value;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
