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
import { type GoldenRules, silent, told } from './preflight-golden.ts';

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
    pass: silent(artwork({ width: 4_000, height: 4_000 })),
    fail: told(artwork({ width: 2_999, height: 3_000 }), cover, [2_999, 3_000], a),
    edge: silent(artwork({ width: 3_000, height: 3_000 })),
    more: [silent({ ...onlyBase, artwork: artwork(tiny).artwork })],
  },
  artwork_size_b: {
    severity: 'error',
    pass: silent(base),
    fail: told(artwork({ width: 900, height: 639 }), cover, [639, 640], b),
    edge: silent(artwork({ width: 640, height: 640 })),
  },
  artwork_square: {
    severity: 'error',
    pass: silent(base),
    fail: told(artwork({ width: 3_000, height: 4_000 }), cover, ['3000x4000', '1:1'], a),
    edge: told(artwork({ width: 3_001, height: 3_000 }), cover, ['3001x3000', '1:1'], a),
  },
  artwork_colour: {
    severity: 'error',
    pass: silent(base),
    fail: told(artwork({ colourSpace: 'cmyk', channels: 4 }), cover, ['cmyk', 'rgb'], {
      stores: ['apex', 'beat'],
    }),
    edge: told(artwork({ colourSpace: 'grey', channels: 1 }), cover, ['grey', 'rgb'], {
      stores: ['apex', 'beat'],
    }),
    more: [silent({ ...base, artwork: null })],
  },
  artwork_bits_per_pixel: {
    severity: 'error',
    pass: silent(base),
    fail: told(artwork({ bitDepth: 16 }), cover, [48, 24], b),
    // RGB, but with transparency.
    edge: told(artwork({ format: 'png', channels: 4 }), cover, [32, 24], b),
  },
};

export const audioGolden: GoldenRules = {
  audio_format: {
    severity: 'error',
    pass: silent(base),
    fail: told(
      withAudio({ format: 'alac', codec: 'alac', formatTag: null }),
      audio,
      ['alac', 'wav'],
      { stores: ['beat', 'calm'] },
    ),
    edge: told(
      withAudio({ format: 'flac', codec: 'flac', formatTag: null }),
      audio,
      ['flac', 'wav'],
      { stores: ['calm'] },
    ),
    more: [silent({ ...withAudio({ format: 'alac' }), stores: [] })],
  },
  audio_codec: {
    severity: 'error',
    pass: silent(withAudio({ codec: 'pcm_s24le', bitDepth: 24 })),
    fail: told(withAudio({ codec: 'adpcm_ms', formatTag: 2 }), audio, ['adpcm_ms', 'pcm'], a),
    edge: told(withAudio({ codec: 'pcm_mulaw', formatTag: 7 }), audio, ['pcm_mulaw', 'pcm'], a),
    more: [silent(withAudio({ format: 'flac', codec: 'flac', formatTag: null }))],
  },
  audio_bit_depth: {
    severity: 'error',
    pass: silent(withAudio({ bitDepth: 24 })),
    fail: told(withAudio({ bitDepth: 32 }), audio, [32, '16, 24'], b),
    edge: told(withAudio({ bitDepth: 20 }), audio, [20, '16, 24'], b),
    more: [silent(withTrack({ audio: null }))],
  },
  audio_channels: {
    severity: 'error',
    pass: silent(base),
    fail: told(withAudio({ channels: 6 }), audio, [6, 2], b),
    edge: told(withAudio({ channels: 1 }), audio, [1, 2], b),
  },
  audio_sample_rate: {
    severity: 'error',
    pass: silent(withAudio({ sampleRateHz: 96_000 })),
    fail: told(withAudio({ sampleRateHz: 22_050 }), audio, [22_050, 44_100], b),
    edge: told(
      withAudio({ sampleRateHz: 44_099 }, 1),
      '/tracks/1/audio_asset_id',
      [44_099, 44_100],
      b,
    ),
    more: [silent(withAudio({ sampleRateHz: 44_100 }))],
  },
  audio_format_tag: {
    severity: 'error',
    pass: silent(base),
    fail: told(withAudio({ formatTag: 65_534 }), audio, [65_534, 1], b),
    edge: silent(withAudio({ format: 'flac', codec: 'flac', formatTag: null })),
  },
};

export const lengthGolden: GoldenRules = {
  length_only_track: {
    severity: 'error',
    pass: silent(single),
    fail: told(withAudio({ durationMs: 29_999 }, 0, single), audio, [29_999, 30_000]),
    edge: silent(withAudio({ durationMs: 30_000 }, 0, single)),
    more: [silent(withAudio({ durationMs: 1_000 }))],
  },
  length_track: {
    severity: 'warning',
    pass: silent(base),
    fail: told(withAudio({ durationMs: 29_999 }), audio, [29_999, 30_000]),
    edge: silent(withAudio({ durationMs: 30_000 })),
    more: [silent(withAudio({ durationMs: 1_000 }, 0, single))],
  },
  length_album_mean: {
    severity: 'warning',
    pass: silent(album(7, 61_000)),
    fail: told(album(7, 59_999), '/tracks', [59_999, 60_000]),
    edge: silent(album(7, 60_000)),
    more: [
      silent(album(6, 40_000)),
      told(withRelease({ type: 'album' }, album(6, 40_000)), '/tracks', [40_000, 60_000]),
      silent(withTrack({ audio: null }, 3, album(7, 40_000))),
    ],
  },
};
