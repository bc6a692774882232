/** Runs all golden fixtures and describes each report that differs from what its fixture expects. */

import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../../src/catalog/domain/preflight/finding.ts';
import { preflight } from '../../src/catalog/domain/preflight/preflight.ts';
import { ruleList, type RuleId } from '../../src/catalog/domain/preflight/rules.ts';
import { base } from './preflight-base.ts';
import { artistIdentityGolden } from './preflight-golden-artists.ts';
import { aiUseGolden, creditGolden } from './preflight-golden-credits.ts';
import { dateGolden, identifierGolden, territoryGolden } from './preflight-golden-facts.ts';
import { artworkGolden, audioGolden, lengthGolden } from './preflight-golden-media.ts';
import { localizedTitleGolden, originGolden, subgenreGolden } from './preflight-golden-origin.ts';
import {
  artistGolden,
  explicitGolden,
  genreGolden,
  lineGolden,
  typeGolden,
} from './preflight-golden-people.ts';
import {
  preOrderGolden,
  previewGolden,
  tracksForSaleGolden,
  useTypeGolden,
} from './preflight-golden-rights.ts';
import {
  titleCasingGolden,
  titleFormGolden,
  titleVersionGolden,
} from './preflight-golden-titles.ts';
import type { GoldenCase, Golden, GoldenRules } from './preflight-golden.ts';

export const goldens: GoldenRules = {
  ...artworkGolden,
  ...audioGolden,
  ...lengthGolden,
  ...identifierGolden,
  ...dateGolden,
  ...territoryGolden,
  ...useTypeGolden,
  ...tracksForSaleGolden,
  ...preOrderGolden,
  ...previewGolden,
  ...titleFormGolden,
  ...titleVersionGolden,
  ...titleCasingGolden,
  ...artistGolden,
  ...artistIdentityGolden,
  ...creditGolden,
  ...lineGolden,
  ...explicitGolden,
  ...genreGolden,
  ...typeGolden,
  ...aiUseGolden,
  ...originGolden,
  ...localizedTitleGolden,
  ...subgenreGolden,
};

export type FixtureFigures = {
  readonly rulesWithThree: number;
  readonly fixtures: number;
  readonly failures: readonly string[];
};

/** Runs the fixtures of every rule, and one more: the base release has no findings. */
export function runFixtures(): FixtureFigures {
  const failures = preflight(base).findings.map(({ id }) => `the base release: ${id}`);
  let fixtures = 1;
  let rulesWithThree = 0;
  for (const rule of ruleList) {
    const golden = goldens[rule];
    if (golden === undefined) continue;
    const { pass, fail, edge, more = [] } = golden;
    const differ = new Set([pass.input, fail.input, edge.input]).size === 3;
    if (differ && pass.expectedFindings.length === 0 && fail.expectedFindings.length > 0)
      rulesWithThree++;
    for (const [at, each] of [pass, fail, edge, ...more].entries()) {
      fixtures++;
      const mismatch = describeMismatch(rule, golden, each);
      if (mismatch !== undefined) failures.push(`${rule} #${at}: ${mismatch}`);
    }
  }
  return { rulesWithThree, fixtures, failures };
}

const comparedFields = ({ pointer, severity, measured, limit, fix, appliesTo }: Finding) => ({
  pointer,
  severity,
  measured,
  limit,
  fix,
  appliesTo,
});

function describeMismatch(
  rule: RuleId,
  { severity }: Golden,
  fixture: GoldenCase,
): string | undefined {
  const { input, expectedFindings } = fixture;
  const found = preflight(input).findings.filter((finding) => finding.rule === rule);
  const expected = expectedFindings.map(({ stores, ...each }) => ({
    ...each,
    severity,
    appliesTo: stores ?? 'all',
  }));
  if (isDeepStrictEqual(found.map(comparedFields), expected)) return undefined;
  return `expected ${JSON.stringify(expected)}, found ${JSON.stringify(found.map(comparedFields))}`;
}
