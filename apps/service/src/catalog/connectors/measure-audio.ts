/** Measures sound: the WAVE header, ffprobe, and a full decode, which alone finds what is cut off. */
import { open } from 'node:fs/promises';
import { runBounded } from '../../platform/process/run-bounded.ts';
import type { AudioFacts, AudioFormat, Failure } from '../domain/asset.ts';
import { readWave, type WaveHeader } from './wave.ts';

const probeBounds = { timeoutMs: 30_000, memoryBytes: 1024 ** 3 };
/** Two GiB of sound decode in about a minute on one core. */
const decodeBounds = { timeoutMs: 600_000, memoryBytes: 1024 ** 3 };
const durationMsMax = 12 * 3_600_000;
const sampleRateHzMax = 384_000;
const channelsMax = 16;
/** Twelve hours of stereo at 44.1 kHz. */
const decodedBytesMax = 8 * 1024 ** 3;
/** Between what the file claims and what can be heard: rounding, no more. */
const lostMsMax = 2;
/** As it is decoded to. */
const bytesPerSample = 2;

/** The reader is named, so that no file can choose one (a playlist, say), and no address is followed. */
const demuxers: Record<AudioFormat, string> = { wav: 'wav', flac: 'flac', alac: 'mov' };
/** Whatever else the file holds, only these decode it. */
const decoders = 'pcm_u8,pcm_s16le,pcm_s24le,pcm_s32le,pcm_f32le,pcm_f64le,flac,alac';

const flags = (text: string): readonly string[] => text.split(' ');
const input = (format: AudioFormat, path: string): readonly string[] => [
  ...flags(`-protocol_whitelist file,pipe -f ${demuxers[format]} -i`),
  `file:${path}`,
];

const damaged: Failure = {
  code: 'damaged',
  reason: 'The sound cannot be decoded to its end. Export it again and upload it whole.',
};

export async function measureAudio(
  path: string,
  format: AudioFormat,
  signal: AbortSignal,
): Promise<AudioFacts | Failure> {
  const wave = format === 'wav' ? await waveOf(path) : undefined;
  if (wave !== undefined && 'code' in wave) return wave;
  const probed = await probe(path, format, wave, signal);
  if ('code' in probed) return probed;
  const refusal = refuseCodec(probed) ?? refuseExtent(probed);
  if (refusal !== undefined) return refusal;
  const decodedMs = await decode(path, probed, signal);
  const isWhole =
    decodedMs !== undefined && decodedMs >= (probed.durationMs ?? 0) - lostMsMax && decodedMs > 0;
  if (!isWhole) return damaged;
  const durationMs = probed.durationMs ?? Math.round(decodedMs);
  return refuseExtent({ ...probed, durationMs }) ?? { ...probed, durationMs };
}

async function waveOf(path: string): Promise<WaveHeader | Failure> {
  const file = await open(path);
  try {
    return await readWave(file);
  } finally {
    await file.close();
  }
}

/** Some files do not say how long they are. */
type ProbedFacts = Omit<AudioFacts, 'durationMs'> & { readonly durationMs: number | undefined };

type Probed = {
  readonly codec_name?: string;
  readonly sample_rate?: string;
  readonly channels?: number;
  readonly bits_per_sample?: number;
  readonly bits_per_raw_sample?: string;
  readonly duration?: string;
};

async function probe(
  path: string,
  format: AudioFormat,
  wave: WaveHeader | undefined,
  signal: AbortSignal,
): Promise<ProbedFacts | Failure> {
  const { code, output } = await runBounded(
    'ffprobe',
    [
      ...flags('-v error'),
      ...input(format, path),
      ...flags('-select_streams a:0 -of json -show_entries'),
      'stream=codec_name,sample_rate,channels,bits_per_sample,bits_per_raw_sample,duration',
    ],
    { ...probeBounds, signal },
  );
  const stream = code === 0 ? firstStream(output) : undefined;
  if (stream?.codec_name === undefined) return damaged;
  const seconds = Number(stream.duration);
  return {
    format,
    codec: stream.codec_name,
    bitDepth: wave?.bitDepth ?? (Number(stream.bits_per_raw_sample) || stream.bits_per_sample || 0),
    sampleRateHz: Number(stream.sample_rate),
    channels: stream.channels ?? 0,
    durationMs: Number.isFinite(seconds) ? Math.round(seconds * 1_000) : undefined,
    formatTag: wave?.formatTag ?? null,
  };
}

function firstStream(output: string): Probed | undefined {
  // ffprobe's own JSON; what is missing in it is looked for by the caller.
  const { streams } = JSON.parse(output) as { streams?: readonly Probed[] };
  return streams?.[0];
}

const losslessCodecs: Record<AudioFormat, RegExp> = {
  wav: /^pcm_[suf]\d+(le|be)?$/,
  flac: /^flac$/,
  alac: /^alac$/,
};

function refuseCodec({ format, codec, channels }: ProbedFacts): Failure | undefined {
  if (!losslessCodecs[format].test(codec)) {
    return {
      code: 'unsupported_codec',
      reason: `The file holds ${codec}. Upload WAV (PCM), FLAC or ALAC.`,
    };
  }
  return channels === 0 ? damaged : undefined;
}

/** A few bytes can claim hours at any rate: nothing is decoded that could not be music. */
function refuseExtent({ durationMs, sampleRateHz, channels }: ProbedFacts): Failure | undefined {
  const decodedBytes = ((durationMs ?? 0) / 1_000) * sampleRateHz * channels * bytesPerSample;
  if (sampleRateHz > sampleRateHzMax || channels > channelsMax) {
    return {
      code: 'unsupported_codec',
      reason: `The sound has ${channels} channels at ${sampleRateHz} Hz. Upload at most ${channelsMax} at ${sampleRateHzMax} Hz.`,
    };
  }
  const isTooLong = (durationMs ?? 0) > durationMsMax || decodedBytes > decodedBytesMax;
  if (!isTooLong) return undefined;
  return { code: 'too_long', reason: 'The sound is longer than 12 hours. Split it into tracks.' };
}

/**
 * How much sound there really is, in ms; undefined where it cannot be decoded. ffmpeg ends well with whole
 * frames missing, and its own count of time is wrong for some FLACs, so the samples are counted.
 */
async function decode(
  path: string,
  facts: ProbedFacts,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { code, outputBytes } = await runBounded(
    'ffmpeg',
    [
      ...flags(
        `-nostdin -hide_banner -v error -xerror -err_detect crccheck+explode -threads 1 -codec_whitelist ${decoders}`,
      ),
      ...input(facts.format, path),
      ...flags(
        `-map 0:a:0 -t ${durationMsMax / 1_000 + 1} -fs ${decodedBytesMax} -c:a pcm_s16le -f s16le pipe:1`,
      ),
    ],
    { ...decodeBounds, signal },
  );
  if (code !== 0) return undefined;
  // Stopped there: how much more there is, nobody needs to know.
  if (outputBytes >= decodedBytesMax) return Number.POSITIVE_INFINITY;
  return (outputBytes / (bytesPerSample * facts.channels) / facts.sampleRateHz) * 1_000;
}
