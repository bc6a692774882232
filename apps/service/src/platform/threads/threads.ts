/**
 * Threads for work that keeps a processor busy for more than a few milliseconds: the event loop of a process serves
 * every request of every organization, so nothing may block it for long.
 */

import { Piscina } from 'piscina';
import { minuteMs } from '../../kernel/duration.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { createSemaphore } from '../process/semaphore.ts';

/** If several organizations have work, each thread works for another one. More would only share the processors. */
const threadsMax = 2;
const idleMs = minuteMs;

/** Of the work itself. Shorter than a transaction may stay idle: some callers wait inside one. */
const usualDeadlineMs = 5_000;

/** The work took longer than it may, and its thread was ended. The caller answers as for any other overload. */
export class ThreadTimeout extends Error {
  override readonly name = 'ThreadTimeout';
}

/** The work took more memory than it may, and its thread was ended. */
export class ThreadOutOfMemory extends Error {
  override readonly name = 'ThreadOutOfMemory';
}

type ThreadOptions = {
  readonly deadlineMs?: number;
  /** Of the JavaScript heap of a thread. */
  readonly heapMegabytesMax?: number;
};

/** Runs the function of this name in a thread, when the semaphore admits its organization. */
export type InThread = (orgId: OrgId, name: string, input: unknown) => Promise<unknown>;

/**
 * Runs functions that `file` exports, by name. Threads start at first use and end when idle; what goes in and out is
 * copied.
 */
export function createThreads(
  file: URL,
  { deadlineMs = usualDeadlineMs, heapMegabytesMax }: ThreadOptions = {},
): InThread {
  const pool = new Piscina({
    filename: file.href,
    minThreads: 0,
    maxThreads: threadsMax,
    idleTimeout: idleMs,
    ...(heapMegabytesMax !== undefined && {
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
    }),
  });
  const semaphore = createSemaphore({ atOnce: threadsMax });
  const run = async (name: string, input: unknown): Promise<unknown> => {
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      return await pool.run(input, { name, signal });
    } catch (error) {
      if (signal.aborted) throw new ThreadTimeout(`${name} took longer than ${deadlineMs} ms`);
      if (isOutOfMemory(error)) throw new ThreadOutOfMemory(`${name} took too much memory`);
      throw error;
    }
  };
  return (orgId, name, input) => semaphore(orgId, () => run(name, input));
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
