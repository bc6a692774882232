/** Builds the messages of a dry run in a thread when there is much to build: the largest release takes half a second. */

import type { OrgId } from '../../../kernel/ids.ts';
import { createThreads } from '../../../platform/threads/threads.ts';
import { type MessagePreview, previewMessages, type PreviewRequest } from './preview-messages.ts';

const inThread = createThreads(new URL('./preview-thread.ts', import.meta.url));

/** Messages of this many tracks take up to 10 ms, so a thread is not worth its overhead. */
const inlineTracksMax = 12;

export async function runPreview(
  orgId: OrgId,
  request: PreviewRequest,
): Promise<readonly MessagePreview[]> {
  const { snapshot, stores } = request;
  if (snapshot.tracks.length * stores.length <= inlineTracksMax) return previewMessages(request);
  // preview-thread.ts exports a function of this name, with this type.
  return (await inThread(orgId, 'previewMessages', request)) as readonly MessagePreview[];
}
