/** How the versions of ERN differ in what this package writes. ERN 4.3.2 uses allowed value set 9, ERN 4.3 uses set 3. */

export const ernVersions = ['4.3.2', '4.3'] as const;
export type ErnVersion = (typeof ernVersions)[number];
export const ernVersionDefault: ErnVersion = '4.3.2';

export type Dialect = {
  readonly namespace: string;
  readonly avsVersionId: string;
  readonly genreElement: 'DisplayGenre' | 'Genre';
  /** `<Role><Value>Composer</Value></Role>` instead of `<Role>Composer</Role>`. */
  readonly hasRoleValues: boolean;
  /** ContainsAI and AiContribution. */
  readonly hasAiUse: boolean;
  /** Values of allowed value set 9 that the version's own set lacks. */
  readonly missing: {
    readonly contributorRoles: readonly string[];
    readonly instruments: readonly string[];
    readonly useTypes: readonly string[];
  };
};

export const dialects: Readonly<Record<ErnVersion, Dialect>> = {
  '4.3.2': {
    namespace: 'http://ddex.net/xml/ern/432',
    avsVersionId: '9',
    genreElement: 'DisplayGenre',
    hasRoleValues: true,
    hasAiUse: true,
    missing: { contributorRoles: [], instruments: [], useTypes: [] },
  },
  '4.3': {
    namespace: 'http://ddex.net/xml/ern/43',
    avsVersionId: '3',
    genreElement: 'Genre',
    hasRoleValues: false,
    hasAiUse: false,
    missing: {
      contributorRoles: ['ImmersiveMasteringEngineer', 'Mime'],
      instruments: [
        'BassGuitar',
        'BassOboe',
        'Bells',
        'Drum',
        'Harmonium',
        'Horn',
        'Klavier',
        'Mbira',
        'OndesMartenot',
        'Ruan',
        'Sampler',
        'Tambour',
        'Tamtam',
        'Theremin',
        'ViolaDaGamba',
      ],
      useTypes: ['UseForDataMining', 'UseForTrainingGenerativeAI', 'UseForTrainingNonGenerativeAI'],
    },
  },
};
