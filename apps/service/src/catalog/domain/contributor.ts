/** A person or group credited on a track (catalogue §3). Who is displayed is in `artists`. */

import type { ArtistId } from '../../kernel/ids.ts';
import type { Refusal } from '../../kernel/problem.ts';
import { type ContributorRole, groupOf, type RoleGroup } from './contributor-roles.ts';
import { isInstrument } from './instruments.ts';

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
  const message = `${violation.field} ${violation.issue}.`;
  return { code: 'invalid_field', message, details: [violation] };
}

function contributorsViolation(
  contributors: readonly Pick<Contributor, 'instruments'>[],
  field: string,
) {
  for (const [i, { instruments = [] }] of contributors.entries()) {
    const unknown = instruments.findIndex((instrument) => !isInstrument(instrument));
    if (unknown !== -1) {
      const issue = 'must be one of the instruments of GET /v1/contributor_roles';
      return { field: `${field}[${i}].instruments[${unknown}]`, issue };
    }
  }
  if (JSON.stringify(contributors).length <= contributorsTextMax) return undefined;
  return { field, issue: `must not exceed ${contributorsTextMax} characters in all` };
}

export const hasRoleOf = (
  { roles }: Pick<Contributor, 'roles'>,
  ...groups: readonly RoleGroup[]
): boolean => roles.some((role) => groups.includes(groupOf(role)));
