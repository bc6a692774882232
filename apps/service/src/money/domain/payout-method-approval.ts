/**
 * Dual control: a second credential approves a payout method before it is used. An attacker with one stolen credential
 * must not be able to make the second. So the two have no maker in common, however many credentials are between, and the
 * approving one has existed for 72 hours of real time, which the sandbox clock does not move.
 */

import { addMs, hourMs } from '../../kernel/duration.ts';
import type { Refusal } from '../../kernel/problem.ts';
import type { PayoutMethod } from './payout-method.ts';

/** Of a credential; `identity/store/credential-lineage.ts` finds it. */
type CredentialLineage = {
  readonly unchangedSince: Date | undefined;
  readonly ids: ReadonlySet<string>;
  readonly isIncomplete: boolean;
};

export type Approval = {
  readonly approverId: string;
  readonly approver: CredentialLineage;
  readonly requester: CredentialLineage;
  readonly realNow: Date;
};

const approverAgeMs = 72 * hourMs;

const howToApprove =
  'Approve it with a credential that was made independently of the one that requested it. Support can issue one.';

const refused = (message: string): Refusal => ({ code: 'invalid_state', message });

export function refuseApproval(method: PayoutMethod, approval: Approval): Refusal | undefined {
  if (method.status !== 'pending_approval') {
    return refused(
      `The payout method is ${method.status}. Only a method that is pending_approval can be approved.`,
    );
  }
  return refuseApprover(method, approval);
}

function refuseApprover(
  { requestedBy }: PayoutMethod,
  { approverId, approver, requester, realNow }: Approval,
): Refusal | undefined {
  if (approverId === requestedBy) {
    return refused(
      `This credential, ${approverId}, requested the payout method, so it cannot approve it. ${howToApprove}`,
    );
  }
  if (approver.ids.has(requestedBy)) {
    return refused(
      `This credential was made with ${requestedBy}, which requested the payout method, directly or through other credentials. ${howToApprove}`,
    );
  }
  const shared = [...approver.ids].find((id) => requester.ids.has(id));
  if (shared !== undefined) {
    return refused(
      `This credential and ${requestedBy}, which requested the payout method, both come from ${shared}. ${howToApprove}`,
    );
  }
  if (approver.isIncomplete || requester.isIncomplete) {
    const unknown = approver.isIncomplete ? approverId : requestedBy;
    return refused(
      `${unknown} was made with a credential that does not exist any more, so its origin is unknown. ${howToApprove}`,
    );
  }
  return refuseYoung(approver, realNow);
}

function refuseYoung({ unchangedSince }: CredentialLineage, realNow: Date): Refusal | undefined {
  if (unchangedSince === undefined) return refused(`This credential was revoked. ${howToApprove}`);
  const usableFrom = addMs(unchangedSince, approverAgeMs);
  if (usableFrom <= realNow) return undefined;
  return refused(
    `This credential was made, or got another secret, less than 72 hours ago. It can approve payout methods from ${usableFrom.toISOString()} on.`,
  );
}
