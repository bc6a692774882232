/** What a person sees in a terminal: progress, questions, width, and no flicker. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { widthOf } from '../src/output/text-width.ts';
import { dateIn, makeAlbum } from './album.ts';
import type { Partner } from './cli.test.ts';
import { importStateOf } from './import-state.ts';
import { mainPath, openHome } from './run-cli.ts';
import { openTerminal } from './terminal.ts';

export function terminalCases(partner: () => Partner): void {
  const open = (args: readonly string[], columns = 80, env: Record<string, string> = {}) => {
    const { home } = partner();
    return openTerminal([process.execPath, mainPath, ...args], {
      env: { ...home.env, ...env },
      columns,
      rows: 60,
      cwd: home.folder,
    });
  };
  const hasEnded = (lines: readonly string[]) => lines.some((line) => /^status \d+$/.test(line));

  describe('in a terminal', () => {
    test('import asks first, shows bars, and fits 60 columns with Japanese titles', async (t) => {
      const { home } = partner();
      makeAlbum(join(home.folder, 'tty'), 'Terminal', dateIn(150));
      const terminal = open(['releases', 'import', 'tty'], 60);
      t.after(terminal.close);
      const asked = await terminal.until('it asks', (lines) =>
        lines.some((line) => line.includes('Create this draft')),
      );
      for (const line of asked) assert.ok(widthOf(line) <= 60, line);
      const lengths = asked.filter((line) => /0:3[56]$/.test(line)).map(widthOf);
      assert.deepEqual(new Set(lengths).size, 1, 'the last column is aligned');
      assert.equal(lengths.length, 2);
      terminal.type('y');
      const ended = await terminal.until('it has ended', hasEnded);
      assert.ok(ended.includes('status 0'), ended.join('\n'));
      assert.ok(
        ended.some((line) => /^✔ 01\.wav +━+ 100% +6\.2 MB {2}16 bit, 44\.1 kHz, 0:35/.test(line)),
        ended.join('\n'),
      );
      for (const line of ended) assert.ok(widthOf(line) <= 60, line);
    });

    test('a folder that was imported before: the question names the release, and a no changes nothing', async (t) => {
      const { home, call } = partner();
      const id = importStateOf(home, 'tty').state.release_id as string;
      const before = await call('GET', `/v1/releases/${id}`);
      makeAlbum(join(home.folder, 'tty'), 'Another Title', dateIn(150));
      const terminal = open(['releases', 'import', 'tty'], 120);
      t.after(terminal.close);
      await terminal.until('it asks', (lines) =>
        lines.some((line) => line.includes(`imported before, as ${id}, "Terminal".`)),
      );
      terminal.type('n');
      const ended = await terminal.until('it has ended', hasEnded);
      assert.ok(ended.includes('status 130'), ended.join('\n'));
      assert.deepEqual((await call('GET', `/v1/releases/${id}`)).json, before.json);
    });

    test('a watch is redrawn in place: no sample of the screen lacks a store', async (t) => {
      const { home } = partner();
      const id = importStateOf(home, 'tty').state.release_id as string;
      await home.run(['releases', 'validate', id, '--fix']);
      await home.run(['releases', 'submit', id]);
      const terminal = open(['deliver', id, '--stores', 'aurora,cascade,indigo', '--watch'], 80);
      t.after(terminal.close);
      const shows = (lines: readonly string[]) =>
        ['aurora', 'cascade', 'indigo'].every((store) =>
          lines.some((line) => line.startsWith(store)),
        );
      await terminal.until('the stores are shown', shows);
      const { stdout } = await home.run(['sandbox', 'clock', 'get']);
      const moved = home.run(['sandbox', 'clock', 'advance', '120d']);
      let samples = 0;
      const last = await terminal.until('it has ended', (lines) => {
        samples++;
        assert.ok(shows(lines), `a store is missing:\n${lines.join('\n')}`);
        for (const line of lines) assert.ok(widthOf(line) <= 80, line);
        return hasEnded(lines);
      });
      assert.equal((await moved).status, 0, stdout);
      assert.ok(samples >= 3, `${samples} samples`);
      assert.ok(last.includes('status 0'), last.join('\n'));
      assert.ok(last.some((line) => /^aurora +✔ delivered/.test(line)));
      assert.equal(
        last.filter((line) => line.startsWith('aurora')).length,
        1,
        'no frame is left behind',
      );
    });

    test('colours only repeat what symbols say, and NO_COLOR turns them off', async (t) => {
      const coloured = open(['stores', 'list']);
      t.after(coloured.close);
      await coloured.until('it has ended', hasEnded);
      const plain = open(['stores', 'list'], 80, { NO_COLOR: '1' });
      t.after(plain.close);
      await plain.until('it has ended', hasEnded);
      assert.deepEqual(plain.screen(), coloured.screen());
      assert.ok(coloured.colours().includes('\u001b[34m✔ active'), 'blue');
      assert.ok(!plain.colours().includes('\u001b['));
    });

    test('login takes a pasted key without showing it', async (t) => {
      const { url, key } = partner();
      const home = openHome({ TONEARM_URL: url });
      t.after(home.remove);
      const terminal = openTerminal([process.execPath, mainPath, 'login'], {
        env: home.env,
        columns: 80,
        cwd: home.folder,
      });
      t.after(terminal.close);
      await terminal.until('it asks', (lines) =>
        lines.some((line) => line.includes('Paste an API key')),
      );
      terminal.type(`${key}\r`);
      const lines = await terminal.until('it has ended', hasEnded);
      assert.ok(lines.includes('status 0'), lines.join('\n'));
      assert.ok(!lines.join('').includes(key.slice(8)));
      assert.ok(lines.some((line) => line.startsWith('Logged in to Test Records')));
    });
  });
}
