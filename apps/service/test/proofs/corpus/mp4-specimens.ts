/** MP4 files with ALAC, valid and broken, and with other codecs. */

import { sourceMs, type EncodedAudio } from './encoded.ts';
import { boxNamed } from './mp4.ts';
import { ready, refused, type Specimen, type Technical } from './specimen.ts';

function facts(bits: number, rateHz: number, durationMs: number, channels = 2): Technical {
  return {
    format: 'alac',
    codec: 'alac',
    bit_depth: bits,
    sample_rate: rateHz,
    channels,
    duration_ms: durationMs,
    format_tag: null,
  };
}

function valid(audio: EncodedAudio): readonly Specimen[] {
  const cd = facts(16, 44_100, sourceMs.cd);
  return [
    ready('alac-16-bit-44100-hz', 'm4a', audio['cd.m4a'], cd),
    ready('alac-mono', 'm4a', audio['mono.m4a'], facts(16, 44_100, sourceMs.mono, 1)),
    ready('alac-24-bit-48000-hz', 'm4a', audio['hd.m4a'], facts(24, 48_000, 1000)),
    ready('alac-24-bit-96000-hz', 'm4a', audio['rate96.m4a'], facts(24, 96_000, 200)),
    ready('alac-24-bit-192000-hz', 'm4a', audio['rate192.m4a'], facts(24, 192_000, 200)),
    ready('alac-with-its-index-first', 'm4a', audio['index-first.m4a'], cd),
    ready('alac-with-a-cover', 'm4a', audio['cover.m4a'], cd),
  ];
}

function brokenCookie(m4a: Buffer): Buffer {
  // The sample entry is named `alac`, and so is the box of settings inside it.
  const cookie = m4a.indexOf('alac', m4a.indexOf('alac') + 4);
  return Buffer.from(m4a).fill(0xff, cookie + 4, cookie + 28);
}

function damaged(audio: EncodedAudio): readonly Specimen[] {
  const m4a = audio['cd.m4a'];
  const indexFirst = audio['index-first.m4a'];
  const brand = m4a.subarray(0, boxNamed(m4a, 'ftyp').length);
  const media = boxNamed(m4a, 'mdat');
  const middle = media.at + Math.floor(media.length / 2);
  const files: readonly (readonly [name: string, bytes: Buffer])[] = [
    ['brand-only', brand],
    ['brand-and-noise', Buffer.concat([brand, Buffer.alloc(5000, 0xab)])],
    ['cut-in-half', m4a.subarray(0, Math.floor(m4a.length / 2))],
    ['without-its-index', m4a.subarray(0, boxNamed(m4a, 'moov').at)],
    ['index-first-cut-in-half', indexFirst.subarray(0, Math.floor(indexFirst.length / 2))],
    ['index-first-cut-by-one-byte', indexFirst.subarray(0, -1)],
    // ffmpeg exits with 0, though it has decoded nothing.
    ['index-first-without-its-media', indexFirst.subarray(0, boxNamed(indexFirst, 'mdat').at + 8)],
    ['with-a-hole', Buffer.from(m4a).fill(0, middle, middle + 10_000)],
    ['with-broken-settings', brokenCookie(m4a)],
  ];
  return files.map(([name, bytes]) => refused(`alac-${name}`, 'm4a', bytes, 'damaged'));
}

export function mp4s(audio: EncodedAudio): readonly Specimen[] {
  return [
    ...valid(audio),
    ...damaged(audio),
    refused('mp4-with-aac-inside', 'm4a', audio['aac.m4a'], 'unsupported_codec'),
    refused('mp4-with-mp3-inside', 'm4a', audio['mp3.mp4'], 'unsupported_codec'),
    refused('mp4-with-flac-inside', 'm4a', audio['flac.mp4'], 'unsupported_codec'),
    refused('alac-beside-a-video', 'm4a', audio['video.m4a'], 'unsupported_codec'),
    refused('alac-twice-in-one-file', 'm4a', audio['two.m4a'], 'unsupported_codec'),
    refused('alac-of-thirteen-hours', 'm4a', audio['long.m4a'], 'too_long'),
  ];
}
