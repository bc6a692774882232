/** What stores' answers do to their parts of a delivery (contract §3), by the kind of message they answer. */
import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import type { StoreAnswer } from './answer.ts';
import type { MessageId, Outgoing, Rejection } from './message.ts';
import {
  answered,
  noUpdate,
  requestTakedown,
  step,
  type Step,
  type StorePart,
} from './store-part.ts';

/** What an answer does to a part: nothing, a step, or two where a takedown waited for it to land. */
export function hear(
  part: StorePart,
  answer: StoreAnswer,
  now: Date,
  takedownId: MessageId,
): readonly Step[] {
  const { message } = part;
  if (answer.messageId !== message.id) return [];
  if (message.state !== 'sending' && message.state !== 'sent') return [];
  const found = hearings[message.kind](part, answer, now);
  if (found === undefined) return [];
  const landed = { ...found, part: withMessageSent(found.part) };
  const takedown = landed.part.takedownWanted
    ? requestTakedown(landed.part, now, takedownId)
    : undefined;
  return landed.part.status === 'delivered' && takedown !== undefined
    ? [landed, takedown]
    : [landed];
}

/** Whoever answers a message has it. */
const withMessageSent = (part: StorePart): StorePart => ({
  ...part,
  message: { ...part.message, state: 'sent' },
});

type Hearing = (part: StorePart, answer: StoreAnswer, now: Date) => Step | undefined;

const hearings: Readonly<Record<Outgoing['kind'], Hearing>> = {
  deliver: hearOfDelivery,
  update: hearOfUpdate,
  takedown: hearOfTakedown,
};

function hearOfDelivery(part: StorePart, answer: StoreAnswer, now: Date): Step | undefined {
  if (part.status !== 'in_progress' && part.status !== 'action_required') return undefined;
  switch (answer.kind) {
    case 'delivered':
      return step(part, now, 'delivered', {
        ...answered,
        status: 'delivered',
        rejection: null,
        isHeld: false,
        liveAt: nextUpdatedAt(part, now),
        storeUrl: answer.url,
      });
    case 'rejected':
      // There is nothing to be taken down any more.
      return step(part, now, 'rejected', {
        ...answered,
        status: 'rejected',
        rejection: answer.rejection,
        takedownWanted: false,
      });
    case 'action_required':
      if (part.status === 'action_required' && saysTheSame(part, answer.rejection))
        return undefined;
      return step(part, now, 'action_required', {
        ...answered,
        status: 'action_required',
        rejection: answer.rejection,
      });
    default:
      return undefined;
  }
}

const saysTheSame = ({ rejection }: StorePart, { code, reason }: Rejection): boolean =>
  rejection?.code === code && rejection.reason === reason;

/** Whatever becomes of an update, the store goes on selling what it has. */
function hearOfUpdate(part: StorePart, answer: StoreAnswer, now: Date): Step | undefined {
  const { status, pendingRevision } = part;
  if (status !== 'delivered' || pendingRevision === null) return undefined;
  switch (answer.kind) {
    case 'delivered':
      return step(part, now, 'updated', {
        ...answered,
        ...noUpdate,
        revision: pendingRevision,
        territoryCodes: part.pendingTerritoryCodes ?? part.territoryCodes,
        rejection: null,
        storeUrl: answer.url ?? part.storeUrl,
      });
    case 'rejected':
      return step(part, now, 'update_refused', {
        ...answered,
        ...noUpdate,
        rejection: answer.rejection,
      });
    case 'action_required':
      if (saysTheSame(part, answer.rejection)) return undefined;
      return step(part, now, 'update_flagged', { ...answered, rejection: answer.rejection });
    default:
      return undefined;
  }
}

function hearOfTakedown(part: StorePart, answer: StoreAnswer, now: Date): Step | undefined {
  if (part.status !== 'takedown_requested') return undefined;
  switch (answer.kind) {
    case 'removed':
      return step(part, now, 'taken_down', { ...answered, status: 'taken_down', rejection: null });
    case 'removal_refused':
      return step(part, now, 'takedown_refused', {
        ...answered,
        // What never was out is not out because it is kept.
        status: part.liveAt === null ? 'action_required' : 'delivered',
        rejection: answer.rejection,
        takedownWanted: false,
      });
    default:
      return undefined;
  }
}
