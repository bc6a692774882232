/** Reads a partner's message in a thread: the parser is synchronous, and 1 MiB keeps it busy for a third of a second. */

import type { OrgId } from '../../../kernel/ids.ts';
import { createThreads } from '../../../platform/threads/threads.ts';
import type { ReadErn } from './ern-thread.ts';

const inThread = createThreads(new URL('./ern-thread.ts', import.meta.url));

export const readErn = async (orgId: OrgId, xml: string): Promise<ReadErn> =>
  // ern-thread.ts exports a function of this name, with this type.
  (await inThread(orgId, 'readErnMessage', xml)) as ReadErn;
