/** What stores ask about generative AI (catalogue §4). */

import { presentReleaseAiUse, presentTrackAiUse } from '../../ai-use.ts';
import { hasRoleOf } from '../../contributor.ts';
import type { PreflightInput, PreflightTrack, RulePack } from '../preflight-input.ts';
import type { RawFinding, Rule } from '../rule.ts';
import { storeIdsWithRulePack } from './stores-with-rule-pack.ts';

const field = 'ai_use';
const source = "a major streaming store's transparency tags for AI";
const limit = 'none, partly, all';
const rulePacks: readonly RulePack[] = ['a', 'b'];

/** The undeclared parts of `ai_use`, in one finding. */
function checkDeclared(
  aiUse: Readonly<Record<string, string | null>>,
  input: PreflightInput,
  track?: PreflightTrack,
): RawFinding[] {
  const undeclared = Object.keys(aiUse).filter((part) => aiUse[part] === null);
  const stores = storeIdsWithRulePack(input, rulePacks);
  if (undeclared.length === 0 || stores.length === 0) return [];
  const names = undeclared.map((part) => `ai_use.${part}`).join(' and ');
  const message = `${names} ${undeclared.length === 1 ? 'is' : 'are'} not declared. Send none, partly or all.`;
  return [{ track, field, message, measured: null, limit, stores }];
}

function checkPerformers(track: PreflightTrack): RawFinding[] {
  const { aiUse, contributors } = track;
  if (aiUse?.recording !== 'all') return [];
  const performer = contributors.find((contributor) => hasRoleOf(contributor, 'performer'));
  if (performer === undefined) return [];
  return [
    {
      track,
      field,
      message:
        'ai_use.recording is all, but the track credits performers. Send partly, or remove the performers.',
      measured: performer.name,
      limit: 'no performers',
      // No credit is lost by this fix.
      fixes: () => [
        { tracks: { [track.id]: { aiUse: { ...presentTrackAiUse(aiUse), recording: 'partly' } } } },
      ],
    },
  ];
}

export const aiUseRules = {
  ai_use_undeclared: {
    description:
      'The use of AI in the artwork, the recording and the composition should be declared; stores label what AI has made.',
    rulePacks,
    severity: 'warning',
    readsFields: ['aiUse'],
    source,
    prevents: 'metadata_missing',
    release: (input) => checkDeclared(presentReleaseAiUse(input.release.aiUse ?? {}), input),
    track: (track, input) => checkDeclared(presentTrackAiUse(track.aiUse ?? {}), input, track),
  } satisfies Rule,
  ai_use_performers: {
    description:
      'A recording with ai_use.recording all must credit no performers; stores refuse the contradiction.',
    severity: 'error',
    readsFields: ['aiUse', 'contributors'],
    source,
    prevents: 'new_release_message_invalid',
    track: checkPerformers,
  } satisfies Rule,
};
