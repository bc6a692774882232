/**
 * Imported by what runs in a thread: the thread gives way to the event loop of its process when there are fewer
 * processors than work. On Linux a priority is that of the calling thread; elsewhere it may be that of the process,
 * so nothing is changed there.
 */
import { constants, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

if (!isMainThread && process.platform === 'linux') {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
