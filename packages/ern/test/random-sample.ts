/** The random messages that tests share: the same in every run, made once. */

import fc from 'fast-check';
import { newReleaseMessage, purgeReleaseMessage } from './random-release.ts';

/** The first 50 have every element and attribute that 2,000 have; `.ci/full` reads them all. */
export const releaseCount = process.env['TONEARM_FULL_TESTS'] === '1' ? 2_000 : 400;

/** Another seed finds other releases. */
const seed = 20_261_117;

export const sampleReleases = (count: number) =>
  fc.sample(newReleaseMessage, { seed, numRuns: count });

export const samplePurges = (count: number) =>
  fc.sample(purgeReleaseMessage, { seed, numRuns: count });
