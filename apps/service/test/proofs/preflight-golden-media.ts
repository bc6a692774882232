/** Golden fixtures: artwork, audio and length. */

import type { ArtworkFacts } from '../../src/assets/domain/asset.ts';
import type { PreflightInput } from '../../src/catalog/domain/preflight/preflight-input.ts';
import {
  album,
  base,
  single,
  stores,
  withAudio,
  withRelease,
  withTrack,
} from './preflight-base.ts';
import { type GoldenRules, expectNothing, expectFinding } from './preflight-golden.ts';

const artwork = (facts: Partial<ArtworkFacts>): PreflightInput => ({
  ...base,
  artwork: base.artwork && { ...base.artwork, ...facts },
});
const cover = '/artwork_asset_id';
const audio = '/tracks/0/audio_asset_id';
const [a, b] = [{ stores: ['apex'] }, { stores: ['beat'] }];

const onlyBase: PreflightInput = {
  ...base,
  stores: stores.filter(({ storeId }) => storeId === 'calm'),
};
const tiny: Partial<ArtworkFacts> = { width: 10, height: 20, colourSpace: 'cmyk', channels: 4 };

export const artworkGolden: GoldenRules = {
  artwork_size_a: {
    severity: 'error',
    pass: expectNothing(artwork({ width: 4_000, height: 4_000 })),
    fail: expectFinding(artwork({ width: 2_999, height: 3_000 }), cover, [2_999, 3_000], a),
    edge: expectNothing(artwork({ width: 3_000, height: 3_000 })),
    more: [expectNothing({ ...onlyBase, artwork: artwork(tiny).artwork })],
  },
  artwork_size_b: {
    severity: 'error',
    pass: expectNothing(base),
    fail: expectFinding(artwork({ width: 900, height: 639 }), cover, [639, 640], b),
    edge: expectNothing(artwork({ width: 640, height: 640 })),
  },
  artwork_square: {
    severity: 'error',
    pass: expectNothing(base),
    fail: expectFinding(artwork({ width: 3_000, height: 4_000 }), cover, ['3000x4000', '1:1'], a),
    edge: expectFinding(artwork({ width: 3_001, height: 3_000 }), cover, ['3001x3000', '1:1'], a),
  },
  artwork_colour: {
    severity: 'error',
    pass: expectNothing(base),
    fail: expectFinding(artwork({ colourSpace: 'cmyk', channels: 4 }), cover, ['cmyk', 'rgb'], {
      stores: ['apex', 'beat'],
    }),
    edge: expectFinding(artwork({ colourSpace: 'grey', channels: 1 }), cover, ['grey', 'rgb'], {
      stores: ['apex', 'beat'],
    }),
    more: [expectNothing({ ...base, artwork: null })],
  },
  artwork_bits_per_pixel: {
    severity: 'error',
    pass: expectNothing(base),
    fail: expectFinding(artwork({ bitDepth: 16 }), cover, [48, 24], b),
    // RGB, but with transparency.
    edge: expectFinding(artwork({ format: 'png', channels: 4 }), cover, [32, 24], b),
  },
};

export const audioGolden: GoldenRules = {
  audio_format: {
    severity: 'error',
    pass: expectNothing(base),
    fail: expectFinding(
      withAudio({ format: 'alac', codec: 'alac', formatTag: null }),
      audio,
      ['alac', 'wav'],
      { stores: ['beat', 'calm'] },
    ),
    edge: expectFinding(
      withAudio({ format: 'flac', codec: 'flac', formatTag: null }),
      audio,
      ['flac', 'wav'],
      { stores: ['calm'] },
    ),
    more: [expectNothing({ ...withAudio({ format: 'alac' }), stores: [] })],
  },
  audio_codec: {
    severity: 'error',
    pass: expectNothing(withAudio({ codec: 'pcm_s24le', bitDepth: 24 })),
    fail: expectFinding(
      withAudio({ codec: 'adpcm_ms', formatTag: 2 }),
      audio,
      ['adpcm_ms', 'pcm'],
      a,
    ),
    edge: expectFinding(
      withAudio({ codec: 'pcm_mulaw', formatTag: 7 }),
      audio,
      ['pcm_mulaw', 'pcm'],
      a,
    ),
    more: [expectNothing(withAudio({ format: 'flac', codec: 'flac', formatTag: null }))],
  },
  audio_bit_depth: {
    severity: 'error',
    pass: expectNothing(withAudio({ bitDepth: 24 })),
    fail: expectFinding(withAudio({ bitDepth: 32 }), audio, [32, '16, 24'], b),
    edge: expectFinding(withAudio({ bitDepth: 20 }), audio, [20, '16, 24'], b),
    more: [expectNothing(withTrack({ audio: null }))],
  },
  audio_channels: {
    severity: 'error',
    pass: expectNothing(base),
    fail: expectFinding(withAudio({ channels: 6 }), audio, [6, 2], b),
    edge: expectFinding(withAudio({ channels: 1 }), audio, [1, 2], b),
  },
  audio_sample_rate: {
    severity: 'error',
    pass: expectNothing(withAudio({ sampleRateHz: 96_000 })),
    fail: expectFinding(withAudio({ sampleRateHz: 22_050 }), audio, [22_050, 44_100], b),
    edge: expectFinding(
      withAudio({ sampleRateHz: 44_099 }, 1),
      '/tracks/1/audio_asset_id',
      [44_099, 44_100],
      b,
    ),
    more: [expectNothing(withAudio({ sampleRateHz: 44_100 }))],
  },
  audio_format_tag: {
    severity: 'error',
    pass: expectNothing(base),
    fail: expectFinding(withAudio({ formatTag: 65_534 }), audio, [65_534, 1], b),
    edge: expectNothing(withAudio({ format: 'flac', codec: 'flac', formatTag: null })),
  },
};

export const lengthGolden: GoldenRules = {
  length_only_track: {
    severity: 'error',
    pass: expectNothing(single),
    fail: expectFinding(withAudio({ durationMs: 29_999 }, 0, single), audio, [29_999, 30_000]),
    edge: expectNothing(withAudio({ durationMs: 30_000 }, 0, single)),
    more: [expectNothing(withAudio({ durationMs: 1_000 }))],
  },
  length_track: {
    severity: 'warning',
    pass: expectNothing(base),
    fail: expectFinding(withAudio({ durationMs: 29_999 }), audio, [29_999, 30_000]),
    edge: expectNothing(withAudio({ durationMs: 30_000 })),
    more: [expectNothing(withAudio({ durationMs: 1_000 }, 0, single))],
  },
  length_album_mean: {
    severity: 'warning',
    pass: expectNothing(album(7, 61_000)),
    fail: expectFinding(album(7, 59_999), '/tracks', [59_999, 60_000]),
    edge: expectNothing(album(7, 60_000)),
    more: [
      expectNothing(album(6, 40_000)),
      expectFinding(withRelease({ type: 'album' }, album(6, 40_000)), '/tracks', [40_000, 60_000]),
      expectNothing(withTrack({ audio: null }, 3, album(7, 40_000))),
    ],
  },
};
