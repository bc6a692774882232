/** What the command line writes for its user alone, in a place where somebody else has prepared links. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { writePrivateFile } from '../src/settings/profiles.ts';
import { openHome } from './run-cli.ts';

describe('a private file', () => {
  test('replaces a link and follows none, and only its owner may read it', (t) => {
    const { folder, remove } = openHome();
    t.after(remove);
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'untouched', { mode: 0o644 });
    const path = join(folder, 'config.json');
    symlinkSync(victim, path);
    symlinkSync(victim, `${path}.${process.pid}.tmp`);
    writePrivateFile(path, 'secret');
    assert.equal(readFileSync(victim, 'utf8'), 'untouched');
    assert.equal(statSync(victim).mode & 0o777, 0o644);
    assert.equal(readFileSync(path, 'utf8'), 'secret');
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  test('leaves nothing beside it, also where it cannot be written', (t) => {
    const { folder, remove } = openHome();
    t.after(remove);
    // A folder cannot be replaced by a file.
    assert.throws(() => writePrivateFile(folder, 'secret'));
    writePrivateFile(join(folder, 'inner', 'config.json'), 'secret');
    assert.deepEqual(readdirSync(folder), ['inner']);
    assert.deepEqual(readdirSync(join(folder, 'inner')), ['config.json']);
    assert.equal(statSync(join(folder, 'inner')).mode & 0o777, 0o700);
  });

  test('an export neither continues nor truncates a link', async (t) => {
    const { folder, remove, run } = openHome({ TONEARM_API_KEY: 'ta_test_0123456789abcdef' });
    t.after(remove);
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'untouched');
    symlinkSync(victim, join(folder, 'items.csv.part'));
    const { status, stderr } = await run([
      'statements',
      'export',
      'stm_1',
      '--output',
      'items.csv',
    ]);
    assert.equal(readFileSync(victim, 'utf8'), 'untouched');
    assert.equal(status, 2, stderr);
    assert.match(stderr, /^usage: items\.csv\.part is a link.*\nNext: remove it/);
  });
});
