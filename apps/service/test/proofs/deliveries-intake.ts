/**
 * Records the answers of all fake stores in batches of random size and mixture, several batches at once, some of them
 * twice. `post` waits until its answer is committed, so that the answers of one store are recorded in its order. A
 * batch whose commit is uncertain is recorded again.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { type ReceivedAnswer, recordAnswers } from '../../src/delivery/commands/record-answers.ts';
import { createIds } from '../../src/platform/crypto/new-id.ts';
import type { TestService } from '../test-service.ts';
import { runConcurrently } from './client.ts';
import type { Answer } from './deliveries-model.ts';
import type { Random } from './random.ts';

const posters = 3;
const batchMax = 40;
const repeatsOneBatchIn = 20;
const idleMs = 20;

type QueuedAnswer = { readonly answer: ReceivedAnswer; readonly onCommitted: () => void };

export type Intake = {
  readonly post: (answer: Answer) => Promise<void>;
  /** An id of no message. */
  readonly newUnknownMessageId: () => string;
  readonly counts: {
    answers: number;
    batches: number;
    uncertain: number;
    repeated: number;
    /** Answers to unknown message ids, which `recordAnswers` must return; and how many it returned. */
    stray: number;
    returned: number;
  };
  readonly close: () => Promise<void>;
};

export function openIntake(service: TestService, random: Random): Intake {
  const newId = createIds(service.clock);
  const strays = new Set<string>();
  const queue: QueuedAnswer[] = [];
  const counts = { answers: 0, batches: 0, uncertain: 0, repeated: 0, stray: 0, returned: 0 };
  let isOpen = true;

  const recordBatch = async (answers: readonly ReceivedAnswer[]): Promise<void> => {
    const returned = await recordAnswers(
      { db: service.workerDb, clock: service.clock, newId },
      answers,
    );
    counts.returned += returned.length;
    counts.stray += answers.filter(
      (each) => 'messageId' in each && strays.has(each.messageId),
    ).length;
  };
  const recordBatchUntilCommitted = async (answers: readonly ReceivedAnswer[]): Promise<void> => {
    for (;;) {
      try {
        return await recordBatch(answers);
      } catch {
        counts.uncertain++;
        await wait(100);
      }
    }
  };
  const posting = runConcurrently(posters, async () => {
    const batch = drawBatch(random, queue);
    if (batch.length === 0) {
      await wait(idleMs);
      return isOpen;
    }
    const answers = batch.map(({ answer }) => answer);
    await recordBatchUntilCommitted(answers);
    if (random.below(repeatsOneBatchIn) === 0) {
      await recordBatchUntilCommitted(answers);
      counts.repeated++;
    }
    counts.batches++;
    counts.answers += answers.length;
    for (const { onCommitted } of batch) onCommitted();
    return true;
  });
  return {
    counts,
    newUnknownMessageId: () => {
      const id = newId('msg');
      strays.add(id);
      return id;
    },
    post: (answer) =>
      new Promise(
        (resolve) => void queue.push({ answer: toReceivedAnswer(answer), onCommitted: resolve }),
      ),
    close: async () => {
      isOpen = false;
      await posting;
    },
  };
}

/** Removes neighbours from a random place of the queue; neighbours often belong to one delivery. */
function drawBatch(random: Random, queue: QueuedAnswer[]): readonly QueuedAnswer[] {
  return queue.splice(random.below(queue.length), 1 + random.below(batchMax));
}

function toReceivedAnswer({ messageId: id, kind, reason }: Answer): ReceivedAnswer {
  const messageId = id as Id<'msg'>;
  switch (kind) {
    case 'acknowledged':
    case 'removed':
      return { messageId, kind };
    case 'delivered':
      return { messageId, kind, url: 'https://store.example/1' };
    default:
      return { messageId, kind, rejection: { code: null, reason } };
  }
}
