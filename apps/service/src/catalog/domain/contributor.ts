/** A person or group credited on a track (catalogue §3). Who is displayed is in `artists`. */

import type { ArtistId } from '../../kernel/ids.ts';
import { didYouMean } from '../../kernel/near-name.ts';
import { type Refusal, sentenceOf, type Violation } from '../../kernel/problem.ts';
import { type ContributorRole, groupOf, type RoleGroup } from './contributor-roles.ts';
import { instrumentNames, isInstrument } from './instruments.ts';

export type Contributor = {
  readonly name: string;
  /** The artist behind the name. */
  readonly artistId?: ArtistId | undefined;
  readonly roles: readonly ContributorRole[];
  readonly instruments?: readonly string[] | undefined;
  readonly ipi?: string | undefined;
};

export const contributorsMax = 100;
export const rolesMax = 10;
export const instrumentsMax = 10;

/** Bounded, because every snapshot has a copy; enough for an orchestra. */
const contributorsTextMax = 16_000;

export function refuseContributors(
  contributors: readonly Pick<Contributor, 'instruments'>[],
  field = 'contributors',
): Refusal | undefined {
  const violation = contributorsViolation(contributors, field);
  if (violation === undefined) return undefined;
  return { code: 'invalid_field', message: sentenceOf(violation), details: [violation] };
}

function contributorsViolation(
  contributors: readonly Pick<Contributor, 'instruments'>[],
  field: string,
): Violation | undefined {
  for (const [i, { instruments = [] }] of contributors.entries()) {
    const unknown = instruments.findIndex((instrument) => !isInstrument(instrument));
    if (unknown !== -1) {
      const issue = 'must be one of the instruments of GET /v1/contributor_roles';
      const near = () => didYouMean(instruments[unknown] ?? '', instrumentNames);
      return { field: `${field}[${i}].instruments[${unknown}]`, issue, near };
    }
  }
  if (JSON.stringify(contributors).length <= contributorsTextMax) return undefined;
  return {
    field,
    issue: `must have at most ${contributorsTextMax} characters in total; shorten it`,
  };
}

export const hasRoleOf = (
  { roles }: Pick<Contributor, 'roles'>,
  ...groups: readonly RoleGroup[]
): boolean => roles.some((role) => groups.includes(groupOf(role)));
