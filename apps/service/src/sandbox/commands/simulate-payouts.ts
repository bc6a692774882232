/** The screening and the rail of the sandbox follow the scenarios for payouts. */

import { dayMs, secondMs } from '../../kernel/duration.ts';
import type { PaymentSimulation, Payout, PayoutId, Screening } from '../../money/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { durationMs } from '../domain/duration.ts';
import { type ScenarioStep, stepAt } from '../domain/scenario.ts';
import { findPayoutStep, insertPayoutStep, nextPayoutStep } from '../store/payout-steps.ts';
import { findPayoutScenario } from '../store/scenarios.ts';

const usualStep: ScenarioStep = { action: 'accept' };
const usualBounceMs = 21 * dayMs;
const usualSlowMs = 2 * secondMs;
const usualBounceCode = 'account_closed';

/** The screening at the creation takes the step; the cut-off and the rail find it. */
export const simulateScreening: Screening = async (tx, { payoutId, stage }) => {
  const { action } =
    stage === 'created' ? await takeStep(tx, payoutId) : await findStep(tx, payoutId);
  const isReview = stage === 'created' ? action === 'review' : action === 'review_at_cut_off';
  return isReview ? 'review' : 'clear';
};

export async function simulatePayment(
  tx: Tx,
  { id }: Pick<Payout, 'id'>,
): Promise<PaymentSimulation> {
  const { action, after, code } = await findStep(tx, id);
  const sentAt = tx.now.toISOString();
  const afterMs = after === undefined ? undefined : durationMs(after);
  switch (action) {
    case 'refuse':
      return { outcome: action, code: code ?? 'refused', afterMs: 0, sentAt };
    case 'unknown':
      return { outcome: action, code: '', afterMs: 0, sentAt };
    case 'slow':
      return { outcome: action, code: '', afterMs: afterMs ?? usualSlowMs, sentAt };
    case 'bounce': {
      const bounceMs = afterMs ?? usualBounceMs;
      return { outcome: action, code: code ?? usualBounceCode, afterMs: bounceMs, sentAt };
    }
    default:
      return { outcome: 'accept', code: '', afterMs: 0, sentAt };
  }
}

const findStep = async (tx: Tx, id: PayoutId): Promise<ScenarioStep> =>
  (await findPayoutStep(tx, id)) ?? usualStep;

/** Payouts of an organization are created one after the other, because each locks the ledger before. */
async function takeStep(tx: Tx, id: PayoutId): Promise<ScenarioStep> {
  const scenario = await findPayoutScenario(tx);
  if (scenario === undefined) return usualStep;
  const number = await nextPayoutStep(tx, scenario.id);
  const step = stepAt(scenario, number);
  if (step === undefined) return usualStep;
  insertPayoutStep(tx, id, { scenarioId: scenario.id, number, step });
  return step;
}
