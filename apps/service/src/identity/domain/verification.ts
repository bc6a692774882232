/** Whether the operator knows who an organization is. Stores get nothing new of one that is not verified. */

import { invalidField, type Refusal } from '../../kernel/problem.ts';

export const verificationStatuses = ['unverified', 'pending', 'verified', 'rejected'] as const;
export type VerificationStatus = (typeof verificationStatuses)[number];

/** What the organization must still send or do. */
export type VerificationRequirement = { readonly code: string; readonly description: string };

export type Verification = {
  readonly status: VerificationStatus;
  readonly requirements: readonly VerificationRequirement[];
};

export const requirementsMax = 20;
export const requirementCodePattern = '^[a-z][a-z0-9_]{0,63}$';
export const requirementDescriptionMax = 500;

export const verified: Verification = { status: 'verified', requirements: [] };
export const unverified: Verification = { status: 'unverified', requirements: [] };

export const isSameVerification = (a: Verification, b: Verification): boolean =>
  a.status === b.status &&
  a.requirements.length === b.requirements.length &&
  a.requirements.every(
    ({ code, description }, i) =>
      code === b.requirements[i]?.code && description === b.requirements[i]?.description,
  );

export function refuseVerification({ status, requirements }: Verification): Refusal | undefined {
  if (status === 'verified' && requirements.length > 0) {
    return invalidField('requirements', 'must be empty if the status is verified; remove them');
  }
  const repeated = requirements.findIndex(
    ({ code }, i) => requirements.findIndex((other) => other.code === code) !== i,
  );
  return repeated === -1
    ? undefined
    : invalidField(
        `requirements[${repeated}].code`,
        'is the code of an earlier requirement; list each code once',
      );
}
