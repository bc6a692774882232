/** The parts that need no service. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { triggers } from '../src/commands/triggers.ts';
import { completionScripts } from '../src/completion/scripts.ts';
import { commandTree } from '../src/completion/tree.ts';
import { releaseFields, trackFields } from '../src/import/columns.ts';
import { readCsvSheet } from '../src/import/csv-sheet.ts';
import { readJsonSheet } from '../src/import/json-sheet.ts';
import { CsvError, readCsv } from '../src/import/read-csv.ts';
import { templateOf } from '../src/import/template.ts';
import { paletteOf } from '../src/output/palette.ts';
import { safeJson, safeText } from '../src/output/safe-text.ts';
import { bar, sparkline } from '../src/output/sparkline.ts';
import { tableLines } from '../src/output/table.ts';
import { truncate, widthOf, wrap } from '../src/output/text-width.ts';
import { durationMs, microsOf, moneyText } from '../src/output/units.ts';
import { createProgram } from '../src/program.ts';
import { openHome } from './run-cli.ts';

const palette = paletteOf(false);

describe('text in a terminal', () => {
  test('wide characters take two columns, marks none', () => {
    const widths = [
      'abc',
      '夜のドライブ',
      'Díaz',
      'Di\u0301az',
      '한국',
      '🎵',
      '👩‍🎤',
      'ﾄﾞ',
      '✔ ok',
      '…',
    ].map(widthOf);
    assert.deepEqual(widths, [3, 12, 4, 4, 4, 2, 2, 2, 4, 1]);
    assert.equal(truncate('夜のドライブ', 6), '夜の…');
    assert.equal(truncate('abc', 3), 'abc');
    assert.deepEqual(wrap('one two three', 7), ['one two', 'three']);
  });

  test('a table is never wider than the terminal, and its columns are aligned', () => {
    const columns = [
      { title: 'Title', shrinksTo: 6 },
      { title: 'Net', align: 'right' as const },
      { title: 'Note', leaveOut: 1 },
    ];
    const rows = [
      ['夜のドライブ', '1.00', 'first'],
      ['Night Drive', '1,234.50', 'second'],
    ];
    for (const columnsMax of [80, 30, 24, 18, 16]) {
      const lines = tableLines(columns, rows, { columnsMax, palette });
      for (const line of lines) assert.ok(widthOf(line) <= columnsMax, `${columnsMax}: ${line}`);
      const ends = lines
        .slice(1)
        .map((line) => widthOf(line.slice(0, line.search(/\d\.\d\d/) + 4)));
      assert.equal(new Set(ends).size, 1, lines.join('\n'));
    }
    const wide = tableLines(columns, rows, { columnsMax: 80, palette });
    assert.deepEqual(wide, [
      'Title              Net  Note',
      '夜のドライブ      1.00  first',
      'Night Drive   1,234.50  second',
    ]);
  });

  test('text of others cannot control the terminal', () => {
    assert.equal(safeText('a\u001b[2Jb\u009bc\u202ed\ne'), 'a�[2Jb�c�d e');
    assert.ok(!safeJson({ title: '\u009b2J\u202e' }).includes('\u009b'));
    assert.deepEqual(JSON.parse(safeJson({ title: '\u009b2J\u202e' })), {
      title: '\u009b2J\u202e',
    });
  });

  test('a month that nobody reported does not look like one that earned nothing', () => {
    assert.equal(sparkline([undefined, 0, 1, 4, 8, -1]), '·▁▁▄█▿');
    assert.equal(bar(0.5, 3), '█▌');
  });

  test('amounts are added without floating point', () => {
    assert.equal(moneyText(microsOf('0.100000') + microsOf('0.200000')), '0.30');
    assert.equal(moneyText(microsOf('-1234567.895000')), '-1,234,567.90');
    assert.equal(moneyText(microsOf('-0.001000')), '0.00');
    assert.equal(durationMs('3d'), 259_200_000);
    assert.equal(durationMs('3w'), undefined);
  });
});

describe('sheets', () => {
  test('CSV is read as RFC 4180 says, with semicolons, quotes and line breaks', () => {
    const cells = (text: string) => readCsv(text).map((row) => row.cells);
    assert.deepEqual(cells('\uFEFFa;b\r\n"x;""y""\nz";2\r\n\r\n'), [
      ['a', 'b'],
      ['x;"y"\nz', '2'],
    ]);
    assert.deepEqual(cells('a,b,\n1,,\n'), [
      ['a', 'b', ''],
      ['1', '', ''],
    ]);
    assert.equal(readCsv('a\n"1\n2"\n3').at(-1)?.line, 4);
    assert.throws(
      () => readCsv('a,b\n1,"x'),
      (error) => error instanceof CsvError && error.line === 2,
    );
    assert.throws(() => readCsv('a\n"1"2'), CsvError);
  });

  test('the template is a correct sheet', () => {
    const sheet = readCsvSheet(templateOf(new Date()));
    assert.deepEqual(sheet.problems, []);
    assert.equal(sheet.tracks.length, 2);
    assert.deepEqual(sheet.release['artists'], [
      { name: 'Aurora Díaz', role: 'main' },
      { name: 'Kofi Mensah', role: 'featured' },
    ]);
  });

  test('a code that a spreadsheet has damaged is noticed', () => {
    const sheet = readCsvSheet('title,isrc,release.upc\nx,QZABC26001,60001000009\n');
    assert.deepEqual(
      sheet.problems.map(({ where, problem }) => `${where}: ${problem}`).slice(0, 2),
      [
        'line 2, isrc: an ISRC is like QZ-ABC-26-00001',
        'line 2, release.upc: a UPC has 12 digits, this one has 11: the sheet may have lost a leading 0',
      ],
    );
  });

  test('a JSON sheet has the fields of the API', () => {
    const sheet = readJsonSheet(
      JSON.stringify({
        release: {
          title: 'x',
          artists: [],
          release_date: '2027-13-01',
          ai_use: { artwork: 'maybe' },
        },
        tracks: [{ file: '01.wav', title: 'x', position: '1', colour: 'blue' }],
      }),
    );
    assert.deepEqual(
      sheet.problems.map(({ where }) => where),
      ['release.release_date', 'release.ai_use.artwork', 'tracks[0].position', 'tracks[0].colour'],
    );
  });

  test('every field of the API that a sheet can have is a column', () => {
    const path = join(import.meta.dirname, '../../../openapi/openapi.json');
    const { schemas } = JSON.parse(readFileSync(path, 'utf8')).components;
    const fieldsOf = (name: string, except: readonly string[]) =>
      Object.keys(schemas[name].properties)
        .filter((field) => !except.includes(field))
        .toSorted();
    const known = (fields: object) =>
      [...new Set(Object.keys(fields).map((field) => field.replace(/\..*/, '')))].toSorted();
    assert.deepEqual(known(releaseFields), fieldsOf('CreateRelease', []));
    const made = ['release_id', 'audio_asset_id', 'contributors'];
    assert.deepEqual(known(trackFields), fieldsOf('CreateTrack', made));
    assert.deepEqual(
      Object.keys(triggers).toSorted(),
      ['ping', ...(schemas.EventType.enum as string[])].toSorted(),
    );
  });
});

