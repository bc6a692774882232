/** Contributors on the wire (catalogue §3). */

import { type Static, Type } from 'typebox';
import { closed, mayGrow, OneOf, patterned } from '../../platform/http/schema.ts';
import { contributorRoles, roleGroups } from '../domain/contributor-roles.ts';
import { contributorsMax, instrumentsMax, rolesMax } from '../domain/contributor.ts';
import { creditedName, creditEntry, ipiNumber } from './content-schemas.ts';

const reference = 'GET /v1/contributor_roles';

const contributorFields = {
  roles: Type.Array(OneOf(contributorRoles), {
    minItems: 1,
    maxItems: rolesMax,
    uniqueItems: true,
    description: `The roles of the contributor. ${reference} lists them.`,
    examples: [['composer', 'lyricist']],
  }),
  instruments: Type.Optional(
    // Not an enum: each refusal would list seven hundred words, and the check would take almost twice the time.
    Type.Array(
      Type.String({
        ...patterned('^[a-z0-9_]{1,50}$', 'the name of an instrument'),
        examples: ['electric_guitar'],
      }),
      {
        maxItems: instrumentsMax,
        uniqueItems: true,
        description: `The instruments of a performer. ${reference} lists them.`,
        examples: [['electric_guitar']],
      },
    ),
  ),
  ipi: Type.Optional(
    Type.String({
      ...ipiNumber,
      description:
        'The IPI name number of a writer, as collecting societies know it: 9 to 11 digits.',
      examples: ['00045620792'],
    }),
  ),
};

const ContributorEntry = creditEntry('ContributorEntry', contributorFields);
const Contributor = Type.Object(
  { ...creditedName, ...contributorFields },
  { ...closed, title: 'Contributor' },
);

const options = {
  maxItems: contributorsMax,
  description:
    'Everyone who is credited on the recording and the work: performers, writers, production and engineering. Send one name per entry. Replaces the whole list.',
};
export const contributorEntries = Type.Array(ContributorEntry, options);
export const contributors = Type.Array(Contributor, options);

export type WireContributor = Static<typeof ContributorEntry>;

export const ContributorRoleList = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          role: Type.String({
            description: 'The value to send in `roles` of a contributor.',
            examples: ['mixing_engineer'],
          }),
          name: Type.String({
            description: 'The English name of the role, for people.',
            examples: ['Mixing engineer'],
          }),
          group: OneOf(roleGroups, {
            description: `The group of the role. Stores require credits by group. ${mayGrow}`,
          }),
          ddex_role: Type.String({
            description: 'The name of the role in DDEX, as stores get it.',
            examples: ['MixingEngineer'],
          }),
        },
        { ...closed, title: 'ContributorRole' },
      ),
      { description: 'Every role of a contributor, by group.' },
    ),
    instruments: Type.Array(
      Type.Object(
        {
          instrument: Type.String({
            description: 'The value to send in `instruments` of a contributor.',
            examples: ['electric_guitar'],
          }),
          name: Type.String({
            description: 'The English name of the instrument, for people.',
            examples: ['Electric Guitar'],
          }),
          ddex_instrument: Type.String({
            description: 'The name of the instrument in DDEX, as stores get it.',
            examples: ['ElectricGuitar'],
          }),
        },
        { ...closed, title: 'Instrument' },
      ),
      { description: 'Every instrument of a performer.' },
    ),
  },
  { ...closed, title: 'ContributorRoleList' },
);
