/**
 * Reads the streams of a file with ffprobe: one audio stream, and attached covers. Only the decoders of accepted formats
 * may run; a file with any other codec is refused, and the refusal names the codec.
 */

import { runBounded } from '../../platform/process/run-bounded.ts';
import type { AudioFacts, AudioFormat, Failure } from '../domain/asset.ts';
import type { WaveHeader } from './wave.ts';

const bounds = { timeoutMs: 30_000, memoryBytes: 1024 ** 3 };

/** The demuxer is fixed, so that a file cannot choose another (a playlist, for example) that opens URLs. */
const demuxers: Record<AudioFormat, string> = { wav: 'wav', flac: 'flac', alac: 'mov' };
/** The only decoders that ffmpeg and ffprobe may use. */
export const decoders = 'pcm_u8,pcm_s16le,pcm_s24le,pcm_s32le,pcm_f32le,pcm_f64le,flac,alac';
/** ffprobe fails when it cannot open the decoder of a stream. It opens these for covers, without decoding them. */
const coverDecoders = ['mjpeg', 'png'];

export const splitFlags = (text: string): readonly string[] => text.split(' ');
export const inputArgs = (format: AudioFormat, path: string): readonly string[] => [
  ...splitFlags(`-protocol_whitelist file,pipe -f ${demuxers[format]} -i`),
  `file:${path}`,
];

export const damaged: Failure = {
  code: 'damaged',
  reason:
    'The audio is damaged: it cannot be decoded completely. Export it again and upload the complete file.',
};

const unsupportedCodec = (what: string): Failure => ({
  code: 'unsupported_codec',
  reason: `The file contains ${what}. Upload one stream of PCM (WAV), FLAC or ALAC; only a JPEG or PNG cover can be attached.`,
});

/** Some files do not declare their duration. */
export type ProbedFacts = Omit<AudioFacts, 'durationMs'> & {
  readonly durationMs: number | undefined;
};

/** As ffprobe prints it. */
type Stream = {
  readonly codec_type?: string;
  readonly codec_name?: string;
  readonly disposition?: { readonly attached_pic?: number };
  readonly sample_rate?: string;
  readonly channels?: number;
  readonly bits_per_sample?: number;
  readonly bits_per_raw_sample?: string;
  readonly duration?: string;
};
const shownFields =
  'codec_type,codec_name,sample_rate,channels,bits_per_sample,bits_per_raw_sample,duration';

export async function probeAudio(
  path: string,
  format: AudioFormat,
  wave: WaveHeader | undefined,
  signal: AbortSignal,
): Promise<ProbedFacts | Failure> {
  const covers = coverDecoders.join(',');
  const { code, output, errors } = await runBounded(
    'ffprobe',
    [
      ...splitFlags(
        `-v error -codec_whitelist ${decoders} -codec_whitelist:v ${covers} -threads 1`,
      ),
      ...inputArgs(format, path),
      ...splitFlags('-of json -show_entries'),
      `stream=${shownFields}:stream_disposition=attached_pic`,
    ],
    { ...bounds, signal },
  );
  if (code !== 0) return refuseUnlistedCodec(errors) ?? damaged;
  const sound = findAudioStream(output);
  return 'code' in sound
    ? sound
    : (refuseCodec(format, sound) ?? toProbedFacts(format, sound, wave));
}

/** ffprobe prints the codec that is not allowed and fails. For covers it prints the codec and continues. */
function refuseUnlistedCodec(errors: string): Failure | undefined {
  const named = [...errors.matchAll(/Codec \((\w+)\) not on whitelist/g)].map(([, codec]) => codec);
  const codec = named.find((name = '') => !coverDecoders.includes(name));
  return codec === undefined ? undefined : unsupportedCodec(codec);
}

/** The only stream apart from covers. */
function findAudioStream(output: string): Stream | Failure {
  const streams = parseStreams(output)?.filter((stream) => !isCover(stream));
  if (streams === undefined) return unsupportedCodec('hundreds of streams');
  const [sound, second] = streams.toSorted((one, other) => audioFirst(one) - audioFirst(other));
  if (sound?.codec_type !== 'audio') return damaged;
  if (second === undefined) return sound;
  return unsupportedCodec(
    `a second stream (${second.codec_name ?? second.codec_type ?? 'unknown'})`,
  );
}

/** Undefined when the list is too long: runBounded keeps only the beginning of the output. */
function parseStreams(output: string): readonly Stream[] | undefined {
  try {
    // The JSON of ffprobe; callers handle missing fields.
    return (JSON.parse(output) as { streams?: readonly Stream[] }).streams ?? [];
  } catch {
    return undefined;
  }
}

const isCover = ({ codec_type, disposition }: Stream): boolean =>
  codec_type === 'video' && disposition?.attached_pic === 1;

/** Sorts the audio stream first. */
const audioFirst = ({ codec_type }: Stream): number => (codec_type === 'audio' ? 0 : 1);

const losslessCodecs: Record<AudioFormat, RegExp> = {
  wav: /^pcm_[suf]\d+(le|be)?$/,
  flac: /^flac$/,
  alac: /^alac$/,
};

function refuseCodec(
  format: AudioFormat,
  { codec_name = 'an unknown codec', channels = 0 }: Stream,
): Failure | undefined {
  if (!losslessCodecs[format].test(codec_name)) return unsupportedCodec(codec_name);
  return channels === 0 ? damaged : undefined;
}

function toProbedFacts(
  format: AudioFormat,
  sound: Stream,
  wave: WaveHeader | undefined,
): ProbedFacts {
  const seconds = Number(sound.duration);
  return {
    format,
    codec: sound.codec_name ?? '',
    bitDepth: wave?.bitDepth ?? (Number(sound.bits_per_raw_sample) || sound.bits_per_sample || 0),
    sampleRateHz: Number(sound.sample_rate),
    channels: sound.channels ?? 0,
    durationMs: Number.isFinite(seconds) ? Math.round(seconds * 1_000) : undefined,
    formatTag: wave?.formatTag ?? null,
  };
}
