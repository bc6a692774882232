/** Checks every list of territory codes that a partner sends (spec §7, contract §1). */

import type { Refusal, Violation } from '../../kernel/problem.ts';
import { isTerritoryCode, meansWorld, type TerritoryCode } from '../../kernel/territory.ts';

export type TerritoryAvailability = {
  /** Whether any store of the network sells there. */
  readonly isSupported: (code: TerritoryCode) => boolean;
  readonly isLicensed: (code: TerritoryCode) => boolean;
};

/** ISO codes that the network supports and the organization is licensed for, or `WORLD` alone for all of these. */
export function refuseTerritories(
  codes: readonly string[],
  { isSupported, isLicensed }: TerritoryAvailability,
  field: string,
): Refusal | undefined {
  if (codes.some(meansWorld)) {
    if (codes.length === 1) return undefined;
    return {
      code: 'invalid_field',
      message: 'WORLD cannot be combined with other territories.',
      details: [{ field, issue: 'combines WORLD with other territories; send WORLD alone' }],
    };
  }
  const unlicensed = (code: TerritoryCode) =>
    isLicensed(code) ? undefined : 'is outside your licence';
  return (
    refuseRepeated(codes, field) ??
    refuseCodes(
      codes,
      (code) => unsupportedIssue(code, isSupported) ?? unlicensed(code),
      'Some territories are not supported or not licensed to your organization.',
      field,
    )
  );
}

/** ISO codes that the network supports. To exclude a territory outside the licence is allowed: it changes nothing. */
export const refuseExcludedCodes = (
  codes: readonly string[],
  { isSupported }: TerritoryAvailability,
  field: string,
): Refusal | undefined =>
  refuseRepeated(codes, field) ??
  refuseCodes(
    codes,
    (code) => unsupportedIssue(code, isSupported),
    'Some of the excluded territories are not supported.',
    field,
  );

function unsupportedIssue(
  code: string,
  isSupported: TerritoryAvailability['isSupported'],
): string | undefined {
  if (!isTerritoryCode(code)) return 'is not an ISO 3166-1 alpha-2 code';
  return isSupported(code) ? undefined : 'is supported by no store of the network';
}

function refuseRepeated(codes: readonly string[], field: string): Refusal | undefined {
  const listed = new Set<string>();
  const details = codes.flatMap((code, i): Violation[] => {
    const isRepeated = listed.has(code);
    listed.add(code);
    return isRepeated ? [{ field: `${field}[${i}]`, issue: 'is listed twice' }] : [];
  });
  if (details.length === 0) return undefined;
  return { code: 'invalid_field', message: 'A territory is listed twice.', details };
}

function refuseCodes(
  codes: readonly string[],
  issueOf: (code: string) => string | undefined,
  message: string,
  field: string,
): Refusal | undefined {
  const details = codes.flatMap((code, i): Violation[] => {
    const issue = issueOf(code);
    return issue === undefined ? [] : [{ field: `${field}[${i}]`, issue }];
  });
  return details.length === 0 ? undefined : { code: 'territory_not_supported', message, details };
}

/** The ISO codes of a list, without duplicates. */
export const territoriesIn = (codes: readonly string[]): readonly TerritoryCode[] => [
  ...new Set(codes.filter(isTerritoryCode)),
];
