/** A fictional store, as deliveries see it: a connector that knows beforehand what will be answered. */

import type {
  StoreMessage,
  Simulation,
  StoreAnswer,
  StoreConnector,
  AnswerContent,
} from '../../delivery/face.ts';
import { addMs } from '../../kernel/duration.ts';
import type { Tx } from '../../platform/db/database.ts';
import { TerminalFailure } from '../../platform/engine/workflow.ts';
import { durationMs } from '../domain/duration.ts';
import {
  simulateReplies,
  type ScheduledReply,
  isStepTaken,
  type SimulatedMessage,
  randomFor,
  type SimulatedReply,
} from '../domain/reaction.ts';
import { type MessageKind, type Scenario, stepAt } from '../domain/scenario.ts';
import {
  matchScenario,
  type MessageToMatch,
  type ScenarioMatch,
  upsertScenarioUse,
  type ScenarioUse,
} from '../store/scenarios.ts';

const outage = Symbol('away');

async function foresee(tx: Tx, consignment: StoreMessage): Promise<Simulation> {
  const sent = toSimulatedMessage(tx, consignment);
  const fitting = toMessageToMatch(consignment);
  const found = await matchScenario(tx, fitting);
  const coming = found === undefined ? usual(sent) : followScenario(tx, found, fitting, sent);
  if (coming === outage) return { isUnavailable: true, scheduledAnswers: [] };
  return {
    isUnavailable: false,
    scheduledAnswers: coming.map(({ afterMs, reply: word }) => ({
      afterMs,
      answer: toStoreAnswer(consignment, word),
    })),
  };
}

const usual = (sent: SimulatedMessage): readonly ScheduledReply[] =>
  simulateReplies(sent, undefined, randomFor(sent, 0, 0));

/** However often the message is sent, it meets the same step; only an outage ends, and the next step follows. */
function followScenario(
  tx: Tx,
  { scenario, use, nextStep: next }: ScenarioMatch,
  fitting: MessageToMatch,
  sent: SimulatedMessage,
): readonly ScheduledReply[] | typeof outage {
  const met = resolveStep(scenario, use ?? { step: next, outageUntil: null }, sent);
  upsertScenarioUse(tx, scenario.id, fitting, met);
  if (met.outageUntil !== null && met.outageUntil > sent.now) return outage;
  const thrown = randomFor(sent, scenario.seed, met.step);
  const step = stepAt(scenario, met.step);
  const isTaken = step !== undefined && isStepTaken(step, thrown);
  const taken = isTaken ? { ...step, scenarioId: scenario.id } : undefined;
  return simulateReplies(sent, taken, thrown);
}

/** Past outages that are over, or do not happen; of a scenario that is nothing else, all of them. */
function resolveStep(scenario: Scenario, from: ScenarioUse, sent: SimulatedMessage): ScenarioUse {
  let { step: index, outageUntil: awayUntil } = from;
  for (let passed = 0; passed <= scenario.steps.length; passed++) {
    const step = stepAt(scenario, index);
    if (step?.action !== 'outage') return { step: index, outageUntil: null };
    if (awayUntil === null && isStepTaken(step, randomFor(sent, scenario.seed, index))) {
      awayUntil = addMs(sent.now, durationMs(step.lasts ?? '0s'));
    }
    if (awayUntil !== null && awayUntil > sent.now) return { step: index, outageUntil: awayUntil };
    index++;
    awayUntil = null;
  }
  return { step: index, outageUntil: null };
}

const toSimulatedMessage = (
  tx: Tx,
  { storeId, message, snapshot, expectedBy }: StoreMessage,
): SimulatedMessage => ({
  storeId,
  kind: message.kind,
  releaseDate: snapshot.release.releaseDate,
  releaseName: snapshot.release.reference ?? snapshot.release.upc,
  expectedBy,
  now: tx.now,
});

const toMessageToMatch = ({
  deliveryId,
  storeId,
  message,
  snapshot,
}: StoreMessage): MessageToMatch => ({
  messageId: message.id,
  kind: message.kind,
  deliveryId,
  storeId,
  releaseId: snapshot.release.id,
});

const toStoreAnswer = (
  { message, storeId, snapshot }: StoreMessage,
  word: SimulatedReply,
): StoreAnswer => ({
  messageId: message.id,
  ...translateReply(word, { kind: message.kind, storeId, upc: snapshot.release.upc }),
});

type ReplyContext = { readonly kind: MessageKind; readonly storeId: string; readonly upc: string };

/** As deliveries hear it. */
export function translateReply(
  word: SimulatedReply,
  { kind, storeId, upc }: ReplyContext,
): AnswerContent {
  const isTakedown = kind === 'takedown';
  switch (word.says) {
    case 'yes':
      return isTakedown
        ? { kind: 'removed' }
        : { kind: 'delivered', url: `https://${storeId}.example/releases/${upc}` };
    case 'no': {
      const rejection = { code: word.code ?? 'unspecified', reason: word.reason };
      return { kind: isTakedown ? 'removal_refused' : 'rejected', rejection };
    }
    default:
      return { kind: 'action_required', rejection: { code: word.code, reason: word.reason } };
  }
}

/** It is away, and nothing is gained by trying at once again: the delivery is dispatched again later. */
const sendSimulated: StoreConnector['send'] = async (_consignment, _signal, foreseen) => {
  if (foreseen === undefined || foreseen.isUnavailable)
    throw new TerminalFailure('the store is away');
  return foreseen.scheduledAnswers;
};

export const simulatedStore: StoreConnector = {
  simulate: foresee,
  send: sendSimulated,
  takeDown: sendSimulated,
};
