/** Reads a partner's message in a thread: the largest keeps a processor busy for half a second. */

import type { OrgId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { createThreads, ThreadOutOfMemory } from '../../platform/threads/threads.ts';
import type { ErnInput, ReadErn } from './ern-thread.ts';

/** Of the JavaScript heap. The largest messages were read with 110. */
const heapMegabytesMax = 128;

/** A thread loads the schemas of the API first. No transaction waits for it. */
const deadlineMs = 20_000;

const inThread = createThreads(new URL('./ern-thread.ts', import.meta.url), {
  deadlineMs,
  heapMegabytesMax,
});

export async function readErn(orgId: OrgId, input: ErnInput): Promise<ReadErn> {
  try {
    // ern-thread.ts exports a function of this name, with this type.
    return (await inThread(orgId, 'readErnMessage', input)) as ReadErn;
  } catch (error) {
    if (!(error instanceof ThreadOutOfMemory)) throw error;
    throw new Problem(
      'invalid_field',
      'The message takes too much memory to read. Send one release with fewer deals, parties and recordings.',
      { details: [{ field: 'message', issue: 'message takes too much memory to read' }] },
    );
  }
}
