/** Golden fixtures: which page of a store a credit leads to. */

import type { PreflightInput } from '../../src/catalog/domain/preflight/preflight-input.ts';
import type { Artist } from '../../src/catalog/domain/release.ts';
import type { ArtistId } from '../../src/kernel/ids.ts';
import type { Pairs } from '../../src/kernel/pairs.ts';
import { base, idaBerg, withRelease, withTrack } from './preflight-base.ts';
import { type GoldenRules, expectNothing, expectFinding } from './preflight-golden.ts';

const main = (name: string): Artist => ({ name, role: 'main' });
const featured = (name: string): Artist => ({ name, role: 'featured' });
const by = (...artists: readonly Artist[]): PreflightInput => withRelease({ artists });

const profiles = { apex: '1', beat: 'new' };
const credited = (id: ArtistId, storeProfiles: Pairs, isni: string | null = null) => ({
  id,
  isni,
  ipi: null,
  localizedNames: {},
  storeProfiles,
});
const similar = (id: ArtistId, name: string, storeProfiles: Pairs, isni: string | null = null) => ({
  id,
  name,
  isni,
  storeProfiles,
});

/** `art_1` is the main artist of the release. */
const named = (input: Partial<PreflightInput>): PreflightInput => ({
  ...withRelease({ artists: [{ artistId: 'art_1', name: 'Ida Berg', role: 'main' }] }),
  artists: [credited('art_1', profiles)],
  ...input,
});

const isni = '0000000121032683';

export const artistIdentityGolden: GoldenRules = {
  artist_profile_unset: {
    severity: 'warning',
    pass: expectNothing(named({})),
    fail: expectFinding(named({ artists: [credited('art_1', {})] }), '/artists', [1, 0], {
      stores: ['apex', 'beat'],
    }),
    // At one store it has a page, and the entry itself adds the other.
    edge: expectNothing({
      ...withRelease({
        artists: [{ artistId: 'art_1', name: 'Ida', role: 'main', storeProfiles: { beat: 'new' } }],
      }),
      artists: [credited('art_1', { apex: '1' })],
    }),
    more: [
      expectFinding(
        withTrack({
          artists: [idaBerg, featured('Mo'), { name: 'Li', role: 'remixer' }],
        }),
        '/artists',
        [1, 0],
        { stores: ['apex', 'beat'] },
      ),
      expectFinding(named({ artists: [credited('art_1', { beat: '2' })] }), '/artists', [1, 0], {
        stores: ['apex'],
      }),
      expectNothing(by(main('various artists'))),
      expectNothing({ ...by(main('Ida Berg')), stores: base.stores.slice(2) }),
    ],
  },
  artist_name_shared: {
    severity: 'warning',
    pass: expectNothing(
      named({ similarArtists: [similar('art_1', 'Ida Berg', {}), similar('art_2', 'Mo', {})] }),
    ),
    fail: expectFinding(
      named({
        similarArtists: [similar('art_1', 'Ida Berg', {}), similar('art_2', 'IDA  berg', {})],
      }),
      '/artists',
      [1, 0],
    ),
    edge: expectNothing(
      named({
        similarArtists: [
          similar('art_1', 'Ida Berg', {}),
          similar('art_2', 'Ida Berg', { calm: 'new' }),
        ],
      }),
    ),
  },
  artist_identity_shared: {
    severity: 'warning',
    pass: expectNothing(
      named({
        similarArtists: [
          similar('art_1', 'Ida Berg', profiles, isni),
          similar('art_2', 'Mo', { apex: '2', beat: 'new' }),
        ],
      }),
    ),
    fail: expectFinding(
      named({
        similarArtists: [
          similar('art_1', 'Ida Berg', profiles),
          similar('art_2', 'Ida B.', { apex: '1' }),
        ],
      }),
      '/artists',
      [1, 0],
    ),
    // The same id at another store is another page.
    edge: expectNothing(
      named({
        similarArtists: [
          similar('art_1', 'Ida Berg', profiles),
          similar('art_2', 'Ida B.', { beat: '1' }),
        ],
      }),
    ),
    more: [
      // An entry that does not name the artist with its ISNI.
      expectFinding(
        {
          ...by({ name: 'Ida Berg', role: 'main', isni, storeProfiles: profiles }),
          similarArtists: [similar('art_1', 'Ida Berg', {}, isni)],
        },
        '/artists',
        [1, 0],
      ),
    ],
  },
};
