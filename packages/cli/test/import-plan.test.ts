/** A folder may come from somebody else: what its names and links can make `releases import` read. */

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { planImport } from '../src/import/plan.ts';
import { makeAlbum } from './album.ts';

describe('the files of an import', () => {
  const base = mkdtempSync(join(tmpdir(), 'tonearm-import-plan-'));
  after(() => rmSync(base, { recursive: true }));
  const outside = join(base, 'album-private');
  mkdirSync(outside);
  makeAlbum(outside, 'Private');
  let album = '';
  let count = 0;
  beforeEach(() => {
    album = makeAlbum(join(base, `album-${count++}`), 'Night Drive');
  });

  const replaceByLink = (name: string, target: string): void => {
    rmSync(join(album, name));
    symlinkSync(target, join(album, name));
  };
  const problems = (): string[] =>
    planImport(album, undefined).problems.map(({ where, problem }) => `${where}: ${problem}`);

  test('audio and a cover that are links to files outside the folder are refused', () => {
    replaceByLink('01.wav', join(outside, '01.wav'));
    replaceByLink('cover.png', '../album-private/cover.png');
    const cure = 'is a link that leaves the folder: copy the file itself into the folder';
    assert.deepEqual(problems(), [`line 2: 01.wav ${cure}`, `the cover: cover.png ${cure}`]);
  });

  test('a file below a linked folder is refused too', () => {
    rmSync(join(album, '01.wav'));
    symlinkSync(outside, join(album, 'masters'));
    const sheet =
      '{ "release": {}, "cover": "cover.png", "tracks": [{ "file": "masters/01.wav" }] }';
    rmSync(join(album, 'album.csv'));
    writeFileSync(join(album, 'album.json'), sheet);
    assert.ok(problems().some((problem) => /masters\/01\.wav is a link that leaves/.test(problem)));
  });

  test('a sheet that is a link to a file outside the folder is refused', () => {
    replaceByLink('album.csv', join(outside, 'album.csv'));
    assert.throws(
      () => planImport(album, undefined),
      /album\.csv is a link that leaves the folder/,
    );
  });

  test('a link that stays inside is followed, also in a folder that is a link itself', () => {
    mkdirSync(join(album, 'masters'));
    renameSync(join(album, '01.wav'), join(album, 'masters', '01.wav'));
    symlinkSync(join('masters', '01.wav'), join(album, '01.wav'));
    assert.deepEqual(problems(), []);
    const link = join(base, 'link');
    symlinkSync(album, link);
    const plan = planImport(link, undefined);
    assert.deepEqual(plan.problems, []);
    assert.equal(plan.folder, album, 'its real path finds the state of the import again');
    assert.equal(plan.tracks[0]?.file?.path, join(album, 'masters', '01.wav'));
  });

  test('a link that leads nowhere is named', () => {
    replaceByLink('02.wav', 'nowhere.wav');
    assert.deepEqual(problems(), ['line 3: 02.wav is not there']);
  });

  test('of several sheets one is suggested with its path, in quotes: a name may be a command', () => {
    writeFileSync(join(album, '$(reboot).csv'), '');
    assert.throws(
      () => planImport(album, undefined),
      (error: { readonly next?: readonly string[] }) => {
        const [next = ''] = error.next ?? [];
        assert.equal(next.includes("--sheet '"), next.includes('$('), next);
        assert.ok(next.includes(`${album}/`), next);
        return true;
      },
    );
  });
});
