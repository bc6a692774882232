/**
 * Measures sound: the WAVE header, ffprobe, and a full decode, which alone finds what is cut off. A file holds one
 * stream of sound; a cover may be attached to it, which is never decoded.
 */

import { open, stat } from 'node:fs/promises';
import { hourMs } from '../../kernel/duration.ts';
import { countBounded } from '../../platform/process/run-bounded.ts';
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

/** Two GiB of sound decode in about a minute on one core. */
const decodeBounds = { timeoutMs: 600_000, memoryBytes: 1024 ** 3 };
const durationMsMax = 12 * hourMs;
const sampleRateHzMax = 384_000;
const channelsMax = 16;

/** Twelve hours of stereo at 44.1 kHz. */
const decodedBytesMax = 8 * 1024 ** 3;

/**
 * Twelve hours of silence are half a megabyte of FLAC, and a minute and a half of a decoder's time. The quietest real
 * recordings decode to 15 times the size of their files; 25 minutes of digital silence in stereo at 44.1 kHz need no
 * more than the rest.
 */
const decodedPerByteMax = 20;
const decodedBytesAllowance = 256 * 1024 ** 2;

/** Between what the file claims and what can be heard: rounding, no more. */
const missingMsMax = 2;

/** As it is decoded to. */
const bytesPerSample = 2;

/** Counted as it is decoded: 16 bits a sample. */
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

/** Decodes it to its end, and compares how much there is with what it says. */
async function verifyByDecoding(
  path: string,
  probed: ProbedFacts,
  sizeBytes: number,
  signal: AbortSignal,
): Promise<AudioFacts | Failure> {
  const decodedMs = (await decode(path, probed, sizeBytes, signal)) ?? 0;
  const isWhole = decodedMs > 0 && decodedMs >= (probed.durationMs ?? 0) - missingMsMax;
  if (!isWhole) return damaged;
  const durationMs = probed.durationMs ?? Math.round(decodedMs);
  // By what was decoded: a file may hold more than it says.
  return (
    refuseTooMuchAudio({ ...probed, durationMs: decodedMs }, sizeBytes) ?? { ...probed, durationMs }
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

/** A few bytes can claim hours at any rate: nothing is decoded that could not be music. */
function refuseTooMuchAudio(
  { durationMs, sampleRateHz, channels }: ProbedFacts,
  sizeBytes: number,
): Failure | undefined {
  const decodedBytes = ((durationMs ?? 0) / 1_000) * sampleRateHz * channels * bytesPerSample;
  if (sampleRateHz > sampleRateHzMax || channels > channelsMax) {
    return {
      code: 'unsupported_codec',
      reason: `The sound has ${channels} channels at ${sampleRateHz} Hz. Upload at most ${channelsMax} at ${sampleRateHzMax} Hz.`,
    };
  }
  if ((durationMs ?? 0) > durationMsMax || decodedBytes > decodedBytesMax) return tooLong;
  return decodedBytes > decodedBytesLimit(sizeBytes) ? tooDense(sizeBytes) : undefined;
}

const tooLong: Failure = {
  code: 'too_long',
  reason: 'The sound is longer than 12 hours. Split it into tracks.',
};

const tooDense = (sizeBytes: number): Failure => ({
  code: 'too_long',
  reason: `The file has ${sizeBytes} bytes, too few for so much sound: decoded it must not exceed ${decodedPerByteMax} times the size of the file and ${decodedBytesAllowance / 1024 ** 2} MiB. Split it into tracks.`,
});

/**
 * How much sound there really is, in ms; undefined where it cannot be decoded. ffmpeg ends well with whole
 * frames missing, and its own count of time is wrong for some FLACs, so the samples are counted.
 */
async function decode(
  path: string,
  facts: ProbedFacts,
  sizeBytes: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  // More than it may have, so that what was stopped there is known to be too much.
  const stopAtBytes = decodedBytesLimit(sizeBytes) + bytesPerSample * facts.channels;
  const { code, outputBytes } = await countBounded(
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
  return (outputBytes / (bytesPerSample * facts.channels) / facts.sampleRateHz) * 1_000;
}
