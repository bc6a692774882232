/**
 * Compares preflight's reports with golden fixtures of each rule; then applies every fix that it offers for random
 * releases and compares a new report on the whole release with the old one, as a partner would. Preflight itself
 * verifies a fix with a part of the rules only; this proof does not rely on that.
 *
 * The bar: three fixtures for each rule, none failed; no fix leaves its finding or adds another; no finding id is
 * repeated, every pointer resolves, every JSON patch has the effect of its fix and would be accepted by the API; fixes
 * applied one after the other come to an end. It fails when a rule or a fix changes its meaning unnoticed.
 */

import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Experiment, Lab } from '../../../../scripts/experiments/experiment.ts';
import { applyFix } from '../../src/catalog/domain/preflight/apply-fix.ts';
import type { Finding } from '../../src/catalog/domain/preflight/finding.ts';
import { toJsonPatch, type PatchOperation } from '../../src/catalog/domain/preflight/json-patch.ts';
import type { Fix, PreflightInput } from '../../src/catalog/domain/preflight/preflight-input.ts';
import { preflight } from '../../src/catalog/domain/preflight/preflight.ts';
import { ruleList } from '../../src/catalog/domain/preflight/rules.ts';
import { documentOf, fromWire, patched, valueAt } from './preflight-document.ts';
import { runFixtures } from './preflight-fixtures.ts';
import { preflightInputs } from './preflight-inputs.ts';
import { seededRandom } from './random.ts';

const inputsOf = { start: 500, small: 2_000, full: 50_000 };
const batch = 500;
/** Fixes are applied one after the other for one release in four only, because each step needs a new report. */
const chainEvery = 4;
const samplesKept = 5;

type MismatchKind = 'left' | 'added' | 'unequal' | 'refused' | 'unfinished' | 'lost' | 'repeated';

type Tally = Record<MismatchKind, number> & {
  inputs: number;
  findings: number;
  applied: number;
  chains: number;
  chained: number;
  readonly rulesSeen: Set<string>;
  readonly rulesWithFix: Set<string>;
  readonly samples: string[];
};

export const experiment: Experiment = {
  compares:
    'reports of preflight against golden fixtures, and every fix it offers against a new report on the whole release',
  bar: (size) => ({
    rules: { atLeast: 72 },
    rules_without_three_fixtures: { equals: 0 },
    rules_with_three_fixtures: { equals: ruleList.length },
    fixtures: { atLeast: 3 * ruleList.length },
    fixtures_failed: { equals: 0 },
    subjects: { atLeast: inputsOf[size] },
    fixes_applied: { atLeast: 3 * inputsOf[size] },
    rules_mended: { atLeast: 26 },
    findings_left: { equals: 0 },
    findings_new: { equals: 0 },
    ids_repeated: { equals: 0 },
    pointers_to_nothing: { equals: 0 },
    patches_unequal: { equals: 0 },
    patches_refused_at_the_door: { equals: 0 },
    chains: { atLeast: inputsOf[size] / chainEvery },
    fixes_applied_in_chains: { atLeast: inputsOf[size] },
    chains_unfinished: { equals: 0 },
  }),
  run: (lab) => Promise.resolve(measure(lab)),
};

function measure({ size, say }: Lab) {
  const { seed } = seededRandom();
  const { rulesWithThree, fixtures, failures } = runFixtures();
  say(`${fixtures} fixtures, ${failures.length} failed`);
  const tally = emptyTally();
  for (let round = 0; tally.inputs < inputsOf[size]; round++) {
    for (const input of fc.sample(preflightInputs, { numRuns: batch, seed: seed + round })) {
      tally.inputs++;
      judge(input, tally);
    }
    say(`${tally.inputs} releases, ${tally.applied} fixes applied`);
  }
  return {
    seed,
    rules: ruleList.length,
    rules_with_three_fixtures: rulesWithThree,
    rules_without_three_fixtures: ruleList.length - rulesWithThree,
    fixtures,
    fixtures_failed: failures.length,
    subjects: tally.inputs,
    findings: tally.findings,
    rules_seen: tally.rulesSeen.size,
    rules_mended: tally.rulesWithFix.size,
    fixes_applied: tally.applied,
    chains: tally.chains,
    fixes_applied_in_chains: tally.chained,
    findings_left: tally.left,
    findings_new: tally.added,
    ids_repeated: tally.repeated,
    pointers_to_nothing: tally.lost,
    patches_unequal: tally.unequal,
    patches_refused_at_the_door: tally.refused,
    chains_unfinished: tally.unfinished,
    samples: [...failures.slice(0, samplesKept), ...tally.samples],
  };
}

const emptyTally = (): Tally => ({
  inputs: 0,
  findings: 0,
  applied: 0,
  chains: 0,
  chained: 0,
  left: 0,
  added: 0,
  unequal: 0,
  refused: 0,
  unfinished: 0,
  lost: 0,
  repeated: 0,
  rulesSeen: new Set(),
  rulesWithFix: new Set(),
  samples: [],
});

