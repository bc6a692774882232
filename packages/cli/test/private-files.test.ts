/** What the command line writes for its user alone, in a place where somebody else has prepared links. */

import assert from 'node:assert/strict';
import {
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { beginState, openState } from '../src/import/import-state.ts';
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

  test('the first run of an import begins its state; another that has not seen it is refused', (t) => {
    const { folder, remove } = openHome();
    t.after(remove);
    const key = { api_url: 'https://api.example', organization: 'org_1', folder };
    const env = { XDG_STATE_HOME: join(folder, 'state') };
    const [one, two] = [openState(env, key), openState(env, key)];
    beginState(one.statePath, one.state);
    assert.throws(() => beginState(two.statePath, two.state), /Another run has begun/);
    const continued = openState(env, key);
    assert.deepEqual([continued.isContinued, continued.state], [true, one.state]);
  });

  test('a part of an export that has another name too is refused, and others may not read what is continued', async (t) => {
    const { folder, remove, run } = openHome({ TONEARM_API_KEY: 'ta_test_0123456789abcdef' });
    t.after(remove);
    const part = join(folder, 'items.csv.part');
    const words = ['statements', 'export', 'stm_1', '--output', 'items.csv'];
    writeFileSync(part, 'kept', { mode: 0o644 });
    linkSync(part, join(folder, 'other'));
    const refused = await run(words);
    assert.deepEqual([refused.status, readFileSync(part, 'utf8')], [2, 'kept'], refused.stderr);
    unlinkSync(join(folder, 'other'));
    // Nothing listens there: the export fails, and the part is there for its owner alone.
    assert.notEqual((await run(words)).status, 0);
    assert.equal(statSync(part).mode & 0o777, 0o600);
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