describe('completion', () => {
  const nodes = commandTree(createProgram());

  test('bash completes commands, options and nothing after an option that takes a value', (t) => {
    const home = openHome();
    t.after(home.remove);
    const script = join(home.folder, 'completion.bash');
    writeFileSync(script, completionScripts.bash(nodes));
    const complete = (line: string): string[] => {
      const words = line.split(' ');
      const program = `. ${script}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _tonearm; echo "\${COMPREPLY[*]}"`;
      const output = execFileSync('bash', ['--norc', '-c', program], {
        cwd: home.folder,
        encoding: 'utf8',
      });
      return output.trim().split(' ');
    };
    assert.deepEqual(complete('tonearm rel'), ['releases']);
    assert.deepEqual(complete('tonearm releases im'), ['import']);
    assert.deepEqual(complete('tonearm --profile second sandbox clock ad'), ['advance']);
    assert.deepEqual(complete('tonearm deliver --wa'), ['--watch']);
    assert.ok(complete('tonearm deliver rel_1 --').includes('--json'));
    assert.deepEqual(complete('tonearm deliver --stores re'), [''], 'a value is no command');
  });

  test('every command and option is in the script of each shell', () => {
    assert.ok(nodes.length > 50);
    for (const script of Object.values(completionScripts)) {
      const text = script(nodes);
      for (const { path, commands } of nodes) {
        assert.ok(text.includes(path));
        for (const { name } of commands) assert.ok(text.includes(name));
      }
    }
  });
});
