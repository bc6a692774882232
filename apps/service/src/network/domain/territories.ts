/** Which territory codes may be said (spec §7, contract §1): every list of them is checked here. */

import type { Refusal, Violation } from '../../kernel/problem.ts';
import { isTerritoryCode, meansWorld, type TerritoryCode } from '../../kernel/territory.ts';

export type TerritoryAvailability = {
  /** Whether any store of the network sells there. */
  readonly isSupported: (code: TerritoryCode) => boolean;
  readonly isLicensed: (code: TerritoryCode) => boolean;
};

/** ISO codes the network supports and the licence covers, or `WORLD` alone, which means all of these. */
export function refuseTerritories(
  given: readonly string[],
  { isSupported, isLicensed }: TerritoryAvailability,
  field: string,
): Refusal | undefined {
  if (given.some(meansWorld)) {
    if (given.length === 1) return undefined;
    return {
      code: 'invalid_field',
      message: 'WORLD cannot be combined with other territories.',
      details: [{ field, issue: 'WORLD must stand alone' }],
    };
  }
  const repeated = given.flatMap((code, i): Violation[] =>
    given.indexOf(code) < i ? [{ field: `${field}[${i}]`, issue: 'is listed twice' }] : [],
  );
  if (repeated.length > 0) {
    return { code: 'invalid_field', message: 'A territory is listed twice.', details: repeated };
  }
  const issueOf = (code: string): string | undefined => {
    if (!isTerritoryCode(code)) return 'is not an ISO 3166-1 alpha-2 code';
    if (!isSupported(code)) return 'is supported by no store of the network';
    return isLicensed(code) ? undefined : 'is outside your licence';
  };
  const details = given.flatMap((code, i): Violation[] => {
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

/** The codes to ask the network about, each once; those that are none need no asking. */
export const territoriesIn = (given: readonly string[]): readonly TerritoryCode[] => [
  ...new Set(given.filter(isTerritoryCode)),
];
