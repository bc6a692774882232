/** Names of contributors: entries that join several names. */

import type { ContributorRole } from '../../contributor-roles.ts';
import { type Contributor, contributorsMax } from '../../contributor.ts';
import { featuring, namesIn } from './artist-names.ts';
import { memoizeByText } from './memoize-by-text.ts';
import { collapseSpaces, foldCase } from './words.ts';

/** Groups, which may be called "Earth, Wind & Fire". */
const groupRoles: ReadonlySet<ContributorRole> = new Set([
  'music_group',
  'ensemble',
  'orchestra',
  'choir',
]);

const splitName = memoizeByText((name: string): readonly string[] =>
  collapseSpaces(name).split(featuring).flatMap(namesIn),
);

/** An IPI or an artist shows that the name is of one party. */
function splitContributor(contributor: Contributor): readonly Contributor[] {
  const { name, artistId, roles, ipi } = contributor;
  if (artistId !== undefined || ipi !== undefined) return [contributor];
  if (roles.some((role) => groupRoles.has(role))) return [contributor];
  const names = splitName(name);
  return names.length > 1
    ? names.map((each): Contributor => ({ ...contributor, name: each }))
    : [contributor];
}

export const isJoined = (contributor: Contributor): boolean =>
  splitContributor(contributor).length > 1;

const keyOf = ({ name, artistId, ipi }: Contributor): string =>
  [foldCase(name), artistId ?? '', ipi ?? ''].join('\n');

/** Bounds how many entries hostile names are split into. Some of them may be of one name. */
const separatedMax = 2 * contributorsMax;

/** One entry per name, with the roles and instruments of all; undefined when there are too many. */
export function splitJoinedContributors(
  contributors: readonly Contributor[],
): readonly Contributor[] | undefined {
  const separated: Contributor[] = [];
  for (const contributor of contributors) {
    separated.push(...splitContributor(contributor));
    if (separated.length > separatedMax) return undefined;
  }
  const entries = new Map<string, Contributor>();
  for (const entry of separated) {
    const key = keyOf(entry);
    entries.set(key, mergeEntries(entries.get(key) ?? entry, entry));
  }
  return [...entries.values()];
}

function mergeEntries(first: Contributor, second: Contributor): Contributor {
  const instruments = [...(first.instruments ?? []), ...(second.instruments ?? [])];
  return {
    ...first,
    roles: [...new Set([...first.roles, ...second.roles])],
    ...(instruments.length > 0 && { instruments: [...new Set(instruments)] }),
  };
}
