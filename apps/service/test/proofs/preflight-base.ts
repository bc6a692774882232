/** A release without findings, and functions that change one part of it. */

import type { AudioFacts } from '../../src/assets/domain/asset.ts';
import type { Contributor } from '../../src/catalog/domain/contributor.ts';
import type {
  PreflightInput,
  PreflightStore,
  PreflightTrack,
  RelatedTrack,
} from '../../src/catalog/domain/preflight/preflight-input.ts';
import { type Artist, type Release, unsetReleaseFields } from '../../src/catalog/domain/release.ts';
import { unsetTrackFields } from '../../src/catalog/domain/track.ts';
import type { HeldCode } from '../../src/network/face.ts';

const created = new Date('2026-11-01T00:00:00Z');

export const wav: AudioFacts = {
  format: 'wav',
  codec: 'pcm_s16le',
  bitDepth: 16,
  sampleRateHz: 44_100,
  channels: 2,
  durationMs: 180_000,
  formatTag: 1,
};

export const singer: Contributor = { name: 'Ida Berg', roles: ['vocalist', 'composer'] };
export const lyricist: Contributor = { name: 'Tove Lind', roles: ['lyricist'] };
export const producer: Contributor = { name: 'Mo Falk', roles: ['producer', 'mixing_engineer'] };

/** With a profile at every store that asks for one. */
export const idaBerg: Artist = {
  name: 'Ida Berg',
  role: 'main',
  storeProfiles: { apex: '1001', beat: 'new' },
};

const release: Release = {
  ...unsetReleaseFields,
  id: 'rel_1',
  metadata: {},
  title: 'Night Drive',
  artists: [idaBerg],
  releaseDate: '2027-01-15',
  label: 'Northern Lights',
  metadataLanguage: 'en',
  upc: '036000291452',
  territories: ['WORLD'],
  type: 'single',
  genre: 'Pop',
  language: 'en',
  pLine: '2027 Northern Lights',
  cLine: '2027 Northern Lights',
  explicit: 'none',
  artworkAssetId: 'ast_1',
  aiUse: { artwork: 'none' },
  status: 'draft',
  trackCount: 2,
  submission: null,
  revision: 1,
  createdAt: created,
  updatedAt: created,
};

export const trackAt = (index: number, title: string): PreflightTrack => ({
  ...unsetTrackFields,
  id: `trk_${index}`,
  releaseId: release.id,
  metadata: {},
  title,
  artists: [idaBerg],
  contributors: [singer, lyricist, producer],
  isrc: `QZTNA27${String(index).padStart(5, '0')}`,
  audioAssetId: `ast_a${index}`,
  disc: 1,
  position: index + 1,
  explicit: 'none',
  aiUse: { recording: 'none', composition: 'partly' },
  durationMs: wav.durationMs,
  createdAt: created,
  updatedAt: created,
  audio: { sha256: String(index).padStart(64, '0'), facts: wav },
});

/** One store of each rule pack. */
export const stores: readonly PreflightStore[] = [
  {
    storeId: 'apex',
    territoryCodes: ['WORLD'],
    audioFormats: ['wav', 'flac', 'alac'],
    useTypes: ['ad_supported_stream', 'subscription_stream', 'download'],
    preOrder: true,
    leadTimeBusinessDays: 5,
    rulePack: 'a',
  },
  {
    storeId: 'beat',
    territoryCodes: ['DE', 'AT', 'SE', 'US'],
    audioFormats: ['wav', 'flac'],
    useTypes: ['ad_supported_stream', 'subscription_stream'],
    preOrder: false,
    leadTimeBusinessDays: 5,
    rulePack: 'b',
  },
  {
    storeId: 'calm',
    territoryCodes: ['DE', 'JP'],
    audioFormats: ['wav'],
    useTypes: ['download', 'ugc'],
    preOrder: false,
    leadTimeBusinessDays: 2,
    rulePack: 'base',
  },
];

export const base: PreflightInput = {
  release,
  artwork: {
    format: 'jpeg',
    width: 3_000,
    height: 3_000,
    colourSpace: 'rgb',
    bitDepth: 8,
    channels: 3,
  },
  tracks: [trackAt(0, 'Night Drive'), trackAt(1, 'Day Off')],
  relatedTracks: [],
  heldElsewhere: [],
  artists: [],
  similarArtists: [],
  stores,
  licensedTerritories: ['WORLD'],
  today: '2026-11-15',
};

/** A single-track release has the title of its track. */
export const single: PreflightInput = { ...base, tracks: [trackAt(0, 'Night Drive')] };

export const withRelease = (edit: Partial<Release>, input = base): PreflightInput => ({
  ...input,
  release: { ...input.release, ...edit },
});

export const withTrack = (
  edit: Partial<PreflightTrack>,
  index = 0,
  input = base,
): PreflightInput => ({
  ...input,
  tracks: input.tracks.map((track, at) => (at === index ? { ...track, ...edit } : track)),
});

export const withAudio = (facts: Partial<AudioFacts>, index = 0, input = base): PreflightInput =>
  withTrack({ audio: { sha256: `f${index}`, facts: { ...wav, ...facts } } }, index, input);

/** A track of another release, by default the recording of the first track, in a file of its own. */
export const relatedTrack = (
  edit: Partial<RelatedTrack>,
  facts: Partial<AudioFacts> = {},
): RelatedTrack => ({
  id: 'trk_9',
  releaseId: 'rel_9',
  isrc: trackAt(0, '').isrc,
  audio: { sha256: '9'.repeat(64), facts: { ...wav, ...facts } },
  ...edit,
});

export const withHeld = (...heldElsewhere: readonly HeldCode[]) => ({ ...base, heldElsewhere });

export const withRelated = (relatedTracks: readonly RelatedTrack[], input = base) => ({
  ...input,
  relatedTracks,
});

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

export const album = (count: number, durationMs: number): PreflightInput => ({
  ...withRelease({ type: count > 6 ? 'album' : 'ep' }),
  tracks: Array.from({ length: count }, (_, index) => ({
    ...trackAt(index, `Chapter ${letters.charAt(index % letters.length)}${index}`),
    audio: { sha256: `f${index}`, facts: { ...wav, durationMs } },
  })),
});
