import { constants, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/**
 * Called inside a thread, so that the event loop of its process comes first if there are too few processors. On Linux a
 * priority belongs to the calling thread; elsewhere it may belong to the process, so nothing is changed there.
 */
export function lowerThreadPriority(): void {
  if (isMainThread || process.platform !== 'linux') return;
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
