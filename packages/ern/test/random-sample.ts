/** The random messages that tests share: the same in every run, made once. */

import fc from 'fast-check';
import { newReleaseMessage, purgeReleaseMessage } from './random-release.ts';

export const releaseCount = 2000;

/** Another seed finds other releases. */
const seed = 20_261_117;

export const sampleReleases = (count: number) =>
  fc.sample(newReleaseMessage, { seed, numRuns: count });

export const samplePurges = (count: number) =>
  fc.sample(purgeReleaseMessage, { seed, numRuns: count });
