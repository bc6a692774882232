import {
  changelog,
  type ChangelogEntry,
} from '../../../apps/service/src/webhooks/domain/changelog.ts';
import { prose } from './table.ts';

const titles: Readonly<Record<ChangelogEntry['changes'][number]['kind'], string>> = {
  added: 'Added',
  changed: 'Changed',
  deprecated: 'Deprecated',
  removed: 'Removed',
  fixed: 'Fixed',
};

/** Newest first. The id of a section is the date of its entry: the feed and `url` of an entry lead there. */
export const changelogSections = (): string => changelog.toReversed().map(section).join('\n\n');

const section = ({ date, title, changes }: ChangelogEntry): string =>
  [`## ${date}: ${title} {#${date}}`, changes.map(line).join('\n')].join('\n\n');

function line({ kind, text, sunset }: ChangelogEntry['changes'][number]): string {
  const end = sunset === undefined ? '' : ` It stops working on ${sunset}.`;
  return `- **${titles[kind]}.** ${codePaths(prose(text))}${end}`;
}

/** Paths are texts on the wire and code on a page. */
const codePaths = (text: string): string =>
  text.replaceAll(
    /(?:(?:GET|POST|PATCH|PUT|DELETE) )?\/v1\/[\w/{}.-]*[\w}]/g,
    (path) => `\`${path}\``,
  );
