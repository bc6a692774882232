/** The releases of the fictional catalogue, which a reset creates. The artists are invented. */

import type { Contributor, NewRelease, NewTrack } from '../../catalog/face.ts';
import type { CoverName, SongName } from './seed-files.ts';

/** Who is displayed, and who is credited. */
type Credits = {
  readonly artists: readonly { readonly name: string; readonly role: 'main' }[];
  readonly contributors?: readonly Contributor[];
};

type SeedTrack = {
  readonly title: string;
  readonly song: SongName;
  /** Those of the release, when omitted. */
  readonly credits?: Credits;
  /** Where it is not sold, although the release is. */
  readonly excluded?: readonly string[];
  /** Where the recording and the work come from. */
  readonly origin?: Pick<
    NewTrack,
    | 'originalReleaseDate'
    | 'iswc'
    | 'recordingCountry'
    | 'composition'
    | 'samples'
    | 'mechanicalLicence'
    | 'ugcPolicy'
    | 'localizedTitles'
  >;
};

export type SeedRelease = {
  readonly reference: string;
  readonly title: string;
  readonly credits: Credits;
  readonly label: string;
  readonly type: 'single' | 'ep' | 'album' | 'compilation';
  readonly genre: string;
  /** `zxx`: no vocals. */
  readonly language: string;
  /** What some stores ask for in addition. */
  readonly details?: Pick<NewRelease, 'ean' | 'localizedTitles' | 'subgenre' | 'priceTier'>;
  /** All licensed territories, when omitted. */
  readonly territories?: readonly string[];
  /** Where it is not sold; only without `territories`. */
  readonly excluded?: readonly string[];
  readonly explicit?: 'explicit';
  /** Days from the reset until the release date; negative: it is out. */
  readonly outInDays: number;
  /** The time of the release date, in UTC, at which it is out everywhere: `18:00`. */
  readonly outAt?: string;
  /** Days before the release date from which stores take orders. */
  readonly preOrderDays?: number;
  readonly cover: CoverName | null;
  readonly tracks: readonly SeedTrack[];
  /** Of the artwork; the music is all human. Null: neither is declared. */
  readonly aiUse: 'none' | 'partly' | null;
  /** Whether it has a p_line and a c_line. */
  readonly hasLines: boolean;
  readonly isSubmitted: boolean;
};

const main = (name: string): Credits => ({ artists: [{ name, role: 'main' }] });

/** Sung by one person or group, written by a person, with the credits that every store asks for. */
export const by = (singer: string, writer: string): Credits => ({
  ...main(singer),
  contributors: [
    ...(singer === writer ? [] : [{ name: singer, roles: ['music_group'] } as const]),
    { name: writer, roles: ['lead_vocalist', 'composer', 'lyricist'] },
    { name: 'Sander Quist', roles: ['studio_musician'], instruments: ['piano', 'drum_kit'] },
    { name: 'Mette Krogh', roles: ['producer', 'mixing_engineer'] },
  ],
});

export const single = (
  reference: string,
  title: string,
  fields: Pick<SeedRelease, 'credits' | 'label' | 'genre' | 'language' | 'outInDays' | 'cover'> &
    Partial<SeedRelease> & { readonly song: SongName },
): SeedRelease => {
  const { song, ...rest } = fields;
  const tracks = [{ title, song }];
  return {
    reference,
    title,
    type: 'single',
    tracks,
    aiUse: 'none',
    hasLines: true,
    isSubmitted: true,
    ...rest,
  };
};

const several = (
  titles: readonly string[],
  songs: readonly SongName[],
  creditsOf: (i: number) => Credits | undefined = () => undefined,
): readonly SeedTrack[] =>
  titles.map((title, i) => {
    const credits = creditsOf(i);
    return { title, song: songs[i % songs.length] ?? 'dawn', ...(credits && { credits }) };
  });

const allSongs: readonly SongName[] = [
  'dawn',
  'tide',
  'ember',
  'glass',
  'orchard',
  'signal',
  'moss',
];

const coast: readonly Credits[] = [
  by('Salt Cathedral Road', 'Mira Holm'),
  by('Dockside Five', 'Theo Brandt'),
  by('Lighthouse Keepers', 'Ana Reis'),
  by('Nils Vinter', 'Nils Vinter'),
  by('Brackwater', 'June Alder'),
];

/** By title: a traditional song, a cover, and a track with territories of its own. */
const ofSaltAndCedar: Readonly<Record<string, Partial<SeedTrack>>> = {
  'The Ferryman’s Daughter': {
    origin: {
      composition: 'public_domain',
      samples: 'none',
      recordingCountry: 'GB',
      ugcPolicy: 'track',
    },
  },
  'Low Stone Walls': {
    origin: {
      composition: 'cover',
      samples: 'none',
      iswc: 'T0345246801',
      mechanicalLicence: 'Fictional Mechanical Society, licence 2026-0042',
      recordingCountry: 'GB',
      ugcPolicy: 'monetize',
    },
  },
  // Left out at stores that sell only in the United States, restricted at others.
  'Two Winters': { excluded: ['CA', 'US'] },
};

