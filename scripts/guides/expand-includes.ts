/** Replaces `<!-- include: NAME -->` lines by parts that are generated from the code. */

import { changelogSections } from './includes/changelog.ts';
import { contributorRoleTable } from './includes/contributor-roles.ts';
import { errorCodes } from './includes/error-codes.ts';
import { eventTypeTable } from './includes/event-types.ts';
import { genreTable } from './includes/genres.ts';
import { limitTable } from './includes/limits.ts';
import { preflightRules } from './includes/preflight-rules.ts';
import { quotaTable } from './includes/quotas.ts';
import { rejectionCodes } from './includes/rejection-codes.ts';
import { scopeTable } from './includes/scopes.ts';
import { storeTable } from './includes/stores.ts';
import { markdownLines } from './markdown-lines.ts';
import type { Complain } from './problems.ts';

export const includes: Readonly<Record<string, () => string>> = {
  'error-codes': errorCodes,
  'preflight-rules': preflightRules,
  'rejection-codes': rejectionCodes,
  'event-types': eventTypeTable,
  scopes: scopeTable,
  limits: limitTable,
  quotas: quotaTable,
  stores: storeTable,
  genres: genreTable,
  'contributor-roles': contributorRoleTable,
  changelog: changelogSections,
};

const includePattern = /^<!--\s*include:\s*(\S+)\s*-->$/;

export function expandIncludes(markdown: string, file: string, complain: Complain): string {
  return markdownLines(markdown)
    .map(({ text, kind }, i) => {
      const name = kind === 'text' ? includePattern.exec(text.trim())?.[1] : undefined;
      if (name === undefined) return text;
      const include = Object.hasOwn(includes, name) ? includes[name] : undefined;
      if (include !== undefined) return include();
      const names = Object.keys(includes).join(', ');
      complain({ file, line: i + 1 }, `there is no include "${name}": use one of ${names}`);
      return '';
    })
    .join('\n');
}
