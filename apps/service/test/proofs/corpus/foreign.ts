/** Files of another type than the declared one. */

import type { EncodedAudio } from './encoded.ts';
import { html, php, zipOf } from './foreign-bytes.ts';
import type { Images } from './images.ts';
import { plainPng } from './png-ready.ts';
import { refused, type DeclaredAs, type Specimen } from './specimen.ts';
import { cd } from './wave-ready.ts';
import { wave } from './wave.ts';

type Foreign = readonly [name: string, as: DeclaredAs, bytes: Buffer];

const validWave = wave(cd, 8820);

/** Playlists and scripts: a decoder that guesses the format would open the files they name. */
const playlist = Buffer.from(
  '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n',
);
const concatScript = Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n");
const sdp = Buffer.from(
  'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n',
);
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>\n',
);
const pdf = Buffer.from(
  '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
);
const postscript = Buffer.from('%!PS-Adobe-3.0\n(/etc/passwd) (r) file\n');
const elf = Buffer.concat([Buffer.from('7f454c46020101', 'hex'), Buffer.alloc(57)]);
const id3 = Buffer.from('ID3\u0003\0\0\0\0\0\u000a0123456789', 'latin1');
const byteOrderMark = Buffer.from('efbbbf', 'hex');

function writtenOver(bytes: Buffer, text: string, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.write(text, at, 'latin1');
  return copy;
}

function texts(): readonly Foreign[] {
  return [
    ['text-as-wave', 'wav', Buffer.from('just a text\n')],
    ['one-byte-as-wave', 'wav', Buffer.from('R')],
    ['playlist-as-m4a', 'm4a', playlist],
    ['playlist-as-wave', 'wav', playlist],
    ['concat-script-as-flac', 'flac', concatScript],
    ['sdp-as-wave', 'wav', sdp],
    ['html-as-jpeg', 'jpg', html],
    ['php-as-png', 'png', php],
    ['svg-as-png', 'png', svg],
    ['postscript-as-jpeg', 'jpg', postscript],
    ['pdf-as-jpeg', 'jpg', pdf],
    ['elf-as-wave', 'wav', elf],
    ['zip-as-flac', 'flac', zipOf('cd.flac', Buffer.from('fLaC'))],
    ['zeros-as-wave', 'wav', Buffer.alloc(4096)],
    ['zeros-as-png', 'png', Buffer.alloc(4096)],
  ];
}

function otherAudio(audio: EncodedAudio): readonly Foreign[] {
  const flac = audio['cd.flac'];
  return [
    ['mp3-as-wave', 'wav', audio['cd.mp3']],
    ['mp3-as-m4a', 'm4a', audio['cd.mp3']],
    ['adts-aac-as-m4a', 'm4a', audio['cd.aac']],
    ['aiff-as-wave', 'wav', audio['cd.aiff']],
    ['caf-as-m4a', 'm4a', audio['cd.caf']],
    ['w64-as-wave', 'wav', audio['cd.w64']],
    ['rf64-as-wave', 'wav', audio['rf64.wav']],
    ['ogg-flac-as-flac', 'flac', audio['cd.ogg']],
    ['id3-before-flac', 'flac', Buffer.concat([id3, flac])],
    ['byte-order-mark-before-wave', 'wav', Buffer.concat([byteOrderMark, validWave])],
    ['flac-as-wave', 'wav', flac],
    ['wave-as-flac', 'flac', validWave],
    ['wave-as-m4a', 'm4a', validWave],
    ['alac-as-flac', 'flac', audio['cd.m4a']],
    ['avi-as-wave', 'wav', writtenOver(validWave, 'AVI ', 8)],
    ['rifx-as-wave', 'wav', writtenOver(validWave, 'RIFX', 0)],
    ['small-letters-as-wave', 'wav', writtenOver(validWave, 'riff', 0)],
  ];
}

function otherImages(images: Images): readonly Foreign[] {
  return [
    ['gif-as-png', 'png', images.gif],
    ['webp-as-jpeg', 'jpg', images.webp],
    ['webp-as-wave', 'wav', images.webp],
    ['tiff-as-jpeg', 'jpg', images.tiff],
    ['avif-as-jpeg', 'jpg', images.avif],
    ['jpeg-as-png', 'png', images.plain],
    ['png-as-jpeg', 'jpg', plainPng],
    ['jpeg-as-wave', 'wav', images.plain],
    ['wave-as-jpeg', 'jpg', validWave],
    ['html-before-png', 'png', Buffer.concat([html, plainPng])],
    ['png-through-text-mode', 'png', throughTextMode(plainPng)],
  ];
}

/** Converts line breaks, which the line breaks in the PNG signature are meant to reveal. */
function throughTextMode(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

export function foreigners(audio: EncodedAudio, images: Images): readonly Specimen[] {
  return [...texts(), ...otherAudio(audio), ...otherImages(images)].map(([name, as, bytes]) =>
    refused(name, as, bytes, 'type_mismatch'),
  );
}
