/** Contributors on the wire (catalogue §3). */

import { type Static, Type } from 'typebox';
import { closed, OneOf } from '../../platform/http/schema.ts';
import { contributorRoles, roleGroups } from '../domain/contributor-roles.ts';
import { contributorsMax, instrumentsMax, rolesMax } from '../domain/contributor.ts';
import { creditedName, namesArtist, namesArtistOptions } from './content-schemas.ts';

const reference = 'GET /v1/contributor_roles';

const contributorFields = {
  roles: Type.Array(OneOf(contributorRoles), {
    minItems: 1,
    maxItems: rolesMax,
    uniqueItems: true,
    description: `Any of ${reference}.`,
    examples: [['composer', 'lyricist']],
  }),
  instruments: Type.Optional(
    // Not an enum: each refusal would list seven hundred words, and the check would take almost twice the time.
    Type.Array(Type.String({ pattern: '^[a-z0-9_]{1,50}$' }), {
      maxItems: instrumentsMax,
      uniqueItems: true,
      description: `What a performer plays; any of the instruments of ${reference}.`,
      examples: [['electric_guitar']],
    }),
  ),
  ipi: Type.Optional(
    Type.String({
      pattern: '^\\d{9,11}$',
      description: 'IPI name number, as collecting societies know a writer.',
      examples: ['00045620792'],
    }),
  ),
};

const ContributorEntry = Type.Object(
  { ...namesArtist, ...contributorFields },
  { ...namesArtistOptions, title: 'ContributorEntry' },
);
const Contributor = Type.Object(
  { ...creditedName, ...contributorFields },
  { ...closed, title: 'Contributor' },
);

const options = {
  maxItems: contributorsMax,
  description:
    'Everyone credited on the recording and the work: performers, writers, production and engineering. One name per entry. Replaced in full.',
};
export const contributorEntries = Type.Array(ContributorEntry, options);
export const contributors = Type.Array(Contributor, options);

export type WireContributor = Static<typeof ContributorEntry>;

export const ContributorRoleList = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          role: Type.String({ examples: ['mixing_engineer'] }),
          name: Type.String({ examples: ['Mixing engineer'] }),
          group: OneOf(roleGroups),
          ddex_role: Type.String({ examples: ['MixingEngineer'] }),
        },
        { ...closed, title: 'ContributorRole' },
      ),
    ),
    instruments: Type.Array(
      Type.Object(
        {
          instrument: Type.String({ examples: ['electric_guitar'] }),
          name: Type.String({ examples: ['Electric Guitar'] }),
          ddex_instrument: Type.String({ examples: ['ElectricGuitar'] }),
        },
        { ...closed, title: 'Instrument' },
      ),
    ),
  },
  { ...closed, title: 'ContributorRoleList' },
);
