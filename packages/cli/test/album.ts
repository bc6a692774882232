/** A folder as a label would keep it: two songs, a cover and a sheet. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chordWave, coverPng } from '../../../examples/make-files.ts';

let cover: Buffer | undefined;

/** Begins with `title`; the second track is in Japanese, because wide characters must not shift a table. */
export function sheetOf(title: string, releaseDate: string): string {
  return `file,title,contributors.composer,contributors.musician,contributors.producer,ai_use.recording,ai_use.composition,release.title,release.artists,release.release_date,release.language,release.ai_use.artwork
01.wav,${title},Aurora Díaz,"Aurora Díaz (synthesizer, piano)",Mette Krogh,none,none,${title},Aurora Díaz; Kofi Mensah (featured),${releaseDate},zxx,none
02.wav,夜のドライブ,Aurora Díaz,Aurora Díaz (piano),Mette Krogh,none,none,,,,,
`;
}

/** Days from today: the sandbox clock moves by at most 400 days at once. */
export const dateIn = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export function makeAlbum(folder: string, title: string, releaseDate = dateIn(60)): string {
  mkdirSync(folder, { recursive: true });
  cover ??= coverPng();
  writeFileSync(join(folder, 'album.csv'), sheetOf(title, releaseDate));
  writeFileSync(join(folder, '01.wav'), chordWave(35));
  writeFileSync(join(folder, '02.wav'), chordWave(36));
  writeFileSync(join(folder, 'cover.png'), cover);
  return folder;
}
