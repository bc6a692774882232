/** The connector of fictional stores: it computes the store's answers when the message is sent. */

import { releaseStartsAt } from '../../catalog/face.ts';
import type {
  StoreMessage,
  Simulation,
  StoreAnswer,
  StoreConnector,
  AnswerContent,
} from '../../delivery/face.ts';
import { addMs } from '../../kernel/duration.ts';
import { type ProductCode, productCodeOf } from '../../kernel/product-code.ts';
import type { Confirmation } from '../../network/face.ts';
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
  matchScenarios,
  type MessageToMatch,
  type NewScenarioUse,
  type ScenarioMatch,
  upsertScenarioUses,
  type ScenarioUse,
} from '../store/scenarios.ts';

const outage = Symbol('outage');

async function simulate(
  tx: Tx,
  storeMessages: readonly StoreMessage[],
): Promise<readonly Simulation[]> {
  const matches = await matchScenarios(tx, storeMessages.map(toMessageToMatch));
  const uses: NewScenarioUse[] = [];
  const simulations = storeMessages.map((storeMessage) => {
    const sent = toSimulatedMessage(tx, storeMessage);
    const match = matches.get(storeMessage.message.id);
    if (match === undefined) return toSimulation(storeMessage, usualReplies(sent), tx.now);
    const resolved = resolveUse(match, sent);
    uses.push({
      scenarioId: match.scenario.id,
      message: toMessageToMatch(storeMessage),
      use: resolved,
    });
    return toSimulation(storeMessage, followScenario(match, resolved, sent), tx.now);
  });
  if (uses.length > 0) upsertScenarioUses(tx, uses);
  return simulations;
}

function toSimulation(
  storeMessage: StoreMessage,
  replies: readonly ScheduledReply[] | typeof outage,
  now: Date,
): Simulation {
  if (replies === outage) return { isUnavailable: true, scheduledAnswers: [] };
  return {
    isUnavailable: false,
    scheduledAnswers: replies.flatMap(({ afterMs, reply }) => {
      const answer = toStoreAnswer(storeMessage, reply);
      return answer === undefined ? [] : [{ dueAt: addMs(now, afterMs), answer }];
    }),
  };
}

const usualReplies = (sent: SimulatedMessage): readonly ScheduledReply[] =>
  simulateReplies(sent, undefined, randomFor(sent, 0, 0));

/** A message that is sent again meets the same step, except that an outage ends and the next step follows. */
const resolveUse = (
  { scenario, use, nextStep }: ScenarioMatch,
  sent: SimulatedMessage,
): ScenarioUse => resolveStep(scenario, use ?? { step: nextStep, outageUntil: null }, sent);

function followScenario(
  { scenario }: ScenarioMatch,
  resolved: ScenarioUse,
  sent: SimulatedMessage,
): readonly ScheduledReply[] | typeof outage {
  if (resolved.outageUntil !== null && resolved.outageUntil > sent.now) return outage;
  const random = randomFor(sent, scenario.seed, resolved.step);
  const step = stepAt(scenario, resolved.step);
  const isTaken = step !== undefined && isStepTaken(step, random);
  const taken = isTaken ? { ...step, scenarioId: scenario.id } : undefined;
  return simulateReplies(sent, taken, random);
}

/** Skips outages that are over or do not happen, at most once around a scenario that has only outages. */
function resolveStep(scenario: Scenario, from: ScenarioUse, sent: SimulatedMessage): ScenarioUse {
  let { step: index, outageUntil } = from;
  for (let skipped = 0; skipped <= scenario.steps.length; skipped++) {
    const step = stepAt(scenario, index);
    if (step?.action !== 'outage') return { step: index, outageUntil: null };
    if (outageUntil === null && isStepTaken(step, randomFor(sent, scenario.seed, index))) {
      outageUntil = addMs(sent.now, durationMs(step.lasts ?? '0s'));
    }
    if (outageUntil !== null && outageUntil > sent.now) return { step: index, outageUntil };
    index++;
    outageUntil = null;
  }
  return { step: index, outageUntil: null };
}

const toSimulatedMessage = (
  tx: Tx,
  { storeId, message, snapshot, expectedBy, confirmation }: StoreMessage,
): SimulatedMessage => ({
  storeId,
  kind: message.kind,
  confirmation,
  startsAt: releaseStartsAt(snapshot.release),
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

/** Also later answers name the message: the flag of a release that was sent again since does not flag the new one. */
function toStoreAnswer(
  { message, storeId, snapshot, confirmation }: StoreMessage,
  reply: SimulatedReply,
): StoreAnswer | undefined {
  const productCode = productCodeOf(snapshot.release);
  const context = { kind: message.kind, storeId, productCode, confirmation };
  const content = translateReply(reply, context);
  return content && { messageId: message.id, ...content };
}

type ReplyContext = {
  readonly kind: MessageKind;
  readonly storeId: string;
  readonly productCode: ProductCode;
  readonly confirmation: Confirmation;
};

/** The answer that the delivery slice applies; undefined if the store says nothing. */
export function translateReply(
  reply: SimulatedReply,
  context: ReplyContext,
): AnswerContent | undefined {
  switch (reply.says) {
    case 'yes':
      return positiveAnswer(context);
    case 'removed':
      return { kind: 'removed' };
    case 'no': {
      const rejection = { code: reply.code ?? 'unspecified', reason: reply.reason };
      return { kind: context.kind === 'takedown' ? 'removal_refused' : 'rejected', rejection };
    }
    default:
      return {
        kind: 'action_required',
        rejection: { code: reply.code ?? 'unspecified', reason: reply.reason },
      };
  }
}

/** Catalogue §1.3: availability, a receipt, or silence. */
function positiveAnswer({
  kind,
  storeId,
  productCode,
  confirmation,
}: ReplyContext): AnswerContent | undefined {
  switch (confirmation) {
    case 'none':
      return undefined;
    case 'ingest':
      return { kind: 'acknowledged' };
    default:
      return kind === 'takedown'
        ? { kind: 'removed' }
        : { kind: 'delivered', url: `https://${storeId}.example/releases/${productCode}` };
  }
}

/** An outage is a terminal failure: the engine must not retry at once; the delivery is dispatched again later. */
const sendSimulated: StoreConnector['send'] = async (_message, _signal, simulation) => {
  if (simulation === undefined || simulation.isUnavailable)
    throw new TerminalFailure('the store has a simulated outage');
  return simulation.scheduledAnswers;
};

export const simulatedStore: StoreConnector = {
  simulate,
  send: sendSimulated,
  takeDown: sendSimulated,
};
