import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';

/** An extra pause after a failure. */
const failureDelayMs = 500;

type LoopOptions = {
  readonly name: string;
  readonly everyMs: number;
  readonly logger: Logger;
  readonly signal: AbortSignal;
};

/**
 * Repeats `work` until the signal is aborted. A failure is logged and retried, so `work` must be safe to repeat. If it
 * returns a positive number, it runs again without a pause.
 */
export async function runLoop(
  { name, everyMs, logger, signal }: LoopOptions,
  work: () => Promise<number | void>,
): Promise<void> {
  while (!signal.aborted) {
    let done: number | void = 0;
    try {
      done = await work();
    } catch (error) {
      logger.error({ err: error }, `the ${name} could not work; it tries again`);
      await wait(failureDelayMs, undefined, { signal }).catch(() => undefined);
    }
    if (typeof done !== 'number' || done === 0) {
      await wait(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
