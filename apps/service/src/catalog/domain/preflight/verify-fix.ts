/**
 * A fix is offered only after it is verified: with it applied, its finding is gone, there is no new finding, and the
 * API would accept the content. So a rule can propose fixes without knowing the other rules.
 */

import { type Artist, refuseArtists } from '../release.ts';
import { applyFix } from './apply-fix.ts';
import type { Fix, PreflightInput } from './preflight-input.ts';
import { type IdentifiedFinding, rerunAffectedRules } from './run-rules.ts';

/** Spec §8: the limits of the schemas, so that the API accepts a fix. */
const textMax = 500;
const artistsMax = 100;

export const findVerifiedFix = (
  { id, raw }: IdentifiedFinding,
  input: PreflightInput,
  known: ReadonlySet<string>,
): Fix | undefined =>
  raw.fixes?.().find((fix) => {
    if (!isAcceptable(fix)) return false;
    return rerunAffectedRules(applyFix(input, fix), fix).every(
      (found) => found.id !== id && known.has(found.id),
    );
  });

function isAcceptable({ release, tracks = {} }: Fix): boolean {
  const edits = [release ?? {}, ...Object.values(tracks)];
  const texts = edits.flatMap(Object.values).filter((value) => typeof value === 'string');
  if (texts.some((text) => text.trim() === '' || text.length > textMax)) return false;
  return edits.every(({ artists }) => artists === undefined || areAcceptable(artists));
}

const areAcceptable = (artists: readonly Artist[]): boolean =>
  artists.length <= artistsMax &&
  artists.every(({ name }) => name.trim() !== '' && name.length <= textMax) &&
  refuseArtists(artists) === undefined;
