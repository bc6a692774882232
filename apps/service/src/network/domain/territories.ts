/** Checks every list of territory codes that a partner sends (spec §7, contract §1). */

import { type Refusal, sentenceOf, type Violation } from '../../kernel/problem.ts';
import {
  isTerritoryCode,
  meansWorld,
  nearTerritory,
  type TerritoryCode,
} from '../../kernel/territory.ts';

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
      message: `${field} combines WORLD with other territories. Send WORLD alone.`,
      details: [{ field, issue: 'combines WORLD with other territories; send WORLD alone' }],
    };
  }
  const unlicensed = (code: TerritoryCode) =>
    isLicensed(code)
      ? undefined
      : 'is outside your license; remove it, or ask support to license it';
  return (
    refuseRepeated(codes, field) ??
    refuseCodes(codes, (code) => unsupportedIssue(code, isSupported) ?? unlicensed(code), field)
  );
}

/** For a list that is not compared with the network and the licenses yet. */
const anywhere: TerritoryAvailability = { isSupported: () => true, isLicensed: () => true };

/** What is wrong with the list for every organization. Its licenses are compared later. */
export const refuseTerritoryForm = (codes: readonly string[], field: string): Refusal | undefined =>
  refuseTerritories(codes, anywhere, field);

export const refuseExcludedForm = (codes: readonly string[], field: string): Refusal | undefined =>
  refuseExcludedCodes(codes, anywhere, field);

/** ISO codes that the network supports. To exclude a territory outside the licence is allowed: it changes nothing. */
export const refuseExcludedCodes = (
  codes: readonly string[],
  { isSupported }: TerritoryAvailability,
  field: string,
): Refusal | undefined =>
  refuseRepeated(codes, field) ??
  refuseCodes(codes, (code) => unsupportedIssue(code, isSupported), field);

const unsupported =
  'is not available at any store; remove it (GET /v1/stores/territories lists the codes)';

function unsupportedIssue(
  code: string,
  isSupported: TerritoryAvailability['isSupported'],
): string | undefined {
  if (!isTerritoryCode(code)) {
    return 'must be an ISO 3166-1 alpha-2 code such as "DE"';
  }
  return isSupported(code) ? undefined : unsupported;
}

function refuseRepeated(codes: readonly string[], field: string): Refusal | undefined {
  const listed = new Set<string>();
  const details = codes.flatMap((code, i): Violation[] => {
    const isRepeated = listed.has(code);
    listed.add(code);
    return isRepeated ? [{ field: `${field}[${i}]`, issue: 'is listed twice; list it once' }] : [];
  });
  if (details.length === 0) return undefined;
  return {
    code: 'invalid_field',
    message: `${details[0]?.field} is listed twice. List it once.`,
    details,
  };
}

function refuseCodes(
  codes: readonly string[],
  issueOf: (code: string) => string | undefined,
  field: string,
): Refusal | undefined {
  const details = codes.flatMap((code, i): Violation[] => {
    const issue = issueOf(code);
    if (issue === undefined) return [];
    const violation = { field: `${field}[${i}]`, issue };
    return [isTerritoryCode(code) ? violation : { ...violation, near: () => nearTerritory(code) }];
  });
  const [first] = details;
  return first && { code: 'territory_not_supported', message: sentenceOf(first), details };
}

/** The ISO codes of a list, without duplicates. */
export const territoriesIn = (codes: readonly string[]): readonly TerritoryCode[] => [
  ...new Set(codes.filter(isTerritoryCode)),
];
