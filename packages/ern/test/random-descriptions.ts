/** People, titles and lines of random releases. */

import fc from 'fast-check';
import {
  aiUses,
  type Contributor,
  type DisplayArtist,
  displayArtistRoles,
  type LocalizedTitle,
  type Party,
  type RightsController,
  type RightsLine,
  type Title,
} from '../src/index.ts';
import { foreignLanguages, ipi, isni, sha256, text } from './random-texts.ts';

export const sender = { dpid: 'PADPIDA2025010101X', name: 'Example Distribution' };
export const recipient = { dpid: 'PADPIDA2025020202Y', name: 'Fictional Store' };

export const proprietaryId = text.map((value) => ({ namespace: recipient.dpid, value }));

/** Properties that are sometimes absent. */
export const sparse = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { requiredKeys: [] });

const languages = fc.subarray(foreignLanguages, { minLength: 1, maxLength: 2 });

const inLanguages = <T extends object>(value: fc.Arbitrary<T>) =>
  languages.chain((tags) =>
    fc.tuple(...tags.map((language) => value.map((own) => ({ ...own, language })))),
  );

export const party: fc.Arbitrary<Party> = fc
  .tuple(
    text,
    sparse<Omit<Party, 'name'>>({
      localizedNames: inLanguages(fc.record({ text })),
      isni,
      ipi,
      proprietaryIds: fc.array(proprietaryId, { minLength: 1, maxLength: 2 }),
    }),
  )
  .map(([name, more]) => ({ name, ...more }));

export const title: fc.Arbitrary<Title> = fc
  .tuple(text, sparse<{ version: string }>({ version: text }))
  .map(([value, more]) => ({ text: value, ...more }));

export const localizedTitles = inLanguages(title) as fc.Arbitrary<LocalizedTitle[]>;

export const line: fc.Arbitrary<RightsLine> = fc
  .tuple(
    text,
    sparse<{ year: number; company: string }>({
      year: fc.integer({ min: 1900, max: 2027 }),
      company: text,
    }),
  )
  .map(([value, more]) => ({ text: value, ...more }));

export const genre = fc
  .tuple(text, sparse<{ subgenre: string }>({ subgenre: text }))
  .map(([value, more]) => ({ text: value, ...more }));

export const aiUse = fc.constantFrom(...aiUses);
export const parentalWarning = fc.constantFrom(
  'Explicit',
  'ExplicitContentEdited',
  'NotExplicit',
  'Unknown',
);

/** ERN 4.3 does not know `ImmersiveMasteringEngineer`, `Theremin` and `BassGuitar`. */
const roles = [
  'Composer',
  'Lyricist',
  'StudioProducer',
  'MixingEngineer',
  'ImmersiveMasteringEngineer',
];
const instruments = ['AcousticGuitar', 'Piano', 'Theremin', 'BassGuitar', 'BassDrum(Kick)'];

export const artistsOf = (parties: fc.Arbitrary<Party>): fc.Arbitrary<DisplayArtist[]> =>
  fc.array(
    fc
      .tuple(
        parties,
        fc.constantFrom(...displayArtistRoles),
        sparse<{ artisticRoles: string[] }>({ artisticRoles: fc.constant(['Remixer']) }),
      )
      .map(([own, role, more]) => ({ party: own, role, ...more })),
    { minLength: 1, maxLength: 3 },
  );

export const contributorsOf = (parties: fc.Arbitrary<Party>): fc.Arbitrary<Contributor[]> =>
  fc.array(
    fc
      .tuple(
        parties,
        fc.subarray(roles, { minLength: 1 }),
        sparse<Pick<Contributor, 'instruments' | 'aiUse'>>({
          instruments: fc.subarray(instruments, { minLength: 1 }),
          aiUse,
        }),
      )
      .map(([own, ownRoles, more]) => ({ party: own, roles: ownRoles, ...more })),
    { minLength: 1, maxLength: 4 },
  );

export const rightsControllersOf = (
  parties: fc.Arbitrary<Party>,
): fc.Arbitrary<RightsController[]> =>
  fc.array(
    fc
      .tuple(parties, sparse<{ share: number }>({ share: fc.constantFrom(100, 33.33, 0) }))
      .map(([own, more]) => ({ party: own, ...more })),
    { minLength: 1, maxLength: 2 },
  );

export const file = (name: string) =>
  fc.tuple(sha256, sparse<{ sizeBytes: number }>({ sizeBytes: fc.nat() })).map(([value, more]) => ({
    uri: `resources/${name}`,
    hash: { algorithm: 'SHA-256', value },
    ...more,
  }));
