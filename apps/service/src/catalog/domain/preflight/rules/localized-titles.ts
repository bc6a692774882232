import type { PreflightInput } from '../preflight-input.ts';
import { forReleaseAndTracks, type ReleaseOrTrack, buildFix } from '../release-or-track.ts';
import type { RawFinding, Rule } from '../rule.ts';

function checkLanguages(entity: ReleaseOrTrack, { release }: PreflightInput): RawFinding[] {
  const { track, localizedTitles } = entity;
  const { metadataLanguage } = release;
  if (localizedTitles?.[metadataLanguage] === undefined) return [];
  const { [metadataLanguage]: _repeated, ...others } = localizedTitles;
  const isEmpty = Object.keys(others).length === 0;
  return [
    {
      track,
      field: 'localized_titles',
      message: `localized_titles has a title in ${metadataLanguage}, the metadata_language of the release: stores would get two titles in one language. Remove it.`,
      measured: metadataLanguage,
      limit: 'other languages',
      fixes: () => [buildFix(entity, { localizedTitles: isEmpty ? null : others })],
    },
  ];
}

export const localizedTitleRules = {
  localized_title_repeated: {
    description:
      'No localized title should be in the metadata_language; stores would get two titles in one language.',
    severity: 'warning',
    readsFields: ['localizedTitles', 'metadataLanguage'],
    inheritedFields: ['metadataLanguage'],
    source: 'DDEX ERN 4.3',
    prevents: 'new_release_message_invalid',
    ...forReleaseAndTracks(checkLanguages),
  } satisfies Rule,
};
