/** Golden fixtures: use types, tracks for sale, pre-orders and previews. */

import type { PreflightInput } from '../../src/catalog/domain/preflight/preflight-input.ts';
import { base, single, stores, withAudio, withRelease, withTrack } from './preflight-base.ts';
import { type GoldenRules, expectNothing, expectFinding } from './preflight-golden.ts';

const streams = ['ad_supported_stream', 'subscription_stream'] as const;
const uses = '/tracks/0/use_types';
const where = '/tracks/0/territory';
const [ofStore, useOfStore] = ['a territory of the store', 'a use type of the store'];

/** Both tracks of the base release. */
const withTracks = (edit: Parameters<typeof withTrack>[0], input = base): PreflightInput =>
  withTrack(edit, 1, withTrack(edit, 0, input));

export const useTypeGolden: GoldenRules = {
  use_types_of_store: {
    severity: 'error',
    pass: expectNothing(withRelease({ useTypes: ['download', 'ad_supported_stream'] })),
    fail: expectFinding(
      withRelease({ useTypes: streams }),
      '/use_types',
      [streams.join(', '), 'download, ugc'],
      { stores: ['calm'] },
    ),
    edge: expectFinding(
      withRelease({ useTypes: ['ugc'] }),
      '/use_types',
      ['ugc', 'ad_supported_stream, subscription_stream, download'],
      { stores: ['apex', 'beat'] },
    ),
    more: [expectNothing({ ...withRelease({ useTypes: ['ugc'] }), stores: [] })],
  },
  track_use_types: {
    severity: 'error',
    pass: expectNothing(
      withTrack({ useTypes: ['subscription_stream'] }, 0, withRelease({ useTypes: streams })),
    ),
    fail: expectFinding(
      withTrack(
        { useTypes: ['download', 'subscription_stream'] },
        0,
        withRelease({ useTypes: streams }),
      ),
      uses,
      ['download', streams.join(', ')],
      { fix: { tracks: { trk_0: { useTypes: ['subscription_stream'] } } } },
    ),
    edge: expectNothing(
      withTrack({ useTypes: streams.toReversed() }, 0, withRelease({ useTypes: streams })),
    ),
    more: [
      // Nothing is shared: a fix would grant a use, or withdraw the track.
      expectFinding(
        withTrack({ useTypes: ['download'] }, 0, withRelease({ useTypes: ['ugc'] })),
        uses,
        ['download', 'ugc'],
      ),
      expectNothing(withTrack({ useTypes: [] }, 0, withRelease({ useTypes: streams }))),
      expectNothing(withTrack({ useTypes: ['download', 'ugc', ...streams] })),
    ],
  },
};

