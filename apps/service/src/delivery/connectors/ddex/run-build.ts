/** Builds the content of a batch in a thread when its message is large: the largest takes more than a second. */

import { minuteMs } from '../../../kernel/duration.ts';
import type { OrgId } from '../../../kernel/ids.ts';
import { createThreads } from '../../../platform/threads/threads.ts';
import { type BatchContent, type BatchPlan, buildBatchContent } from './batch-content.ts';

/** Longer than usual: no transaction is open meanwhile, and on a busy machine the largest message must not fail. */
const inThread = createThreads(new URL('./build-thread.ts', import.meta.url), {
  deadlineMs: minuteMs,
});

/** Messages of this many tracks take up to 10 ms, so a thread is not worth its overhead. */
const inlineTracksMax = 12;

export async function runBuild(orgId: OrgId, plan: BatchPlan): Promise<BatchContent> {
  if (plan.storeMessage.snapshot.tracks.length <= inlineTracksMax) return buildBatchContent(plan);
  // build-thread.ts exports a function of this name, with this type.
  return (await inThread(orgId, 'buildBatchContent', plan)) as BatchContent;
}
