/** The store's book on disk: a line for each message that it has read, and what the message changed. */

import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import type { ExaminedMessage } from './examine-batch.ts';
import type { HeldRelease } from './held-release.ts';

export type ReadMessage = Pick<
  ExaminedMessage,
  'messageId' | 'code' | 'deliveryType' | 'fileStatus' | 'problem'
> & {
  readonly batchId: string;
};

export type BookChange = {
  /** The name of its folder. */
  readonly batch: string;
  readonly message: ReadMessage;
  /** Null: the store no longer has the release. Absent: nothing changed. */
  readonly held?: HeldRelease | null;
  /** Digests by URI. */
  readonly files?: readonly (readonly [string, string])[] | null;
};

export type Journal = {
  /** As they were when it was opened. */
  readonly changes: readonly BookChange[];
  readonly append: (changes: readonly BookChange[]) => void;
};

/** A line without its end was being written when the process ended: its batch is read again. */
export function openJournal(file: string): Journal {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  if (complete.length < text.length) truncateSync(file, Buffer.byteLength(complete));
  return {
    changes: complete
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as BookChange),
    append: (changes) => {
      const lines = changes.map((change) => `${JSON.stringify(change)}\n`).join('');
      appendFileSync(file, lines, { mode: 0o600, flush: true });
    },
  };
}
