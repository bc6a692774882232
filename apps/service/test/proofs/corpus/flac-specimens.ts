/** FLAC files, valid and broken. */

import { sourceMs, type EncodedAudio } from './encoded.ts';
import { firstFrameAt, lateFrameAt, silenceRateHz, silentFlac, withTotalSamples } from './flac.ts';
import { ready, refused, type Specimen, type Technical } from './specimen.ts';

const hourSeconds = 3600;

function facts(bits: number, rateHz: number, durationMs: number, channels = 2): Technical {
  return {
    format: 'flac',
    codec: 'flac',
    bit_depth: bits,
    sample_rate: rateHz,
    channels,
    duration_ms: durationMs,
    format_tag: null,
  };
}

function valid(audio: EncodedAudio): readonly Specimen[] {
  const cd = facts(16, 44_100, sourceMs.cd);
  const twelveHours = facts(16, silenceRateHz, 12 * hourSeconds * 1000, 1);
  return [
    ready('flac-16-bit-44100-hz', 'flac', audio['cd.flac'], cd),
    ready('flac-mono', 'flac', audio['mono.flac'], facts(16, 44_100, sourceMs.mono, 1)),
    ready('flac-24-bit-48000-hz-20-s', 'flac', audio['hd.flac'], facts(24, 48_000, sourceMs.hd)),
    ready('flac-24-bit-96000-hz', 'flac', audio['rate96.flac'], facts(24, 96_000, 200)),
    ready('flac-24-bit-192000-hz', 'flac', audio['rate192.flac'], facts(24, 192_000, 200)),
    ready('flac-with-a-cover', 'flac', audio['cover.flac'], cd),
    // Encoders that write into a pipe do not know the length: the service has to count the samples.
    ready('flac-of-unknown-length', 'flac', withTotalSamples(audio['cd.flac'], 0), cd),
    ready('flac-of-exactly-twelve-hours', 'flac', silentFlac(12 * hourSeconds), twelveHours),
  ];
}

function flipped(flac: Buffer, at: number): Buffer {
  const copy = Buffer.from(flac);
  copy.writeUInt8(copy.readUInt8(at) ^ 0x10, at);
  return copy;
}

function damaged(flac: Buffer): readonly Specimen[] {
  const half = Math.floor(flac.length / 2);
  const files: readonly (readonly [name: string, bytes: Buffer])[] = [
    ['signature-only', flac.subarray(0, 4)],
    ['cut-inside-streaminfo', flac.subarray(0, 20)],
    ['cut-in-half', flac.subarray(0, half)],
    ['cut-by-one-byte', flac.subarray(0, -1)],
    // Every remaining frame is complete: only the number of samples is wrong.
    ['cut-at-a-frame-boundary', flac.subarray(0, lateFrameAt(flac))],
    ['without-any-frame', flac.subarray(0, firstFrameAt(flac))],
    // Decodes to a click: only the frame's checksum is wrong.
    ['with-one-bit-flipped', flipped(flac, half)],
    ['with-a-hole', Buffer.from(flac).fill(0, half, half + 400)],
    ['without-streaminfo', Buffer.from(flac).fill(4, 4, 5)],
    ['of-random-bytes', Buffer.concat([flac.subarray(0, 4), flac.subarray(half)])],
  ];
  return files.map(([name, bytes]) => refused(`flac-${name}`, 'flac', bytes, 'damaged'));
}

function tooLong(flac: Buffer): readonly Specimen[] {
  const claimed = withTotalSamples(flac, 13 * hourSeconds * 44_100);
  const silent = silentFlac(13 * hourSeconds);
  const hidden = withTotalSamples(silent, 0);
  const bySecond = silentFlac(12 * hourSeconds + 1);
  const inFewBytes = silentFlac(11 * hourSeconds, 44_100);
  return [
    refused('flac-that-claims-thirteen-hours', 'flac', claimed, 'too_long'),
    refused('flac-of-thirteen-silent-hours', 'flac', silent, 'too_long'),
    refused('flac-of-thirteen-hours-that-hides-it', 'flac', hidden, 'too_long'),
    refused('flac-of-eleven-hours-in-a-few-bytes', 'flac', inFewBytes, 'too_long'),
    refused('flac-of-twelve-hours-and-a-second', 'flac', bySecond, 'too_long'),
  ];
}

export function flacs(audio: EncodedAudio): readonly Specimen[] {
  return [...valid(audio), ...damaged(audio['cd.flac']), ...tooLong(audio['cd.flac'])];
}
