/**
 * What a payment needs, by type and country:
 *
 *   wallet         provider, account
 *   bank account   account_holder and one of: iban · account_number and routing_number (US) · account_number and
 *                  sort_code (GB) · account_number and bic
 *
 * No refusal repeats a value, because messages are logged and stored.
 */

import { hasIbans, isIban } from '../../kernel/iban.ts';
import { invalidField, type Refusal } from '../../kernel/problem.ts';
import { isBicOf, isRoutingNumber, isSortCode } from './bank-codes.ts';
import type { MethodDetails, MethodType } from './payout-method.ts';

const detailFields = [
  'account_holder',
  'iban',
  'account_number',
  'routing_number',
  'sort_code',
  'bic',
  'provider',
  'account',
] as const;
type DetailField = (typeof detailFields)[number];

/** As a partner sent them. */
export type SentDetails = { readonly [Field in DetailField]?: string | undefined };

export type MethodKind = { readonly type: MethodType; readonly country: string };

type Kind = MethodDetails['kind'];

const fieldsOfKind: Readonly<Record<Kind, readonly DetailField[]>> = {
  iban: ['account_holder', 'iban'],
  us_account: ['account_holder', 'account_number', 'routing_number'],
  uk_account: ['account_holder', 'account_number', 'sort_code'],
  swift_account: ['account_holder', 'account_number', 'bic'],
  wallet: ['provider', 'account'],
};

/** What the country has, unless the fields say otherwise. */
function kindOf({ type, country }: MethodKind, sent: SentDetails): Kind {
  if (type === 'wallet') return 'wallet';
  if (country === 'US') return 'us_account';
  if (sent.iban !== undefined) return 'iban';
  if (sent.bic !== undefined) return 'swift_account';
  if (country === 'GB') return 'uk_account';
  return hasIbans(country) && sent.account_number === undefined ? 'iban' : 'swift_account';
}

/** IBANs are printed in groups of four, and sort codes with hyphens. */
const compact = (text: string): string => text.replaceAll(/[\s-]/g, '').toUpperCase();

const accountNumbers: Readonly<Partial<Record<Kind, readonly [RegExp, string]>>> = {
  us_account: [/^\d{4,17}$/, 'must have 4 to 17 digits'],
  uk_account: [/^\d{8}$/, 'must have 8 digits'],
  swift_account: [/^[A-Z0-9]{4,34}$/, 'must have 4 to 34 letters and digits'],
};

type Check = (code: string, country: string, kind: Kind) => string | undefined;

function issueOfIban(code: string, country: string): string | undefined {
  if (!hasIbans(country)) return `is not used in ${country}; send account_number and bic`;
  if (!code.startsWith(country)) return `must be an IBAN of ${country}, the country that you sent`;
  return isIban(code) ? undefined : 'must be a valid IBAN; check its length and its digits';
}

/** Why a code is wrong; undefined if it is right. */
const checks: Readonly<Partial<Record<DetailField, Check>>> = {
  iban: issueOfIban,
  account_number: (code, _country, kind) => {
    const [format, issue] = accountNumbers[kind] ?? [];
    return format?.test(code) === false ? issue : undefined;
  },
  routing_number: (code) =>
    isRoutingNumber(code) ? undefined : 'must be a valid ABA routing number of 9 digits',
  sort_code: (code) =>
    isSortCode(code) ? undefined : 'must have 6 digits, with or without hyphens',
  bic: (code, country) =>
    isBicOf(country, code)
      ? undefined
      : `must be the BIC of a bank in ${country}, with 8 or 11 characters`,
};

/** Lists every field that is missing, or else every field that is wrong. */
export function refuseDetails(method: MethodKind, sent: SentDetails): Refusal | undefined {
  const kind = kindOf(method, sent);
  const wanted = fieldsOfKind[kind];
  const missing = wanted.filter((field) => sent[field] === undefined);
  const noun = method.type === 'wallet' ? 'a wallet' : `a bank account in ${method.country}`;
  if (missing.length > 0) {
    const details = missing.map((field) => ({ field, issue: `is required for ${noun}` }));
    const message = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} needs ${wanted.join(', ')}. Add the fields that details list.`;
    return { code: 'missing_required_field', message, details };
  }
  for (const field of detailFields) {
    const value = sent[field];
    if (value === undefined) continue;
    if (!wanted.includes(field)) {
      return invalidField(field, `is not used with ${wanted.join(', ')}; remove it`);
    }
    const issue = checks[field]?.(compact(value), method.country, kind);
    if (issue !== undefined) return invalidField(field, issue);
  }
  return undefined;
}

/** Only after `refuseDetails`. */
export function toDetails(method: MethodKind, sent: SentDetails): MethodDetails {
  const kind = kindOf(method, sent);
  const text = (field: DetailField): string => sent[field] ?? '';
  const code = (field: DetailField): string => compact(text(field));
  if (kind === 'wallet') return { kind, provider: text('provider'), account: text('account') };
  const accountHolder = text('account_holder');
  if (kind === 'iban') return { kind, accountHolder, iban: code('iban') };
  const account = { accountHolder, accountNumber: code('account_number') };
  if (kind === 'us_account') return { kind, ...account, routingNumber: code('routing_number') };
  if (kind === 'uk_account') return { kind, ...account, sortCode: code('sort_code') };
  return { kind, ...account, bic: code('bic') };
}

const shownLength = 4;

/** Of the number by which the payee knows the account. */
export function lastFourOf(details: MethodDetails): string {
  const number =
    details.kind === 'iban'
      ? details.iban
      : details.kind === 'wallet'
        ? details.account
        : details.accountNumber;
  return number.slice(-shownLength);
}