function recordMismatch(
  tally: Tally,
  kind: MismatchKind,
  input: PreflightInput,
  details: unknown,
): void {
  tally[kind]++;
  if (tally[kind] > samplesKept) return;
  const { release, tracks } = input;
  const titles = [release, ...tracks].map(({ title, version }) => [title, version]);
  tally.samples.push(`${kind}: ${JSON.stringify({ titles, details })}`);
}

const idsOf = (findings: readonly Finding[]): Set<string> => new Set(findings.map(({ id }) => id));

function judge(input: PreflightInput, tally: Tally): void {
  const { findings } = preflight(input);
  const document = documentOf(input);
  const known = idsOf(findings);
  tally.findings += findings.length;
  if (known.size < findings.length) recordMismatch(tally, 'repeated', input, [...known]);
  for (const { id, rule, pointer, fix } of findings) {
    tally.rulesSeen.add(rule);
    if (!pointsToSomething(document, pointer)) recordMismatch(tally, 'lost', input, pointer);
    if (fix === undefined) continue;
    tally.rulesWithFix.add(rule);
    judgeFix(input, document, { id, fix, known }, tally);
  }
  if (tally.inputs % chainEvery === 0) followChain(input, known.size, tally);
}

function pointsToSomething(document: unknown, pointer: string): boolean {
  try {
    return valueAt(document, pointer) !== undefined;
  } catch {
    return false;
  }
}

/** An artist that a fix adds has no profile yet. */
const mayFollowFix = (id: string): boolean => id.startsWith('artist_profile_unset:');

type OfferedFix = { readonly id: string; readonly fix: Fix; readonly known: ReadonlySet<string> };

function judgeFix(
  input: PreflightInput,
  document: unknown,
  offered: OfferedFix,
  tally: Tally,
): void {
  const { id, fix, known } = offered;
  tally.applied++;
  const fixed = applyFix(input, fix);
  const after = idsOf(preflight(fixed).findings);
  if (after.has(id)) recordMismatch(tally, 'left', input, { id, fix });
  const added = [...after].filter((each) => !known.has(each) && !mayFollowFix(each));
  if (added.length > 0) recordMismatch(tally, 'added', input, { id, fix, added });
  const patch = fromWire(toJsonPatch(input, fix)) as PatchOperation[];
  if (!resultsIn(documentOf(fixed), document, patch)) {
    recordMismatch(tally, 'unequal', input, { id, fix, patch });
  }
  if (!patch.every(isAcceptedPatch) || !hasAcceptedRights(fixed))
    recordMismatch(tally, 'refused', input, { id, fix });
}

/** Catalogue §2, as the API validates it: exclusions narrow the world, or what a track inherits. */
const hasAcceptedRights = ({ release, tracks }: PreflightInput): boolean =>
  [{ ...release, territory: release.territories }, ...tracks].every(
    ({ territory, excludedTerritories }) =>
      excludedTerritories === null || territory === null || territory.includes('WORLD'),
  );

/** Catalogue §3 and §4, as the API validates them; other fields by their values alone. */
function isAcceptedPatch({ path, value }: PatchOperation): boolean {
  if (path.endsWith('/ai_use')) {
    const words = new Set<unknown>([null, 'none', 'partly', 'all']);
    return Object.values(value as object).every((word) => words.has(word));
  }
  if (!path.endsWith('/contributors')) return isAccepted(value);
  const contributors = value as readonly { name: string; roles: readonly string[] }[];
  return (
    contributors.length <= 100 &&
    contributors.every(
      ({ name, roles }) =>
        isAccepted(name) && roles.length >= 1 && new Set(roles).size === roles.length,
    )
  );
}

/** Spec §8, as the API validates it: text is visible and bounded, lists are bounded and not empty. */
function isAccepted(value: unknown): boolean {
  if (typeof value === 'string') return /\S/.test(value) && value.length <= 500;
  if (!Array.isArray(value)) return value === null || areTitles(value);
  const areNames = value.every((item) => isAccepted(item?.name ?? item));
  const isArtistList = value.some((item) => item?.role !== undefined);
  const hasMain = value.some((item) => item?.role === 'main');
  return value.length > 0 && value.length <= 249 && areNames && hasMain === isArtistList;
}

/** Localized titles: at least one language, each with a title. */
const areTitles = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length > 0 &&
  Object.values(value).every((each) => isAccepted(each?.title) && isAccepted(each?.version));

/** False also for a patch that cannot be applied. */
function resultsIn(
  expected: unknown,
  document: unknown,
  patch: readonly PatchOperation[],
): boolean {
  try {
    return isDeepStrictEqual(patched(document, patch), expected);
  } catch {
    return false;
  }
}

/** Applies fix after fix, each from a new report. Each removes a finding, so there are at most `stepsMax`. */
function followChain(input: PreflightInput, stepsMax: number, tally: Tally): void {
  tally.chains++;
  let current = input;
  for (let step = 0; step <= stepsMax; step++) {
    const { fix } = preflight(current).findings.find((each) => each.fix !== undefined) ?? {};
    if (fix === undefined) return;
    tally.chained++;
    current = applyFix(current, fix);
  }
  recordMismatch(tally, 'unfinished', input, { stepsMax });
}
