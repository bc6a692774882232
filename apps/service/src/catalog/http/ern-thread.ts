/** Runs in the threads that read-ern.ts starts. */

import { readMessage, type ReadMessage, XmlRefused } from '@tonearm/ern';
import { lowerThreadPriority } from '../../../platform/threads/low-priority.ts';

lowerThreadPriority();

export type ReadErn = ReadMessage | { readonly refusal: string };

/** Whether a message without deals is about a known release is decided later, when the release is looked up. */
export function readErnMessage(xml: string): ReadErn {
  try {
    return readMessage(xml, { isKnownRelease: true });
  } catch (error) {
    if (error instanceof XmlRefused) return { refusal: error.message };
    throw error;
  }
}
