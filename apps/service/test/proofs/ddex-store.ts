/**
 * The store of the proof `ddex`: it reads batches at its own pace, refuses some messages, and writes acknowledgements in
 * every form. It notices a batch of a release that comes before the last one was answered.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createValidator } from '@tonearm/ern';
import {
  openSftpStore,
  type Reaction,
  type SftpStore,
} from '../../src/sandbox/connectors/sftp-store/sftp-store.ts';
import { acknowledgementForms } from '../../src/sandbox/connectors/sftp-store/write-acknowledgement.ts';
import { schemaFolder } from '../ddex-given.ts';
import type { Random } from './random.ts';

/** All but the form that does not name the message, which cannot tell an update from the delivery before it. */
const forms = acknowledgementForms.filter((form) => form !== 'unaddressed');
const refusedOfTen = 2;
/** Longer than a message takes to be sent, so that a message that does not wait for its answer is seen beside it. */
const readEveryMs = { least: 500, most: 4_000 };

const refusal = (proposedAction: string): Reaction => ({
  kind: 'refuse',
  status: 'ProcessingErrorAtReleaseDistributor',
  fileStatus: 'ResourceNotMeetingSpecifications',
  reason: 'The cover is not the one that was announced.',
  proposedAction,
});

export type ProofStore = {
  readonly store: SftpStore;
  /** An answer to the message is still in the folder of acknowledgements. */
  readonly hasAnswerWaiting: (messageId: string) => boolean;
  /** Releases with two complete batches that were not answered yet. */
  readonly overlaps: readonly string[];
  readonly close: () => Promise<void>;
};

export function startStore(folder: string, random: Random): ProofStore {
  const validator = createValidator(schemaFolder);
  const overlaps: string[] = [];
  const refused = new Set<string>();
  const store = openSftpStore({
    folder,
    validator,
    now: () => new Date(),
    get form() {
      return random.pick(forms);
    },
    react: ({ code, deliveryType }) => {
      // A release is refused once at most, so that every delivery ends.
      const isRefused = random.below(10) < refusedOfTen && deliveryType !== 'TakeDown';
      if (!isRefused || refused.has(code)) return { kind: 'accept' };
      refused.add(code);
      return refusal(random.pick(['ResendXmlOnly', 'ResendXmlAndResources']));
    },
  });
  const state = { isClosed: false };
  const reading = (async () => {
    while (!state.isClosed) {
      await wait(readEveryMs.least + random.below(readEveryMs.most - readEveryMs.least));
      overlaps.push(...findOverlaps(folder, store));
      store.readBatches();
    }
  })();
  return {
    store,
    hasAnswerWaiting: (messageId) => hasAnswer(folder, messageId),
    overlaps,
    close: async () => {
      state.isClosed = true;
      await reading;
      validator.dispose();
    },
  };
}

function hasAnswer(folder: string, messageId: string): boolean {
  const answers = join(folder, 'acknowledgements');
  return readdirSync(answers).some((name) => {
    try {
      return readFileSync(join(answers, name), 'utf8').includes(messageId);
    } catch {
      // The service has taken the file meanwhile.
      return false;
    }
  });
}

/** Folders of batches with a manifest, which the store may read. */
export const completeBatches = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) =>
    existsSync(join(folder, name, `BatchComplete_${name.slice(2)}.xml`)),
  );

function findOverlaps(folder: string, store: SftpStore): readonly string[] {
  const read = new Set(store.history().map(({ batchId }) => batchId));
  const codes = completeBatches(folder)
    .filter((name) => !read.has(name.slice(2)))
    .flatMap((name) => readdirSync(join(folder, name)).filter((entry) => /^\d+$/.test(entry)));
  return codes.filter((code, i) => codes.indexOf(code) !== i);
}
