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
  const listed = new Set<string>();
  const repeated = codes.flatMap((code, i): Violation[] => {
    const isRepeated = listed.has(code);
    listed.add(code);
    return isRepeated ? [{ field: `${field}[${i}]`, issue: 'is listed twice' }] : [];
  });
  if (repeated.length > 0) {
    return { code: 'invalid_field', message: 'A territory is listed twice.', details: repeated };
  }
  const issueOf = (code: string): string | undefined => {
    if (!isTerritoryCode(code)) return 'is not an ISO 3166-1 alpha-2 code';
    if (!isSupported(code)) return 'is supported by no store of the network';
    return isLicensed(code) ? undefined : 'is outside your licence';
  };
  const details = codes.flatMap((code, i): Violation[] => {
    const issue = issueOf(code);
    return issue === undefined ? [] : [{ field: `${field}[${i}]`, issue }];
  });
  if (details.length === 0) return undefined;
  return {
    code: 'territory_not_supported',
    message: 'Some territories are not supported or not licensed to your organization.',
    details,
  };
}

/** The ISO codes of a list, without duplicates. */
export const territoriesIn = (codes: readonly string[]): readonly TerritoryCode[] => [
  ...new Set(codes.filter(isTerritoryCode)),
];
