/**
 * A store delivery of the proof `clock`: the model that the proof `deliveries` uses too, with the times that the model
 * does not have.
 */

import { confirmationOf } from './clock-stores.ts';
import { type Answer } from './deliveries-answer-steps.ts';
import { type Content, newStoreDelivery, type StoreDelivery as State } from './deliveries-model.ts';

export type MessageKind = State['kind'];
export type AnswerKind = Answer['kind'];
export type Refusal = { readonly code: string; readonly reason: string };
export type ModelAnswer = { readonly kind: AnswerKind; readonly refusal: Refusal | null };

export type StoreDelivery = {
  readonly storeId: string;
  /** The current message. */
  messageId: string;
  state: State;
  expectedBy: number | null;
  acknowledgedAt: number | null;
  liveAt: number | null;
};

export const createStoreDelivery = (
  storeId: string,
  content: Content,
  messageId: string,
): StoreDelivery => ({
  storeId,
  messageId,
  state: newStoreDelivery(confirmationOf(storeId), content),
  expectedBy: null,
  acknowledgedAt: null,
  liveAt: null,
});

export const isUnsent = ({ state: { messageState } }: StoreDelivery): boolean =>
  messageState === 'queued' || messageState === 'sending';

/** The model compares texts: a flag is repeated if its code and its reason are the same. */
export const toReason = (refusal: Refusal | null): string =>
  refusal === null ? '' : `${refusal.code} ${refusal.reason}`;

export const codeIn = (reason: string | null): string | null => reason?.split(' ')[0] ?? null;

type Step = { readonly name: string; readonly state: State };

/** The steps from one state to another, each with the state after it. Those with a question mark did not happen. */
export function stepsBetween(before: State, after: State): readonly Step[] {
  const steps: Step[] = [];
  let state: State | undefined = after;
  while (state !== undefined && state.expectedTimeline.length > before.expectedTimeline.length) {
    steps.unshift({ name: state.expectedTimeline.at(-1) ?? '', state });
    state = state.previous;
  }
  return steps.filter(({ name }) => !name.endsWith('?'));
}

/** The times after a step. */
export function applyTimes(storeDelivery: StoreDelivery, { name, state }: Step, now: number): void {
  const { expectedBy, acknowledgedAt, liveAt } = storeDelivery;
  if (state.liveBasis === null) storeDelivery.liveAt = null;
  else if (liveAt === null) {
    // Catalogue §1.3: inferred live at the deadline, or at the receipt, if that comes later.
    const inferredAt = Math.max(expectedBy ?? now, acknowledgedAt ?? 0);
    storeDelivery.liveAt = name === 'inferred' ? inferredAt : now;
  }
  if (!state.isAcknowledged) storeDelivery.acknowledgedAt = null;
  else if (acknowledgedAt === null) storeDelivery.acknowledgedAt = now;
  if (state.deadline === null) storeDelivery.expectedBy = null;
}
