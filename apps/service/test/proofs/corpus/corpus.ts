/**
 * Files that a partner could upload, each with its expected result: valid files of every kind, and several files for
 * every failure code. They are generated in every run, byte for byte the same.
 */

import { encodeAudio } from './encoded.ts';
import { flacs } from './flac-specimens.ts';
import { foreigners } from './foreign.ts';
import { makeImages } from './images.ts';
import { jpegs } from './jpeg-specimens.ts';
import { misdeclared } from './misdeclared.ts';
import { mp4s } from './mp4-specimens.ts';
import { plainPng, readyPngs } from './png-ready.ts';
import { refusedPngs } from './png-refused.ts';
import type { Specimen } from './specimen.ts';
import { readyWaves } from './wave-ready.ts';
import { refusedWaves } from './wave-refused.ts';

export type { Specimen } from './specimen.ts';

/** Leaves temporary files in `folder`. */
export async function makeCorpus(folder: string): Promise<readonly Specimen[]> {
  const [audio, images] = await Promise.all([encodeAudio(folder, plainPng), makeImages()]);
  const corpus = [
    ...readyWaves(),
    ...refusedWaves(audio),
    ...flacs(audio),
    ...mp4s(audio),
    ...readyPngs(images.interlaced),
    ...refusedPngs(),
    ...jpegs(images),
    ...foreigners(audio, images),
    ...misdeclared(),
  ];
  const names = new Set(corpus.map(({ name }) => name));
  if (names.size !== corpus.length) throw new Error('two specimens have the same name');
  return corpus;
}
