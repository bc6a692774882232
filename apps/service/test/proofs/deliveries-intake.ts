/**
 * Records the answers of all fake stores in batches of random size and mixture, several batches at once, some of them
 * twice. `post` waits until its answer is committed, so that the answers of one store are recorded in its order. A
 * batch whose commit is uncertain is recorded again.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { type ReceivedAnswer, recordAnswers } from '../../src/delivery/commands/record-answers.ts';
import type { AnswerContent, ReceivedRejection } from '../../src/delivery/domain/answer.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { createIds } from '../../src/platform/crypto/new-id.ts';
import type { TestService } from '../test-service.ts';
import { runConcurrently } from './client.ts';
import type { Answer } from './deliveries-answer-steps.ts';
import type { Random } from './random.ts';

const posters = 3;
const batchMax = 40;
const repeatsOneBatchIn = 20;
const idleMs = 20;

/** What an answer names: a message, or a code that the store has. */
type Named = { readonly messageId: string } | { readonly storeId: string; readonly code: string };

/** `isStray`: `recordAnswers` must return it, because it names nothing that the service knows. */
type PostedAnswer = Pick<Answer, 'kind' | 'reason'> & {
  readonly named: Named;
  readonly isStray: boolean;
};

type QueuedAnswer = {
  readonly answer: ReceivedAnswer;
  readonly isStray: boolean;
  readonly onCommitted: () => void;
};

export type Intake = {
  readonly post: (answer: PostedAnswer) => Promise<void>;
  /** An id of no message. */
  readonly newUnknownMessageId: () => string;
  readonly counts: {
    answers: number;
    batches: number;
    uncertain: number;
    repeated: number;
    by_release: number;
    /** Answers that `recordAnswers` must return, or must not return, and did the opposite. */
    wrongly_returned: number;
    stray: number;
  };
  /** What `wrongly_returned` counts. */
  readonly wrongs: readonly string[];
  readonly close: () => Promise<void>;
};

export function openIntake(service: TestService, random: Random): Intake {
  const newId = createIds(service.clock);
  const queue: QueuedAnswer[] = [];
  const counts: Intake['counts'] = {
    answers: 0,
    batches: 0,
    uncertain: 0,
    repeated: 0,
    by_release: 0,
    wrongly_returned: 0,
    stray: 0,
  };
  const wrongs: string[] = [];
  let isOpen = true;

  const recordBatch = async (batch: readonly QueuedAnswer[]): Promise<void> => {
    const answers = batch.map(({ answer }) => answer);
    const returned = new Set(
      await recordAnswers({ db: service.workerDb, clock: service.clock, newId }, answers),
    );
    for (const { answer, isStray } of batch) {
      if (returned.has(answer) === isStray) continue;
      counts.wrongly_returned++;
      wrongs.push(`${isStray ? 'not returned' : 'returned'}: ${JSON.stringify(answer)}`);
    }
  };
  const recordBatchUntilCommitted = async (batch: readonly QueuedAnswer[]): Promise<void> => {
    for (;;) {
      try {
        return await recordBatch(batch);
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
    await recordBatchUntilCommitted(batch);
    if (random.below(repeatsOneBatchIn) === 0) {
      await recordBatchUntilCommitted(batch);
      counts.repeated++;
    }
    counts.batches++;
    counts.answers += batch.length;
    counts.stray += batch.filter(({ isStray }) => isStray).length;
    counts.by_release += batch.filter(({ answer }) => !('messageId' in answer)).length;
    for (const { onCommitted } of batch) onCommitted();
    return true;
  });
  return {
    counts,
    wrongs,
    newUnknownMessageId: () => newId('msg'),
    post: (posted) =>
      new Promise((resolve) => {
        const { isStray } = posted;
        queue.push({ answer: toReceivedAnswer(posted), isStray, onCommitted: resolve });
      }),
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

function toReceivedAnswer({ named, ...answer }: PostedAnswer): ReceivedAnswer {
  const content = toContent(answer);
  return 'code' in named
    ? { ...content, ...named }
    : { ...content, messageId: named.messageId as Id<'msg'> };
}

function toContent({
  kind,
  reason,
}: Pick<Answer, 'kind' | 'reason'>): AnswerContent<ReceivedRejection> {
  switch (kind) {
    case 'acknowledged':
    case 'removed':
      return { kind };
    case 'delivered':
      return { kind, url: 'https://store.example/1' };
    default:
      return { kind, rejection: { code: null, reason } };
  }
}
