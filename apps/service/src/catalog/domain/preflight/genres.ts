/** The primary genres of the API with their subgenres. Each store has its own names for the genres. */
export const subgenresByGenre: Readonly<Record<string, readonly string[]>> = {
  Alternative: ['Emo', 'Goth', 'Grunge', 'New Wave', 'Shoegaze'],
  Ambient: ['Dark Ambient', 'Drone'],
  Blues: ['Acoustic Blues', 'Chicago Blues', 'Delta Blues'],
  "Children's Music": ['Lullabies', 'Sing-Along'],
  Classical: [
    'Baroque',
    'Chamber Music',
    'Choral',
    'Contemporary Classical',
    'Opera',
    'Orchestral',
    'Piano',
    'Romantic',
  ],
  Country: ['Americana', 'Bluegrass', 'Honky Tonk', 'Outlaw Country'],
  Dance: ['Eurodance', 'Hardcore', 'UK Garage'],
  Disco: ['Italo Disco', 'Nu Disco'],
  'Drum & Bass': ['Jungle', 'Liquid', 'Neurofunk'],
  Electronic: ['Chillwave', 'Downtempo', 'Dubstep', 'Electro', 'IDM', 'Synthwave', 'Trip Hop'],
  Experimental: ['Musique Concrète', 'Noise'],
  Folk: ['Celtic', 'Contemporary Folk', 'Neofolk', 'Traditional Folk'],
  Funk: ['Boogie', 'G-Funk', 'P-Funk'],
  Gospel: ['Contemporary Christian', 'Praise & Worship', 'Southern Gospel'],
  'Hip-Hop': ['Alternative Hip-Hop', 'Boom Bap', 'Drill', 'Lo-Fi Hip-Hop', 'Old School', 'Trap'],
  House: ['Acid House', 'Afro House', 'Deep House', 'Progressive House', 'Tech House'],
  Indie: ['Bedroom Pop', 'Dream Pop', 'Indie Folk', 'Indie Pop', 'Indie Rock'],
  Jazz: ['Bebop', 'Big Band', 'Cool Jazz', 'Fusion', 'Latin Jazz', 'Smooth Jazz', 'Vocal Jazz'],
  'K-Pop': ['K-Ballad', 'K-Indie'],
  Latin: ['Bachata', 'Cumbia', 'Latin Pop', 'Reggaeton', 'Regional Mexican', 'Salsa'],
  Metal: ['Black Metal', 'Death Metal', 'Doom Metal', 'Metalcore', 'Thrash Metal'],
  'New Age': ['Healing', 'Meditation', 'Nature'],
  Pop: ['Dance Pop', 'Electropop', 'Schlager', 'Synth Pop', 'Teen Pop'],
  Punk: ['Hardcore Punk', 'Pop Punk', 'Post-Punk', 'Ska Punk'],
  'R&B': ['Alternative R&B', 'Contemporary R&B', 'New Jack Swing'],
  Reggae: ['Dancehall', 'Dub', 'Roots Reggae', 'Ska'],
  Rock: [
    'Classic Rock',
    'Folk Rock',
    'Hard Rock',
    'Post-Rock',
    'Progressive Rock',
    'Psychedelic Rock',
  ],
  'Singer-Songwriter': ['Acoustic', 'Alternative Folk'],
  Soul: ['Motown', 'Neo Soul', 'Northern Soul'],
  Soundtrack: ['Film Score', 'Game Music', 'Musical', 'Television'],
  'Spoken Word': ['Audiobook', 'Comedy', 'Poetry'],
  Techno: ['Acid Techno', 'Detroit Techno', 'Minimal Techno'],
  Trance: ['Goa Trance', 'Progressive Trance', 'Psytrance'],
  'World Music': ['Afrobeat', 'Amapiano', 'Fado', 'Flamenco', 'Klezmer', 'Qawwali'],
};

export const genres: readonly string[] = Object.keys(subgenresByGenre);

const normalizeGenre = (genre: string): string => genre.toLowerCase().replaceAll(/[\s\-‐‑–]/g, '');

const spellingsOf = (names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [normalizeGenre(name), name]));

const spellings = spellingsOf(genres);

/** The listed genre that differs from the text only in case, spaces or hyphens. */
export const findGenreBySpelling = (text: string): string | undefined =>
  spellings.get(normalizeGenre(text));

const subgenreSpellings = new Map(
  Object.entries(subgenresByGenre).map(([genre, names]) => [genre, spellingsOf(names)]),
);

/** The subgenre of a listed genre that differs from the text only in case, spaces or hyphens. */
export const findSubgenreBySpelling = (genre: string, text: string): string | undefined =>
  subgenreSpellings.get(genre)?.get(normalizeGenre(text));
