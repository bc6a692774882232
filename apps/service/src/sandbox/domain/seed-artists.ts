/** The artists of the fictional catalogue. An entry of a release with one of these names names the artist. */

export type SeedArtist = {
  readonly reference: string;
  readonly name: string;
  readonly localizedNames?: Readonly<Record<string, string>>;
  /** Whether stores have a page of the artist, will create one, or were told nothing, which preflight warns of. */
  readonly pages: 'exist' | 'new' | 'unset';
};

export const seedArtists: readonly SeedArtist[] = [
  { reference: 'demo-artist-aurora-diaz', name: 'Aurora Díaz', pages: 'exist' },
  {
    reference: 'demo-artist-haru-minase',
    name: 'Haru Minase',
    localizedNames: { ja: '皆瀬 ハル' },
    pages: 'exist',
  },
  { reference: 'demo-artist-fennel-family', name: 'The Fennel Family', pages: 'unset' },
  { reference: 'demo-artist-zawadi-mwangi', name: 'Zawadi Mwangi', pages: 'new' },
  { reference: 'demo-artist-los-naufragos', name: 'Los Náufragos', pages: 'exist' },
  { reference: 'demo-artist-clementine-wray', name: 'Clementine Wray', pages: 'new' },
  { reference: 'demo-artist-polar-unit', name: 'Polar Unit', pages: 'exist' },
  { reference: 'demo-artist-elin-sorby', name: 'Elin Sørby', pages: 'new' },
];
