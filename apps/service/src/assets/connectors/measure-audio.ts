/**
 * Measures audio by the WAVE header, ffprobe and a full decode: only the decode finds a truncated file. A file has one
 * audio stream; attached covers are not decoded.
 */

import { open, stat } from 'node:fs/promises';
import { hourMs } from '../../kernel/duration.ts';
import { digestBounded } from '../../platform/process/run-bounded.ts';
import type { AudioFacts, AudioFormat, Failure } from '../domain/asset.ts';
import {
  damaged,
  decoders,
  splitFlags,
  inputArgs,
  probeAudio,
  type ProbedFacts,
} from './probe-audio.ts';
import { readWaveHeader, type WaveHeader } from './wave.ts';

/** Two GiB of audio decode in about a minute on one core. */
const decodeBounds = { timeoutMs: 600_000, memoryBytes: 1024 ** 3 };
const durationMsMax = 12 * hourMs;
const sampleRateHzMax = 384_000;
const channelsMax = 16;

/** Twelve hours of stereo at 44.1 kHz. */
const decodedBytesMax = 8 * 1024 ** 3;

/**
 * Twelve hours of silence are half a megabyte of FLAC, and take 90 seconds to decode. The quietest real recordings
 * decode to 15 times the size of their files; the allowance is enough for 25 minutes of digital silence in stereo at
 * 44.1 kHz.
 */
const decodedPerByteMax = 20;
const decodedBytesAllowance = 256 * 1024 ** 2;

/** The declared and the decoded duration may differ by rounding. */
const missingMsMax = 2;

/** Audio is decoded to 16-bit samples. */
const bytesPerSample = 2;

/** In decoded bytes. */
const decodedBytesLimit = (sizeBytes: number): number =>
  Math.min(decodedBytesMax, decodedBytesAllowance + decodedPerByteMax * sizeBytes);

export async function measureAudio(
  path: string,
  format: AudioFormat,
  signal: AbortSignal,
): Promise<AudioFacts | Failure> {
  const wave = format === 'wav' ? await readWaveFile(path) : undefined;
  if (wave !== undefined && 'code' in wave) return wave;
  const probed = await probeAudio(path, format, wave, signal);
  if ('code' in probed) return probed;
  const { size } = await stat(path);
  return refuseTooMuchAudio(probed, size) ?? verifyByDecoding(path, probed, size, signal);
}

/** Decodes the whole file, and compares the decoded duration with the declared one. */
async function verifyByDecoding(
  path: string,
  probed: ProbedFacts,
  sizeBytes: number,
  signal: AbortSignal,
): Promise<AudioFacts | Failure> {
  const decoded = await decode(path, probed, sizeBytes, signal);
  const isWhole =
    decoded !== undefined &&
    decoded.durationMs > 0 &&
    decoded.durationMs >= (probed.durationMs ?? 0) - missingMsMax;
  if (!isWhole) return damaged;
  // Checked again with the decoded duration: a file may contain more than it declares.
  return (
    refuseTooMuchAudio({ ...probed, durationMs: decoded.durationMs }, sizeBytes) ?? {
      ...probed,
      durationMs: probed.durationMs ?? Math.round(decoded.durationMs),
      pcmSha256: decoded.sha256,
    }
  );
}

async function readWaveFile(path: string): Promise<WaveHeader | Failure> {
  const file = await open(path);
  try {
    return await readWaveHeader(file);
  } finally {
    await file.close();
  }
}

/** Checked before decoding, because a header of a few bytes can declare hours at any sample rate. */
function refuseTooMuchAudio(
  { durationMs, sampleRateHz, channels }: ProbedFacts,
  sizeBytes: number,
): Failure | undefined {
  const decodedBytes = ((durationMs ?? 0) / 1_000) * sampleRateHz * channels * bytesPerSample;
  if (sampleRateHz > sampleRateHzMax || channels > channelsMax) {
    return {
      code: 'unsupported_codec',
      reason: `The audio has ${channels} channels at ${sampleRateHz} Hz. Upload audio with at most ${channelsMax} channels and ${sampleRateHzMax} Hz.`,
    };
  }
  if ((durationMs ?? 0) > durationMsMax || decodedBytes > decodedBytesMax) return tooLong;
  return decodedBytes > decodedBytesLimit(sizeBytes) ? tooDense(sizeBytes) : undefined;
}

const tooLong: Failure = {
  code: 'too_long',
  reason: 'The audio is longer than 12 hours. Split it into tracks.',
};

const tooDense = (sizeBytes: number): Failure => ({
  code: 'too_long',
  reason: `The file has ${sizeBytes} bytes, too few for its length: the decoded audio must have at most ${decodedPerByteMax} times the size of the file plus ${decodedBytesAllowance / 1024 ** 2} MiB. Split it into tracks.`,
});

type DecodedAudio = { readonly durationMs: number; readonly sha256: string };

/**
 * The duration and the hash of the decoded samples; undefined when decoding fails. ffmpeg exits with 0 when whole frames
 * are missing, and its own duration is wrong for some FLAC files, so the samples are counted.
 */
async function decode(
  path: string,
  facts: ProbedFacts,
  sizeBytes: number,
  signal: AbortSignal,
): Promise<DecodedAudio | undefined> {
  // Above the limit, so that refuseTooMuchAudio recognizes an output that was stopped here.
  const stopAtBytes = decodedBytesLimit(sizeBytes) + bytesPerSample * facts.channels;
  const { code, outputBytes, outputSha256 } = await digestBounded(
    'ffmpeg',
    [
      ...splitFlags(
        `-nostdin -hide_banner -v error -xerror -err_detect crccheck+explode -threads 1 -codec_whitelist ${decoders}`,
      ),
      ...inputArgs(facts.format, path),
      ...splitFlags(
        `-map 0:a:0 -t ${durationMsMax / 1_000 + 1} -fs ${stopAtBytes} -c:a pcm_s16le -f s16le pipe:1`,
      ),
    ],
    { ...decodeBounds, signal },
  );
  if (code !== 0) return undefined;
  const seconds = outputBytes / (bytesPerSample * facts.channels) / facts.sampleRateHz;
  return { durationMs: seconds * 1_000, sha256: outputSha256 };
}
