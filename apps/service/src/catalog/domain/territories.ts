import { isTerritoryCode, meansWorld, type TerritoryCode, world } from '../../kernel/territory.ts';
import type { Refusal, Violation } from '../../kernel/problem.ts';

type IsLicensed = (code: TerritoryCode) => boolean;

/**
 * Contract §1: ISO codes the network and the account's licence allow, or `WORLD` alone, which means
 * whatever the account is licensed for.
 */
export function refuseTerritories(
  given: readonly string[],
  isLicensed: IsLicensed,
): Refusal | undefined {
  if (given.some(meansWorld)) {
    if (given.length === 1) return undefined;
    return {
      code: 'invalid_field',
      message: 'WORLD cannot be combined with other territories.',
      details: [{ field: 'territories', issue: 'WORLD must stand alone' }],
    };
  }
  const repeated = given.flatMap((code, i): Violation[] =>
    given.indexOf(code) < i ? [{ field: `territories[${i}]`, issue: 'is listed twice' }] : [],
  );
  if (repeated.length > 0) {
    return { code: 'invalid_field', message: 'A territory is listed twice.', details: repeated };
  }
  const details = given.flatMap((code, i): Violation[] => {
    const field = `territories[${i}]`;
    if (!isTerritoryCode(code)) return [{ field, issue: 'is not an ISO 3166-1 alpha-2 code' }];
    if (!isLicensed(code)) return [{ field, issue: 'is outside your licence' }];
    return [];
  });
  if (details.length === 0) return undefined;
  return {
    code: 'territory_not_supported',
    message: 'Some territories are not supported or not licensed to your organization.',
    details,
  };
}

/** Both words for the world are understood; releases echo `WORLD` (contract §2). */
export const documentedTerritories = (given: readonly string[]): readonly TerritoryCode[] =>
  given.some(meansWorld) ? [world] : given;
