import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Bell, createBell } from './bell.ts';

/** An extra pause after a failure. */
const troubledMs = 500;

type Rhythm = {
  readonly name: string;
  readonly everyMs: number;
  /** Rung when there is something to do, so that it need not wait. */
  readonly bell?: Bell;
  readonly logger: Logger;
  readonly signal: AbortSignal;
};

/**
 * Does something again and again until told to stop. A failure is logged and tried again: what is
 * repeated here must be safe to repeat. Work that says it did something is followed without a pause.
 */
export async function repeat(
  { name, everyMs, logger, signal, bell = createBell() }: Rhythm,
  work: () => Promise<number | void>,
): Promise<void> {
  while (!signal.aborted) {
    let done: number | void = 0;
    try {
      done = await work();
    } catch (error) {
      logger.error({ err: error }, `the ${name} could not work; it tries again`);
      await wait(troubledMs, undefined, { signal }).catch(() => undefined);
    }
    if (typeof done !== 'number' || done === 0) {
      await bell.rest(everyMs, signal);
    }
  }
}