export const tracksForSaleGolden: GoldenRules = {
  track_left_out: {
    severity: 'warning',
    pass: expectNothing(withTrack({ territory: ['DE'], useTypes: ['download', ...streams] })),
    fail: expectFinding(withTrack({ territory: ['US'] }), where, ['US', ofStore], {
      stores: ['calm'],
    }),
    edge: expectFinding(
      withTrack({ excludedTerritories: ['DE', 'JP'] }),
      where,
      ['WORLD except DE, JP', ofStore],
      { stores: ['calm'] },
    ),
    more: [
      expectNothing(withTrack({ excludedTerritories: ['DE'] })),
      expectFinding(withTrack({ useTypes: ['download'] }), uses, ['download', useOfStore], {
        stores: ['beat'],
      }),
      // The store and the track share `download` only, which the release does not have.
      expectFinding(
        withTrack(
          { useTypes: ['download', 'subscription_stream'] },
          0,
          withRelease({ useTypes: ['ugc', 'subscription_stream'] }),
        ),
        uses,
        ['download, subscription_stream', useOfStore],
        { stores: ['calm'] },
      ),
      // Where the release itself is not sold, another rule says so.
      expectNothing(withTrack({ territory: ['US'] }, 0, withRelease({ territories: ['US'] }))),
      expectNothing(
        withTrack({ useTypes: ['download'] }, 0, withRelease({ useTypes: ['download'] })),
      ),
      // The licence narrows what is left.
      expectFinding(
        { ...withTrack({ territory: ['US', 'JP'] }), licensedTerritories: ['US', 'DE'] },
        where,
        ['US, JP', ofStore],
        { stores: ['calm'] },
      ),
      // The exclusions of the track leave nothing of its release.
      expectFinding(
        withTrack({ excludedTerritories: ['DE'] }, 0, withRelease({ territories: ['DE'] })),
        where,
        ['DE except DE', ofStore],
      ),
      expectNothing(withTrack({ territory: ['US'] }, 0, withRelease({ territories: ['DE'] }))),
      expectNothing(withTrack({ territory: ['US'], useTypes: [] })),
      expectNothing({ ...withTrack({ territory: ['US'] }), stores: [] }),
    ],
  },
  tracks_of_store: {
    severity: 'error',
    pass: expectNothing(withTrack({ territory: ['US'] })),
    fail: expectFinding(withTracks({ territory: ['US'] }), '/tracks', [0, 1], {
      stores: ['calm'],
    }),
    // One track has only the territories of the store, the other only its use types.
    edge: expectFinding(
      withTrack(
        { territory: ['US'], useTypes: ['download'] },
        1,
        withTrack({ territory: ['DE'], useTypes: ['ad_supported_stream'] }),
      ),
      '/tracks',
      [0, 1],
      { stores: ['calm'] },
    ),
    more: [
      // The other track is withdrawn.
      expectFinding(
        withTrack({ useTypes: [] }, 1, withTrack({ useTypes: ['download'] })),
        '/tracks',
        [0, 1],
        { stores: ['beat'] },
      ),
      expectNothing(withTracks({ useTypes: [] })),
      expectNothing({ ...base, tracks: [] }),
      expectNothing(withTracks({ territory: ['US'] }, withRelease({ territories: ['US'] }))),
    ],
  },
  tracks_withdrawn: {
    severity: 'error',
    pass: expectNothing(base),
    fail: expectFinding(withTracks({ useTypes: [] }), '/tracks', [0, 1]),
    edge: expectNothing(withTrack({ useTypes: [] })),
    more: [
      expectFinding(withTrack({ useTypes: [] }, 0, single), '/tracks', [0, 1]),
      expectNothing({ ...base, tracks: [] }),
      expectFinding({ ...withTracks({ useTypes: [] }), stores: [] }, '/tracks', [0, 1]),
    ],
  },
};

const preOrder = '/pre_order_date';

export const preOrderGolden: GoldenRules = {
  pre_order_of_store: {
    severity: 'warning',
    pass: expectNothing(base),
    fail: expectFinding(
      withRelease({ preOrderDate: '2026-12-18' }),
      preOrder,
      ['2026-12-18', null],
      { stores: ['beat', 'calm'] },
    ),
    edge: expectNothing({
      ...withRelease({ preOrderDate: '2026-12-18' }),
      stores: stores.slice(0, 1),
    }),
  },
  pre_order_past: {
    severity: 'warning',
    pass: expectNothing(withRelease({ preOrderDate: '2026-11-16' })),
    fail: expectFinding(
      withRelease({ preOrderDate: '2026-11-01' }),
      preOrder,
      ['2026-11-01', '2026-11-15'],
      { stores: ['apex'] },
    ),
    edge: expectFinding(
      withRelease({ preOrderDate: '2026-11-15' }),
      preOrder,
      ['2026-11-15', '2026-11-15'],
      { stores: ['apex'] },
    ),
    more: [
      // Once the release is out, there are no pre-orders.
      expectNothing(withRelease({ preOrderDate: '2026-11-01', releaseDate: '2026-11-15' })),
      expectNothing({ ...withRelease({ preOrderDate: '2026-11-01' }), stores: stores.slice(1) }),
    ],
  },
};

const preview = '/tracks/0/preview_start_ms';
const cleared = { fix: { tracks: { trk_0: { previewStartMs: null } } } };

export const previewGolden: GoldenRules = {
  preview_start: {
    severity: 'error',
    pass: expectNothing(withTrack({ previewStartMs: 0 })),
    fail: expectFinding(
      withTrack({ previewStartMs: 45_000 }, 0, withAudio({ durationMs: 30_000 })),
      preview,
      [45_000, 30_000],
      cleared,
    ),
    edge: expectFinding(
      withTrack({ previewStartMs: 180_000 }),
      preview,
      [180_000, 180_000],
      cleared,
    ),
    more: [
      expectNothing(withTrack({ previewStartMs: 179_999 })),
      expectNothing(withTrack({ previewStartMs: 999_999, audio: null })),
    ],
  },
};
