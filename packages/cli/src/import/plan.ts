/** What an import is going to do: the sheet and the files of a folder, checked on this machine. */

import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { extname, join, relative, resolve } from 'node:path';
import { shellQuote } from '../curl.ts';
import { usageFailure } from '../failure.ts';
import { isInside } from '../is-inside.ts';
import { readCsvSheet } from './csv-sheet.ts';
import { readJsonSheet } from './json-sheet.ts';
import {
  type AssetType,
  type LocalFile,
  assetTypeOf,
  contentTypeOf,
  inspectFile,
} from './local-file.ts';
import type { Fields, Problem, Sheet, SheetTrack } from './sheet.ts';

export type PlannedTrack = {
  /** The name of the audio file in the folder: by it a later run recognizes the track. */
  readonly key: string;
  readonly file: LocalFile | undefined;
  readonly fields: Fields;
};

export type Plan = {
  /** Its real path. */
  readonly folder: string;
  readonly sheetName: string;
  readonly release: Fields;
  readonly cover: LocalFile | undefined;
  readonly tracks: readonly PlannedTrack[];
  readonly problems: readonly Problem[];
};

const sheetBytesMax = 5_000_000;
/** A release with its tracks has at most 1 MiB as JSON; this is far more than fits. */
const tracksMax = 1_000;

const isHidden = (name: string): boolean => name.startsWith('.');

function openFolder(name: string): { readonly folder: string; readonly names: string[] } {
  try {
    const folder = realpathSync(name);
    // 2.wav comes before 10.wav.
    const { compare } = new Intl.Collator('en', { numeric: true });
    const names = readdirSync(folder).filter((each) => !isHidden(each));
    return { folder, names: names.toSorted(compare) };
  } catch (error) {
    throw usageFailure(`${name} is not a folder that can be read: ${(error as Error).message}`);
  }
}

type Located =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly problem: string };

/** The real path of a file. A folder may come from somebody else: no name and no link in it leads to a file outside. */
function locate(folder: string, name: string): Located {
  const refuse = (problem: string): Located => ({ ok: false, problem: `${name} ${problem}` });
  const path = resolve(folder, name);
  if (!isInside(folder, path)) return refuse('is outside the folder');
  try {
    const real = realpathSync(path);
    if (isInside(folder, real)) return { ok: true, path: real };
  } catch {
    return refuse('is not there');
  }
  return refuse('is a link that leaves the folder: copy the file itself into the folder');
}

/** A sheet that is named may be anywhere: the person chose it. */
function findSheet(folder: string, names: readonly string[], wanted: string | undefined): string {
  if (wanted !== undefined) return wanted;
  const sheets = names.filter((name) => /\.(csv|json)$/i.test(name));
  const [only] = sheets;
  if (only !== undefined && sheets.length === 1) {
    const located = locate(folder, only);
    if (located.ok) return located.path;
    throw usageFailure(`${located.problem}.`);
  }
  throw usageFailure(
    only === undefined
      ? `${folder} has no sheet: a .csv or .json file with the release and its tracks.`
      : `${folder} has several sheets: ${sheets.join(', ')}.`,
    only === undefined
      ? 'tonearm releases import --template > album.csv'
      : `tonearm releases import ${shellQuote(folder)} --sheet ${shellQuote(join(folder, only))}`,
  );
}

function readSheet(path: string): Sheet {
  const stats = statSync(path, { throwIfNoEntry: false });
  // A pipe has no end.
  if (stats?.isFile() !== true) throw usageFailure(`${path} is not a file.`);
  if (stats.size > sheetBytesMax) {
    throw usageFailure(`${path} is larger than ${sheetBytesMax / 1_000_000} MB.`);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const isEncoding = error instanceof TypeError;
    throw usageFailure(
      isEncoding ? `${path} is not UTF-8: export it as "CSV UTF-8".` : `${path} cannot be read.`,
    );
  }
  return extname(path).toLowerCase() === '.json' ? readJsonSheet(text) : readCsvSheet(text);
}

const isOfType = (type: AssetType) => (name: string) => {
  const contentType = contentTypeOf(name);
  return contentType !== undefined && assetTypeOf(contentType) === type;
};

function findCover(sheet: Sheet, names: readonly string[]): string | undefined {
  if (sheet.cover !== undefined) return sheet.cover;
  const images = names.filter(isOfType('artwork'));
  return (
    images.find((name) => /^(cover|front|artwork)\./i.test(name)) ??
    (images.length === 1 ? images[0] : undefined)
  );
}

/** Without a column `file`, the audio files in the order of their names are the tracks in the order of the sheet. */
function fileNames(tracks: readonly SheetTrack[], names: readonly string[], problems: Problem[]) {
  if (tracks.some(({ file }) => file !== undefined)) return tracks.map(({ file }) => file);
  const audio = names.filter(isOfType('audio'));
  if (audio.length !== tracks.length) {
    problems.push({
      where: 'the folder',
      problem: `it has ${audio.length} audio files for ${tracks.length} tracks: add a column file`,
    });
  }
  return tracks.map((_, index) => audio[index]);
}

function inspect(
  folder: string,
  where: string,
  name: string | undefined,
  type: AssetType,
  problems: Problem[],
) {
  const located: Located =
    name === undefined ? { ok: false, problem: 'file is missing' } : locate(folder, name);
  const inspected = located.ok ? inspectFile(located.path, type) : located;
  if (inspected.ok) return inspected.file;
  problems.push({ where, problem: inspected.problem });
  return undefined;
}

export function planImport(folderName: string, sheetName: string | undefined): Plan {
  const { folder, names } = openFolder(folderName);
  const sheetPath = findSheet(folder, names, sheetName);
  const sheet = readSheet(sheetPath);
  const problems: Problem[] = [...sheet.problems];
  if (sheet.tracks.length > tracksMax) {
    throw usageFailure(
      `The sheet has ${sheet.tracks.length} tracks, at most ${tracksMax} are possible.`,
    );
  }
  const files = fileNames(sheet.tracks, names, problems);
  const tracks = sheet.tracks.map(({ where, fields }, index) => {
    const name = files[index];
    const file = inspect(folder, where, name, 'audio', problems);
    if (name !== undefined && files.indexOf(name) !== index) {
      problems.push({ where, problem: `${name} is the file of an earlier track` });
    }
    return { key: name ?? where, file, fields };
  });
  const coverName = findCover(sheet, names);
  const cover =
    coverName === undefined
      ? undefined
      : inspect(folder, 'the cover', coverName, 'artwork', problems);
  if (coverName === undefined) {
    problems.push({
      where: 'the folder',
      problem: 'there is no cover: add cover.jpg or cover.png',
    });
  }
  return {
    folder,
    sheetName: relative(folder, sheetPath),
    release: sheet.release,
    cover,
    tracks,
    problems,
  };
}
