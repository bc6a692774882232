import { forReleaseAndTracks, buildTitleFix } from '../release-or-track.ts';
import type { Rule } from '../rule.ts';
import { recaseTitle, casingStyleOf, findWrongCase } from '../text/title-casing.ts';

const messages = {
  upper: 'The title is in capital letters only. Send it in the usual case of its language.',
  lower: 'The title is in lowercase letters only. Send it in the usual case of its language.',
};

export const titleCasingRules = {
  title_casing: {
    description:
      'A title should not be all capital or all lowercase letters; stores use the casing of the language.',
    severity: 'warning',
    readsFields: ['title', 'language'],
    inheritedFields: ['language'],
    source: "a distributor's guide",
    prevents: 'release_violates_terms_of_service',
    ...forReleaseAndTracks((entity, input) => {
      const { track, title } = entity;
      const wrong = findWrongCase(title);
      if (wrong === undefined) return [];
      const style = casingStyleOf(entity.language);
      const fixes = () =>
        style === undefined
          ? []
          : [buildTitleFix(entity, input, { title: recaseTitle(title, style) })];
      return [
        {
          track,
          field: 'title',
          message: messages[wrong],
          measured: title,
          limit: style ?? 'as the language writes it',
          fixes,
        },
      ];
    }),
  } satisfies Rule,
};
