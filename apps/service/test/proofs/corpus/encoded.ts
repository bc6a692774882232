/** Encodes a few generated WAVE files with ffmpeg, once for all specimens. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encode } from './ffmpeg.ts';
import { cd } from './wave-ready.ts';
import { wave, type WaveFormat } from './wave.ts';

const hd: WaveFormat = { ...cd, rateHz: 48_000, bits: 24 };

/** Milliseconds of each source. */
export const sourceMs = { cd: 500, mono: 500, hd: 20_000, rate96: 200, rate192: 200 } as const;

const sources: readonly (readonly [name: keyof typeof sourceMs, format: WaveFormat])[] = [
  ['cd', cd],
  ['mono', { ...cd, channels: 1 }],
  ['hd', hd],
  ['rate96', { ...hd, rateHz: 96_000 }],
  ['rate192', { ...hd, rateHz: 192_000 }],
];

const coverArguments = ['-map', '0:a', '-map', '1:v', '-c:v', 'copy'];
const cover = [...coverArguments, '-disposition:v', 'attached_pic'];
const audioOf = (input: number, codec: string) => ['-map', `${input}:a`, '-c:a', codec];

function fromCd(folder: string) {
  const audio = (codec: string) => audioOf(0, codec);
  return encode(
    folder,
    ['-i', 'cd.wav', '-i', 'cover.png'],
    [
      { file: 'cd.flac', options: audio('flac') },
      { file: 'cover.flac', options: [...cover, '-c:a', 'flac'] },
      { file: 'cd.m4a', options: audio('alac') },
      { file: 'index-first.m4a', options: [...audio('alac'), '-movflags', '+faststart'] },
      { file: 'cover.m4a', options: [...cover, '-c:a', 'alac'] },
      // The picture as a video of one frame instead of an attachment; and two audio streams.
      { file: 'video.m4a', options: [...coverArguments, '-c:a', 'alac', '-f', 'mov'] },
      { file: 'two.m4a', options: [...audio('alac'), '-map', '0:a'] },
      { file: 'aac.m4a', options: audio('aac') },
      { file: 'mp3.mp4', options: audio('libmp3lame') },
      { file: 'flac.mp4', options: [...audio('flac'), '-strict', 'experimental'] },
      { file: 'mp3.wav', options: audio('libmp3lame') },
      { file: 'adpcm-ms.wav', options: audio('adpcm_ms') },
      { file: 'adpcm-ima.wav', options: audio('adpcm_ima_wav') },
      { file: 'cd.mp3', options: audio('libmp3lame') },
      { file: 'cd.aac', options: audio('aac') },
      { file: 'cd.aiff', options: audio('pcm_s16be') },
      { file: 'cd.ogg', options: audio('flac') },
      { file: 'cd.caf', options: audio('pcm_s16le') },
      { file: 'cd.w64', options: audio('pcm_s16le') },
      { file: 'rf64.wav', options: [...audio('pcm_s16le'), '-rf64', 'always'] },
    ],
  );
}

function fromOthers(folder: string) {
  const inputs = sources.slice(1).flatMap(([name]) => ['-i', `${name}.wav`]);
  return encode(folder, inputs, [
    { file: 'mono.flac', options: audioOf(0, 'flac') },
    { file: 'mono.m4a', options: audioOf(0, 'alac') },
    { file: 'hd.flac', options: audioOf(1, 'flac') },
    { file: 'hd.m4a', options: [...audioOf(1, 'alac'), '-t', '1'] },
    { file: 'rate96.flac', options: audioOf(2, 'flac') },
    { file: 'rate96.m4a', options: audioOf(2, 'alac') },
    { file: 'rate192.flac', options: audioOf(3, 'flac') },
    { file: 'rate192.m4a', options: audioOf(3, 'alac') },
  ]);
}

/** Thirteen hours of silence, copied packet by packet, because encoding them would take ten seconds. */
async function longAlac(folder: string) {
  const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '40.96'];
  await encode(folder, silence, [{ file: 'silence.m4a', options: ['-c:a', 'alac'] }]);
  const looped = ['-stream_loop', '1150', '-i', 'silence.m4a'];
  return encode(folder, looped, [{ file: 'long.m4a', options: ['-c', 'copy'] }]);
}

export async function encodeAudio(folder: string, coverPng: Buffer) {
  const written = sources.map(([name, format]) => {
    const frames = (format.rateHz * sourceMs[name]) / 1000;
    return writeFile(join(folder, `${name}.wav`), wave(format, frames));
  });
  await Promise.all([...written, writeFile(join(folder, 'cover.png'), coverPng)]);
  const made = await Promise.all([fromCd(folder), fromOthers(folder), longAlac(folder)]);
  return { ...made[0], ...made[1], ...made[2] };
}

export type EncodedAudio = Awaited<ReturnType<typeof encodeAudio>>;
