import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type WakeSignal, createWakeSignal } from './wake-signal.ts';

/** An extra pause after a failure. */
const failureDelayMs = 500;

type LoopOptions = {
  readonly name: string;
  readonly everyMs: number;
  /** Rung when there is something to do, so that it need not wait. */
  readonly wakeSignal?: WakeSignal;
  readonly logger: Logger;
  readonly signal: AbortSignal;
};

/**
 * Does something again and again until told to stop. A failure is logged and tried again: what is
 * repeated here must be safe to repeat. Work that says it did something is followed without a pause.
 */
export async function runLoop(
  { name, everyMs, logger, signal, wakeSignal: bell = createWakeSignal() }: LoopOptions,
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
      await bell.sleep(everyMs, signal);
    }
  }
}
