import { notifyPayoutsVerified } from '../../identity/face.ts';
import { dayOf } from '../../kernel/calendar-date.ts';
import { enforce, Problem } from '../../kernel/problem.ts';
import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import {
  compactTin,
  expiryOf,
  isTaxFormValid,
  lastFourOfTin,
  refuseTaxProfile,
  type TaxProfile,
  type TaxProfileEdit,
} from '../domain/tax-profile.ts';
import { insertTaxProfile, lockTaxProfile, updateTaxProfile } from '../store/tax-profiles.ts';

export type EditTaxProfileRequest = {
  readonly edit: TaxProfileEdit;
  /** Whether the profile still has the ETag that the caller sent (If-Match). */
  readonly isExpected: (profile: TaxProfile | undefined) => boolean;
};

export type EditedTaxProfile = {
  /** Undefined: the edit created the profile. */
  readonly before: TaxProfile | undefined;
  readonly after: TaxProfile;
};

/** Payouts that wait for a valid form are checked again. */
export async function editTaxProfile(
  tx: Tx,
  keyring: Keyring,
  { edit, isExpected }: EditTaxProfileRequest,
): Promise<EditedTaxProfile> {
  const before = await lockTaxProfile(tx);
  if (!isExpected(before)) {
    throw new Problem(
      'precondition_failed',
      'The tax profile has changed since you read it. Read it again, apply your change to it, and send its new ETag.',
    );
  }
  const today = dayOf(tx.now);
  enforce(refuseTaxProfile(edit, before, today));
  const after = applyEdit(tx, keyring, edit, before);
  if (before === undefined) insertTaxProfile(tx, after);
  else updateTaxProfile(tx, after);
  if (isTaxFormValid(after, today)) enqueueDurably(tx, notifyPayoutsVerified(tx.orgId));
  return { before, after };
}

/** `refuseTaxProfile` has found that residence and form are there. */
function applyEdit(
  tx: Tx,
  keyring: Keyring,
  edit: TaxProfileEdit,
  before: TaxProfile | undefined,
): TaxProfile {
  const form = edit.form ?? before?.form ?? 'none';
  const signedOn = edit.signedOn === undefined ? (before?.signedOn ?? null) : edit.signedOn;
  return {
    residence: edit.residence ?? before?.residence ?? '',
    form,
    ...tinAfter(tx, keyring, edit, before),
    signedOn,
    expiresOn: expiryOf(form, signedOn),
    ...timesAfter(tx, before),
  };
}

const timesAfter = (tx: Tx, before: TaxProfile | undefined) =>
  before === undefined
    ? { createdAt: tx.now, updatedAt: tx.now }
    : { createdAt: before.createdAt, updatedAt: nextUpdatedAt(before, tx.now) };

/** The TIN is sealed, bound to its organization (architecture §4). Nothing opens it but a report to a tax office. */
function tinAfter(
  tx: Tx,
  keyring: Keyring,
  { tin }: TaxProfileEdit,
  before: TaxProfile | undefined,
): Pick<TaxProfile, 'sealedTin' | 'tinLastFour'> {
  if (tin === null) return { sealedTin: null, tinLastFour: null };
  if (tin === undefined) {
    return { sealedTin: before?.sealedTin ?? null, tinLastFour: before?.tinLastFour ?? null };
  }
  const sealedTin = keyring.seal(`tax_profile/${tx.orgId}`, Buffer.from(compactTin(tin)));
  return { sealedTin, tinLastFour: lastFourOfTin(tin) };
}
