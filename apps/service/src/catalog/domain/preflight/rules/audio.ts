/** Rule packs A and B on audio, and the formats that each store accepts. A damaged file is never a ready asset. */

import type { AudioFacts } from '../../../../assets/face.ts';
import type { PreflightInput, PreflightTrack } from '../preflight-input.ts';
import type { FindingValue, Rule } from '../rule.ts';
import { storeIdsWithRulePack } from './stores-with-rule-pack.ts';

const sampleRateHzMin = 44_100;
const bitDepths: readonly number[] = [16, 24];
const channelsWanted = 2;

/** Plain PCM; 0xFFFE, "extensible", is refused even when it contains the same samples. */
const pcmFormatTag = 1;

/** The decoder's names of integer PCM; stores do not accept its `pcm_mulaw` and `pcm_f32le`. */
const integerPcm = /^pcm_[su]\d{1,2}(?:le|be)?$/;

type AudioRequirement = Pick<Rule, 'description' | 'unit'> & {
  readonly rulePack: 'a' | 'b';
  readonly message: string;
  readonly measure: (facts: AudioFacts) => FindingValue;
  readonly limit: FindingValue;
  readonly isMet: (facts: AudioFacts) => boolean;
};

const field = 'audio_asset_id';
const sourceOf = {
  a: "a major streaming store's FAQ for partners",
  b: "another major streaming store's content guide",
};
const prevents = 'resource_not_meeting_specifications';

const audioRule = ({
  rulePack,
  message,
  measure,
  limit,
  isMet,
  ...stated
}: AudioRequirement): Rule => ({
  ...stated,
  severity: 'error',
  rulePacks: [rulePack],
  readsFields: ['audioAssetId'],
  source: sourceOf[rulePack],
  prevents,
  track: (track, input) => {
    const stores = storeIdsWithRulePack(input, [rulePack]);
    if (track.audio === null || stores.length === 0 || isMet(track.audio.facts)) return [];
    return [{ track, field, message, measured: measure(track.audio.facts), limit, stores }];
  },
});

function checkFormat(track: PreflightTrack, { stores }: PreflightInput) {
  const format = track.audio?.facts.format;
  if (format === undefined) return [];
  const refusing = stores.filter(({ audioFormats }) => !audioFormats.includes(format));
  const [first, ...others] = refusing.map(({ audioFormats }) => audioFormats);
  if (first === undefined) return [];
  const acceptedFormats = first.filter((each) => others.every((formats) => formats.includes(each)));
  return [
    {
      track,
      field,
      message:
        'Some stores do not accept audio in this format. Upload a file in one of the formats in limit.',
      measured: format,
      // The formats that all of these stores accept, if any.
      limit: acceptedFormats.length === 0 ? null : acceptedFormats.join(', '),
      stores: refusing.map(({ storeId }) => storeId),
    },
  ];
}

export const audioRules = {
  audio_format: {
    description: 'The audio must be in a format that the store accepts; it cannot ingest another.',
    severity: 'error',
    readsFields: ['audioAssetId'],
    source: `${sourceOf.a}; ${sourceOf.b}`,
    prevents,
    track: checkFormat,
  } satisfies Rule,
  audio_codec: audioRule({
    description:
      'A WAV file must have integer PCM; stores do not decode other codecs in a WAV file.',
    rulePack: 'a',
    message: 'The WAV file does not have integer PCM. Export it as PCM with 16 or 24 bits.',
    measure: ({ codec }) => codec,
    limit: 'pcm',
    isMet: ({ format, codec }) => format !== 'wav' || integerPcm.test(codec),
  }),
  audio_bit_depth: audioRule({
    description:
      'The audio must have 16 or 24 bits per sample; stores make their own formats from these.',
    unit: 'bits',
    rulePack: 'b',
    message: 'The audio does not have 16 or 24 bits per sample. Upload a file that does.',
    measure: ({ bitDepth }) => bitDepth,
    limit: bitDepths.join(', '),
    isMet: ({ bitDepth }) => bitDepths.includes(bitDepth),
  }),
  audio_channels: audioRule({
    description: 'The audio must have two channels; stores publish stereo.',
    unit: 'channels',
    rulePack: 'b',
    message: 'The audio does not have two channels. Upload a stereo file.',
    measure: ({ channels }) => channels,
    limit: channelsWanted,
    isMet: ({ channels }) => channels === channelsWanted,
  }),
  audio_sample_rate: audioRule({
    description:
      'The audio must have at least 44,100 samples per second; a lower rate is below CD quality.',
    unit: 'hz',
    rulePack: 'b',
    message: 'The sample rate of the audio is too low. Upload a file with at least 44,100 Hz.',
    measure: ({ sampleRateHz }) => sampleRateHz,
    limit: sampleRateHzMin,
    isMet: ({ sampleRateHz }) => sampleRateHz >= sampleRateHzMin,
  }),
  audio_format_tag: audioRule({
    description:
      'The format tag of a WAV file must be 1 (PCM); stores refuse the extensible form even with the same samples.',
    rulePack: 'b',
    message:
      'The format tag of the WAV file is not 1 (PCM). Export it as plain PCM, not as WAVE_FORMAT_EXTENSIBLE.',
    measure: ({ formatTag }) => formatTag,
    limit: pcmFormatTag,
    isMet: ({ format, formatTag }) => format !== 'wav' || formatTag === pcmFormatTag,
  }),
};
