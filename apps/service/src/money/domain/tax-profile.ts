/** What must be known about a payee for taxes (ADR 0036). The taxpayer identification number (TIN) is sealed. */

import { invalidField, Problem, type Refusal } from '../../kernel/problem.ts';

export const taxForms = ['w9', 'w8ben', 'w8bene', 'none'] as const;
export type TaxForm = (typeof taxForms)[number];

export type TaxProfile = {
  /** The country of tax residence. */
  readonly residence: string;
  readonly form: TaxForm;
  readonly tinLastFour: string | null;
  readonly sealedTin: Buffer | null;
  readonly signedOn: string | null;
  /** The last day on which the form is valid. Null: it does not expire. */
  readonly expiresOn: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export const taxStatuses = ['valid', 'expired'] as const;

/** What a partner sends. A field that is missing stays as it is; null clears it. */
export type TaxProfileEdit = {
  readonly residence?: string | undefined;
  readonly form?: TaxForm | undefined;
  readonly tin?: string | null | undefined;
  readonly signedOn?: string | null | undefined;
};

/** Of the profile after the edit. */
type Merged = {
  readonly residence: string | undefined;
  readonly form: TaxForm | undefined;
  readonly hasTin: boolean;
  readonly signedOn: string | null;
};

const mergeEdit = (edit: TaxProfileEdit, before: TaxProfile | undefined): Merged => ({
  residence: edit.residence ?? before?.residence,
  form: edit.form ?? before?.form,
  hasTin: edit.tin === undefined ? (before?.sealedTin ?? null) !== null : edit.tin !== null,
  signedOn: edit.signedOn === undefined ? (before?.signedOn ?? null) : edit.signedOn,
});

/** `before`: undefined if this creates the profile. `today` is a date in business time. */
export function refuseTaxProfile(
  edit: TaxProfileEdit,
  before: TaxProfile | undefined,
  today: string,
): Refusal | undefined {
  const { residence, form, hasTin, signedOn } = mergeEdit(edit, before);
  if (residence === undefined || form === undefined) {
    return missing(residence === undefined ? ['residence', 'form'] : ['form'], edit);
  }
  return form === 'none'
    ? refuseWithoutForm(residence, signedOn)
    : (refuseIncompleteForm(form, hasTin, signedOn) ??
        refuseResidence(form, residence) ??
        refuseTin(form, edit.tin) ??
        refuseSignature(signedOn, today));
}

function missing(fields: readonly string[], { form }: TaxProfileEdit): Refusal {
  const absent = fields.filter((field) => field !== 'form' || form === undefined);
  return {
    code: 'missing_required_field',
    message: `A new tax profile must have residence and form. Add ${absent.join(' and ')}.`,
    details: absent.map((field) => ({ field, issue: 'is required for a new tax profile' })),
  };
}

/** Form `none` says that the payee owes no form to the United States. */
function refuseWithoutForm(residence: string, signedOn: string | null): Refusal | undefined {
  if (residence === 'US') return invalidField('form', 'must be w9 for the residence US');
  return signedOn === null
    ? undefined
    : invalidField('signed_on', 'must be null for the form none, which nobody signs');
}

function refuseIncompleteForm(
  form: TaxForm,
  hasTin: boolean,
  signedOn: string | null,
): Refusal | undefined {
  const absent = [...(hasTin ? [] : ['tin']), ...(signedOn === null ? ['signed_on'] : [])];
  if (absent.length === 0) return undefined;
  return {
    code: 'missing_required_field',
    message: `The form ${form} must have tin and signed_on. Add ${absent.join(' and ')}.`,
    details: absent.map((field) => ({ field, issue: `is required for the form ${form}` })),
  };
}

/** A W-8 certifies that the payee is not a person of the United States. */
const refuseResidence = (form: TaxForm, residence: string): Refusal | undefined =>
  form !== 'w9' && residence === 'US'
    ? invalidField('form', 'must be w9 for the residence US')
    : undefined;

const refuseTin = (form: TaxForm, tin: string | null | undefined): Refusal | undefined =>
  form === 'w9' && typeof tin === 'string' && !/^\d{9}$/.test(compactTin(tin))
    ? invalidField('tin', 'must have 9 digits for the form w9')
    : undefined;

const refuseSignature = (signedOn: string | null, today: string): Refusal | undefined =>
  signedOn !== null && signedOn > today
    ? invalidField('signed_on', 'must not be in the future')
    : undefined;

/** TINs are printed with hyphens and spaces. */
export const compactTin = (tin: string): string => tin.replaceAll(/[\s-]/g, '').toUpperCase();

const shownLength = 4;
export const lastFourOfTin = (tin: string): string => compactTin(tin).slice(-shownLength);

const yearsValid = 3;

/** W-8 forms expire at the end of the third year after the year of the signature. */
export function expiryOf(form: TaxForm, signedOn: string | null): string | null {
  if (signedOn === null || (form !== 'w8ben' && form !== 'w8bene')) return null;
  return `${Number(signedOn.slice(0, 4)) + yearsValid}-12-31`;
}

/** `today` is a date in business time, such as `2026-11-16`. */
export const isTaxFormValid = ({ expiresOn }: TaxProfile, today: string): boolean =>
  expiresOn === null || today <= expiresOn;

export const presentTaxProfile = (profile: TaxProfile, today: string) => ({
  residence: profile.residence,
  form: profile.form,
  tin_last_four: profile.tinLastFour,
  signed_on: profile.signedOn,
  expires_on: profile.expiresOn,
  status: isTaxFormValid(profile, today) ? ('valid' as const) : ('expired' as const),
  created_at: profile.createdAt.toISOString(),
  updated_at: profile.updatedAt.toISOString(),
});

export const taxProfileNotFound = (): Problem =>
  new Problem(
    'resource_not_found',
    'Your organization has no tax profile. Create it with PATCH /v1/tax_profile: send residence and form.',
  );
