/** Runs in the threads that run-preview.ts starts. */

import { lowerThreadPriority } from '../../../platform/threads/low-priority.ts';

export { previewMessages } from './preview-messages.ts';

lowerThreadPriority();
