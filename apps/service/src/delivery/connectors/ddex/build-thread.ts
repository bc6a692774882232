/** Runs in the threads that run-build.ts starts. */

import { lowerThreadPriority } from '../../../platform/threads/low-priority.ts';

export { buildBatchContent } from './batch-content.ts';

lowerThreadPriority();
