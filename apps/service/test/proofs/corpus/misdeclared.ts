/** Files whose size or checksum differs from the declared one. The service checks the size first. */

import { createHash } from 'node:crypto';
import { html } from './foreign-bytes.ts';
import { plainPng } from './png-ready.ts';
import { refused, type Specimen } from './specimen.ts';
import { cd } from './wave-ready.ts';
import { wave } from './wave.ts';

const validWave = wave(cd, 8820);
const otherSha256 = createHash('sha256').update('another file').digest('hex');

function sized(specimen: Specimen, sizeBytes: number): Specimen {
  return { ...specimen, declared: { sizeBytes } };
}

function sizes(): readonly Specimen[] {
  const { length } = validWave;
  const cut = validWave.subarray(0, 1000);
  return [
    sized(refused('nothing-for-one-byte', 'wav', Buffer.alloc(0), 'size_mismatch'), 1),
    sized(refused('wave-one-byte-short', 'wav', validWave, 'size_mismatch'), length + 1),
    sized(refused('wave-one-byte-long', 'wav', validWave, 'size_mismatch'), length - 1),
    sized(refused('wave-of-which-a-part-came', 'wav', cut, 'size_mismatch'), length),
    sized(refused('png-for-one-byte', 'png', plainPng, 'size_mismatch'), 1),
    sized(refused('html-of-another-size', 'jpg', html, 'size_mismatch'), html.length + 1),
  ];
}

function checksums(): readonly Specimen[] {
  const declared = { sha256: otherSha256 };
  return [
    { ...refused('wave-of-another-checksum', 'wav', validWave, 'checksum_mismatch'), declared },
    { ...refused('png-of-another-checksum', 'png', plainPng, 'checksum_mismatch'), declared },
  ];
}

export function misdeclared(): readonly Specimen[] {
  return [...sizes(), ...checksums()];
}