export const seedReleases: readonly SeedRelease[] = [
  single('demo-night-drive', 'Night Drive', {
    credits: by('Aurora Díaz', 'Aurora Díaz'),
    label: 'Demo Records',
    genre: 'Electronic',
    language: 'en',
    details: {
      subgenre: 'Synthwave',
      priceTier: 'front',
      localizedTitles: {
        es: { title: 'Viaje nocturno', version: null },
        ja: { title: '夜のドライブ', version: null },
      },
    },
    outInDays: -8,
    cover: 'night',
    song: 'dawn',
  }),
  {
    reference: 'demo-paper-lanterns',
    title: 'Paper Lanterns',
    credits: by('Haru Minase', 'Haru Minase'),
    label: 'Lantern Row',
    type: 'ep',
    genre: 'Pop',
    language: 'ja',
    outInDays: -6,
    cover: 'lantern',
    tracks: several(['River of Lights', 'Umbrella', 'Last Train Home', 'August 31st'], allSongs),
    aiUse: 'none',
    hasLines: true,
    isSubmitted: true,
  },
  {
    reference: 'demo-salt-and-cedar',
    title: 'Salt and Cedar',
    credits: by('The Fennel Family', 'Ida Fennel'),
    label: 'Hearthside',
    type: 'album',
    genre: 'Folk',
    language: 'en',
    outInDays: 45,
    outAt: '18:00',
    preOrderDays: 20,
    cover: 'field',
    tracks: several(
      [
        'Kindling',
        'The Ferryman’s Daughter',
        'Salt and Cedar',
        'Low Stone Walls',
        'Two Winters',
        'A Letter to the Valley',
        'Embers',
      ],
      allSongs,
    ).map((track) => ({ ...track, ...ofSaltAndCedar[track.title] })),
    aiUse: 'none',
    hasLines: true,
    isSubmitted: true,
  },
  {
    reference: 'demo-harbour-lights',
    title: 'Harbour Lights, Vol. 1',
    credits: main('Various Artists'),
    label: 'Demo Records',
    type: 'compilation',
    genre: 'Indie',
    language: 'en',
    outInDays: 12,
    cover: 'night',
    tracks: several(
      ['Tidewater', 'Ropewalk', 'Every Third Wave', 'Foghorn Waltz', 'Pilot Boat'],
      allSongs,
      (i) => coast[i],
    ),
    aiUse: 'none',
    hasLines: true,
    isSubmitted: true,
  },
  single('demo-mlima', 'Mlima', {
    credits: by('Zawadi Mwangi', 'Zawadi Mwangi'),
    label: 'Savanna Sound',
    genre: 'World Music',
    language: 'sw',
    territories: ['KE', 'NG', 'RW', 'TZ', 'UG', 'ZA'],
    outInDays: 10,
    cover: 'field',
    song: 'ember',
  }),
  {
    reference: 'demo-rios',
    title: 'Ríos',
    credits: by('Los Náufragos', 'Inés Caballero'),
    label: 'Marea Alta',
    type: 'ep',
    genre: 'Latin',
    language: 'es',
    excluded: ['CU', 'ES'],
    explicit: 'explicit',
    outInDays: -3,
    cover: 'lantern',
    tracks: several(['Ríos', 'Cal y Arena', 'Calle del Norte', 'Sin Mapa'], allSongs),
    aiUse: 'none',
    hasLines: true,
    isSubmitted: true,
  },
  single('demo-old-postcards', 'Old Postcards', {
    credits: by('Clementine Wray', 'Clementine Wray'),
    label: 'Hearthside',
    genre: 'Singer-Songwriter',
    language: 'en',
    // Catalogue that came from another distributor keeps its code.
    details: { ean: '2000000197807', priceTier: 'budget' },
    outInDays: -15,
    cover: 'field',
    song: 'glass',
  }),
  single('demo-glass-city', 'Glass City', {
    credits: {
      ...main('Polar Unit'),
      contributors: [
        { name: 'Polar Unit', roles: ['music_group', 'composer', 'producer'] },
        { name: 'Juno Ek', roles: ['musician'], instruments: ['synthesizer', 'drum_machine'] },
      ],
    },
    aiUse: 'partly',
    label: 'Demo Records',
    genre: 'Techno',
    language: 'zxx',
    outInDays: -12,
    cover: 'glow',
    song: 'signal',
  }),
  single('demo-first-frost', 'First Frost', {
    credits: by('Elin Sørby', 'Elin Sørby'),
    label: 'Lantern Row',
    genre: 'Ambient',
    language: 'no',
    territories: ['DK', 'FI', 'IS', 'NO', 'SE'],
    outInDays: 60,
    cover: 'glow',
    song: 'moss',
  }),
  // The review rejects it: stores do not accept a release whose only track is this short.
  single('demo-half-moon', 'Half Moon', {
    credits: by('Clementine Wray', 'Clementine Wray'),
    label: 'Hearthside',
    genre: 'Singer-Songwriter',
    language: 'en',
    outInDays: 40,
    cover: 'night',
    song: 'interlude',
  }),
  // A draft with findings; `POST /v1/releases/{id}/fixes` can fix most of them. It has no credits that Aurora asks for.
  single('demo-sunset-on-mars', 'SUNSET ON MARS (Radio Edit)', {
    credits: {
      ...main('Kilo & Vex'),
      contributors: [{ name: 'Kilo & Vex', roles: ['composer', 'lyricist'] }],
    },
    aiUse: null,
    label: 'Demo Records',
    genre: 'hip hop',
    language: 'en',
    details: { subgenre: 'trap' },
    outInDays: 50,
    cover: 'glow',
    song: 'orchard',
    hasLines: false,
    isSubmitted: false,
  }),
  // A new draft, without cover and tracks.
  {
    reference: 'demo-sunday-sketches',
    title: 'Sunday Sketches',
    credits: main('Aurora Díaz'),
    label: 'Demo Records',
    type: 'ep',
    genre: 'Jazz',
    language: 'zxx',
    outInDays: 90,
    cover: null,
    tracks: [],
    aiUse: null,
    hasLines: false,
    isSubmitted: false,
  },
];
