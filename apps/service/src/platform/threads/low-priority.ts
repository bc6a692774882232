import { constants, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/**
 * Called by what runs in a thread: it gives way to the event loop of its process when there are fewer processors than
 * work. On Linux a priority is that of the calling thread; elsewhere it may be that of the process, so nothing is
 * changed there.
 */
export function lowerThreadPriority(): void {
  if (isMainThread || process.platform !== 'linux') return;
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
