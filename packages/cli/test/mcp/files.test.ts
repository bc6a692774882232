import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { openFolder } from '../../src/mcp/files.ts';

describe('the folder of --files', () => {
  const base = mkdtempSync(join(tmpdir(), 'tonearm-mcp-files-'));
  after(() => rmSync(base, { recursive: true }));
  const inside = join(base, 'album');
  const outside = join(base, 'album-secret');
  mkdirSync(join(inside, 'disc 1'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(inside, 'cover.JPG'), 'x');
  writeFileSync(join(inside, 'disc 1', '01.wav'), 'xx');
  writeFileSync(join(inside, 'keys.txt'), 'x');
  writeFileSync(join(outside, '02.wav'), 'x');
  symlinkSync(join(outside, '02.wav'), join(inside, 'link.wav'));
  symlinkSync(outside, join(inside, 'linked-folder'));
  symlinkSync(join(inside, 'disc 1', '01.wav'), join(inside, 'alias.wav'));
  symlinkSync(join(inside, 'keys.txt'), join(inside, 'keys.wav'));
  const folder = openFolder(inside);

  test('lists audio and artwork, and follows no link', async () => {
    const { files, is_complete } = await folder.list();
    assert.deepEqual(files, [
      { path: 'cover.JPG', type: 'artwork', size_bytes: 1 },
      { path: 'disc 1/01.wav', type: 'audio', size_bytes: 2 },
    ]);
    assert.ok(is_complete);
  });

  test('finds files inside, also by a link that stays inside', async () => {
    const real = join(inside, 'disc 1', '01.wav');
    assert.deepEqual(await folder.find('disc 1/01.wav'), { path: real, type: 'audio' });
    assert.deepEqual(await folder.find('alias.wav'), { path: real, type: 'audio' });
  });

  test('nothing outside is found, and the answer does not say whether it exists', async () => {
    const missing = 'nothing.wav';
    const paths = [
      '../album-secret/02.wav',
      join(outside, '02.wav'),
      join(inside, 'cover.JPG'),
      'link.wav',
      'linked-folder/02.wav',
      'disc 1/../../album-secret/02.wav',
      '/etc/passwd',
      'cover.JPG\0.wav',
      '.',
      '',
      missing,
    ];
    for (const path of paths) {
      await assert.rejects(folder.find(path), { code: 'file_not_found' }, path);
    }
  });

  test('other files are refused by the type of the file itself, not of a link to it', async () => {
    for (const path of ['keys.txt', 'keys.wav']) {
      await assert.rejects(folder.find(path), { code: 'file_type_not_supported' });
    }
  });
});
