/**
 * The holds that the state of an organization demands for a payout. They close by themselves once their cause is gone.
 * A compliance review and a manual hold are closed by an operator only.
 */

import type { Verification } from '../../identity/face.ts';
import { dayMs } from '../../kernel/duration.ts';
import type { PayoutMethod } from './payout-method.ts';
import type { HoldReason, HoldRequirement, Payout, PayoutHold } from './payout.ts';
import { isTaxFormValid, type TaxProfile } from './tax-profile.ts';

export type NewHold = Pick<PayoutHold, 'reason' | 'requirements' | 'dueBy'>;

/** A payout that is not sent within this time of its creation is canceled. */
export const payoutLifetimeMs = 30 * dayMs;

export type Checked = {
  readonly payout: Pick<Payout, 'expiresAt'>;
  readonly verification: Verification;
  /** Undefined if the organization has none any more. */
  readonly taxProfile: TaxProfile | undefined;
  readonly method: PayoutMethod;
  readonly now: Date;
};

const closesByItself: Readonly<Record<HoldReason, boolean>> = {
  identity_verification: true,
  tax_form_missing: true,
  payout_method_changed: true,
  compliance_review: false,
  manual: false,
};

export const isClosedByCheck = ({ reason }: Pick<PayoutHold, 'reason'>): boolean =>
  closesByItself[reason];

/**
 * Whether a check closes the hold. A changed method holds payouts to other methods too, so that hold lasts until its due
 * date even if the method of the payout does not demand it.
 */
export function isOver(hold: PayoutHold, demanded: readonly NewHold[], now: Date): boolean {
  if (!isClosedByCheck(hold) || demanded.some(({ reason }) => reason === hold.reason)) return false;
  return hold.reason !== 'payout_method_changed' || hold.dueBy === null || hold.dueBy <= now;
}

/** It says no more than its reason: a payee must not learn what a review is about. */
export const complianceReview: NewHold = {
  reason: 'compliance_review',
  requirements: [],
  dueBy: null,
};

export const holdsDemandedBy = (checked: Checked): readonly NewHold[] =>
  [checkVerification(checked), checkTaxForm(checked), checkMethod(checked)].filter(
    (hold) => hold !== undefined,
  );

const verifyIdentity: HoldRequirement = {
  code: 'verify_identity',
  description:
    'Your organization is not verified. Send support the documents that they ask for. GET /v1/organization shows the verification.',
};

function checkVerification({ verification, payout }: Checked): NewHold | undefined {
  if (verification.status === 'verified') return undefined;
  const { requirements } = verification;
  return {
    reason: 'identity_verification',
    requirements: requirements.length > 0 ? requirements : [verifyIdentity],
    dueBy: payout.expiresAt,
  };
}

const updateTaxForm: HoldRequirement = {
  code: 'update_tax_form',
  description:
    'Your tax form is missing or has expired. Send a new one with PATCH /v1/tax_profile.',
};

function checkTaxForm({ taxProfile, payout, now }: Checked): NewHold | undefined {
  const today = now.toISOString().slice(0, 10);
  if (taxProfile !== undefined && isTaxFormValid(taxProfile, today)) return undefined;
  return { reason: 'tax_form_missing', requirements: [updateTaxForm], dueBy: payout.expiresAt };
}

const waitForMethod: HoldRequirement = {
  code: 'wait_for_payout_method',
  description:
    'The payout method was added less than 72 hours ago. The hold ends by itself at due_by. If your organization did not add the method, cancel the payout and contact support.',
};

const replaceMethod: HoldRequirement = {
  code: 'replace_payout_method',
  description:
    'The payout method was removed. Cancel the payout, and create another one with an active payout method.',
};

function checkMethod({ method, payout, now }: Checked): NewHold | undefined {
  const reason = 'payout_method_changed';
  if (method.status !== 'active' || method.usableFrom === null) {
    return { reason, requirements: [replaceMethod], dueBy: payout.expiresAt };
  }
  if (method.usableFrom <= now) return undefined;
  return { reason, requirements: [waitForMethod], dueBy: method.usableFrom };
}
