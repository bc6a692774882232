/**
 * A fix is offered only after it is verified: with it applied, its finding is gone, there is no new finding, and the
 * API would accept the content. So a rule can propose fixes without knowing the other rules.
 */

import {
  type Contributor,
  contributorsMax,
  instrumentsMax,
  refuseContributors,
  rolesMax,
} from '../contributor.ts';
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

function isAcceptable({ release = {}, tracks = {} }: Fix): boolean {
  const ofTracks = Object.values(tracks);
  const edits = [release, ...ofTracks];
  const texts = edits.flatMap(Object.values).filter((value) => typeof value === 'string');
  if (texts.some((text) => text.trim() === '' || text.length > textMax)) return false;
  return (
    edits.every(({ artists }) => artists === undefined || areAcceptableArtists(artists)) &&
    ofTracks.every(
      ({ contributors }) => contributors === undefined || areAcceptableContributors(contributors),
    )
  );
}

const isAcceptableName = ({ name }: Artist | Contributor): boolean =>
  name.trim() !== '' && name.length <= textMax;

const areAcceptableArtists = (artists: readonly Artist[]): boolean =>
  artists.length <= artistsMax &&
  artists.every(isAcceptableName) &&
  refuseArtists(artists) === undefined;

const areAcceptableContributors = (contributors: readonly Contributor[]): boolean =>
  contributors.length <= contributorsMax &&
  contributors.every(
    (contributor) =>
      isAcceptableName(contributor) &&
      contributor.roles.length <= rolesMax &&
      (contributor.instruments?.length ?? 0) <= instrumentsMax,
  ) &&
  refuseContributors(contributors) === undefined;
