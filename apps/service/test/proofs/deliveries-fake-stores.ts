/** Fake stores: they wait for their messages and answer them as their plans say. The model is told the same. */

import { setTimeout as wait } from 'node:timers/promises';
import { toWire } from '../../src/kernel/ids.ts';
import { applyAnswer } from './deliveries-answers.ts';
import type { Intake } from './deliveries-intake.ts';
import {
  applyDispatched,
  applySent,
  awaitsMessage,
  type StoreDelivery,
} from './deliveries-model.ts';
import type { Script, ScriptedAnswer, StorePlan } from './deliveries-script.ts';
import { applyReplacement, applyTakedown } from './deliveries-takedowns.ts';
import {
  type AppliedWatch,
  type DeliveryRef,
  findSent,
  type SentMessage,
} from './deliveries-waits.ts';
import type { HangLimit } from './hang-limit.ts';
import type { Query } from './lasting-queries.ts';

const pollMs = 500;

export type FakeStore = {
  readonly storeId: string;
  /** The territories of the store. */
  readonly territories: readonly string[];
  readonly plan: StorePlan;
  storeDelivery: StoreDelivery;
  /** The territories that the partner requested at this store. */
  requestedCodes: readonly string[];
  /** A takedown was requested, and the proof does not know yet whether the message was sent before it. */
  isTakedownPending: boolean;
  isAnswering: boolean;
  /** Why the store could not give all of its answers. */
  failure: string | undefined;
  /** The same store in an earlier delivery of the release. */
  readonly predecessor: FakeStore | undefined;
};

/** The codes by which stores name the release. */
export type Codes = { readonly upc: string; readonly isrc: string };

export type StoresContext = {
  readonly query: Query;
  readonly intake: Intake;
  readonly delivery: DeliveryRef;
  readonly codes: Codes;
  readonly applied: AppliedWatch;
  readonly hangLimit: HangLimit;
  /** Called when a store has its first message, or will never get one. */
  readonly onFirstMessage: () => void;
};

/** Returns when no store waits for a message, and every answer to the messages is recorded. */
export async function answerMessages(
  context: StoresContext,
  fakeStores: ReadonlyMap<string, FakeStore>,
): Promise<void> {
  const all = [...fakeStores.values()];
  const isHung = context.hangLimit.beginWait();
  for (;;) {
    const waiting = all.filter(
      ({ storeDelivery, isAnswering }) => !isAnswering && awaitsMessage(storeDelivery),
    );
    if (waiting.length === 0 && !all.some(({ isAnswering }) => isAnswering)) return;
    if (isHung()) throw new Error(describeWaiting(waiting));
    const failure = all.find((each) => each.failure !== undefined)?.failure;
    if (failure !== undefined) throw new Error(failure);
    const storeIds = waiting.map(({ storeId }) => storeId);
    for (const sent of await findSent(context.query, context.delivery, storeIds)) {
      const fakeStore = fakeStores.get(sent.store_id);
      if (fakeStore !== undefined) receiveMessage(context, fakeStore, sent);
    }
    await wait(pollMs);
  }
}

const describeWaiting = (waiting: readonly FakeStore[]): string =>
  [
    `${waiting.length} stores got no message`,
    ...waiting
      .slice(0, 3)
      .map(
        ({ storeId, storeDelivery }) => `${storeId} ${storeDelivery.expectedTimeline.join(' ')}`,
      ),
  ].join('; ');

/** Applies the sent message to the model, and begins the store's answers. */
function receiveMessage(context: StoresContext, fakeStore: FakeStore, sent: SentMessage): void {
  const messageId = toWire('msg', sent.message_id);
  const { messageIds, kind } = fakeStore.storeDelivery;
  if (messageIds.includes(messageId)) return;
  const isReplaced = sent.message_kind === 'takedown' && kind === 'deliver';
  if (isReplaced) {
    // The takedown was requested during the send of the first message, which the store may or may not have.
    const dispatched = applyDispatched(fakeStore.storeDelivery);
    fakeStore.storeDelivery = applyReplacement(
      applyTakedown({ ...dispatched, messageState: 'sending' }),
    );
    fakeStore.isTakedownPending = false;
  }
  const script = scriptOf(fakeStore);
  if (!sent.is_recorded && !isAnsweredAtOnce(script)) return;
  if (messageIds.length === 0) context.onFirstMessage();
  fakeStore.storeDelivery = applySent(fakeStore.storeDelivery, messageId);
  if (fakeStore.isTakedownPending) fakeStore.storeDelivery = applyTakedown(fakeStore.storeDelivery);
  fakeStore.isTakedownPending = false;
  beginAnswers(context, fakeStore, script);
}

/** `answerMessages` waits until the answers are given. */
export function beginAnswers(context: StoresContext, fakeStore: FakeStore, script: Script): void {
  giveAnswers(context, fakeStore, script).catch((error: unknown) => {
    fakeStore.failure = String(error);
  });
}

/** The store's first answer shows that it has the message, even if the send is not recorded yet. */
const isAnsweredAtOnce = ([first]: Script): boolean =>
  first?.to === 'this' && first.kind !== 'removed' && first.kind !== 'removal_refused';

function scriptOf({ plan, storeDelivery: { kind, messageIds } }: FakeStore): Script {
  if (kind === 'takedown') return plan.takedown;
  if (kind === 'update') return plan.update;
  return messageIds.length === 0 ? plan.first : plan.second;
}

/** Posts the answers of a store one after the other. */
export async function giveAnswers(
  context: StoresContext,
  fakeStore: FakeStore,
  script: Script,
): Promise<void> {
  const { messageIds } = fakeStore.storeDelivery;
  const ids = { this: messageIds.at(-1), former: messageIds.at(-2), first: messageIds[0] };
  fakeStore.isAnswering = true;
  for (const answer of script) {
    const { to } = answer;
    if (to === 'upc' || to === 'isrc') {
      await nameRelease(context, fakeStore, answer, context.codes[to]);
    } else {
      const messageId = to === 'unknown' ? context.intake.newUnknownMessageId() : ids[to];
      // The store has no such message.
      if (messageId === undefined) continue;
      await nameMessage(context, fakeStore, answer, messageId);
    }
  }
  fakeStore.isAnswering = false;
}

export async function nameMessage(
  { intake }: StoresContext,
  fakeStore: FakeStore,
  { kind, reason, to }: ScriptedAnswer,
  messageId: string,
): Promise<void> {
  const isStray = to === 'unknown';
  await intake.post({ kind, reason, named: { messageId }, isStray });
  if (!isStray)
    fakeStore.storeDelivery = applyAnswer(fakeStore.storeDelivery, { kind, reason, messageId });
}

/** The service knows what the store has once the answers before this one are applied. */
async function nameRelease(
  { intake, applied }: StoresContext,
  fakeStore: FakeStore,
  { kind, reason }: ScriptedAnswer,
  code: string,
): Promise<void> {
  await applied.untilApplied(fakeStore.storeId);
  const { storeId } = fakeStore;
  const isHolder = fakeStore.storeDelivery.wasHeld;
  // An earlier delivery had it: its answers count no more.
  const isHeldBefore = fakeStore.predecessor?.storeDelivery.wasHeld === true;
  await intake.post({
    kind,
    reason,
    named: { storeId, code },
    isStray: !isHolder && !isHeldBefore,
  });
  if (isHolder)
    fakeStore.storeDelivery = applyAnswer(fakeStore.storeDelivery, {
      kind,
      reason,
      messageId: null,
    });
}
