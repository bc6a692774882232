/** Wrong files are rejected with the place, the cause and the cure. Nothing is written. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ReportRejected } from '../src/royalties/domain/report-rejected.ts';
import type { ReportFormat, ReportRejection } from '../src/royalties/domain/report.ts';
import { dsrFile, header, sale, summary } from './dsr-builder.ts';
import { openReportFixture, type ReportFixture } from './report-fixture.ts';
import { zipOf } from './zip-builder.ts';

let fixture: ReportFixture;
before(async () => {
  fixture = await openReportFixture();
});
after(() => fixture.close());

const golden = (name: string) =>
  readFileSync(join(import.meta.dirname, 'golden/reports', name), 'utf8');
const good = dsrFile([header(), summary('3'), sale('1'), sale('2')]);
const plain =
  'period_start,period_end,territory,use_type,isrc,upc,title,quantity,amount,currency\n';
const plainRow = (amount: string, currency = 'EUR') =>
  `${plain}2026-07-01,2026-07-31,DE,download,QZAAA2600001,,T,1,${amount},${currency}\n`;

type Case = readonly [
  name: string,
  format: ReportFormat,
  content: string | Buffer,
  code: ReportRejection['code'],
  line: number | null,
];

const cases: readonly Case[] = [
  ['an empty file', 'dsr', '', 'unreadable_file', 1],
  ['an empty table', 'plain_csv', '', 'unreadable_file', null],
  ['a table without rows', 'plain_csv', plain, 'unreadable_file', null],
  ['a truncated file', 'dsr', good.slice(0, -40), 'wrong_footer', 4],
  [
    'a file without a footer',
    'dsr',
    dsrFile([header(), summary('1'), sale('1')]).replace(/SRFO.*\n/, ''),
    'wrong_footer',
    3,
  ],
  ['rows after the footer', 'dsr', `${good}${sale('1')}\n`, 'wrong_footer', 6],
  ['a wrong number of lines', 'dsr', good.replace('SRFO\t5', 'SRFO\t6'), 'wrong_footer', 5],
  [
    'a wrong number of summary records',
    'dsr',
    good.replace('SRFO\t5\t1', 'SRFO\t5\t2'),
    'wrong_footer',
    5,
  ],
  [
    'a wrong total',
    'dsr',
    dsrFile([header(), summary('3.01'), sale('1'), sale('2')]),
    'wrong_total',
    2,
  ],
  [
    'a total that is wrong in the last unit',
    'dsr',
    dsrFile([header(), summary('1.0000000001'), sale('1')]),
    'wrong_total',
    2,
  ],
  [
    'a row of an unknown summary record',
    'dsr',
    dsrFile([header(), summary('0'), sale('1', { SummaryRecordId: '9' })]),
    'unreadable_file',
    3,
  ],
  [
    'a summary record that changes',
    'dsr',
    dsrFile([header(), summary('0'), summary('1')]),
    'unreadable_file',
    3,
  ],
  [
    'an unknown record type',
    'dsr',
    dsrFile([header(), summary('0'), 'SU02\t1']),
    'unreadable_file',
    3,
  ],
  [
    'a required cell without a value',
    'dsr',
    dsrFile([header(), summary('0', { Territory: '' })]),
    'unreadable_file',
    2,
  ],
  ['a number that is none', 'dsr', dsrFile([header(), summary('zero')]), 'unreadable_file', 2],
  [
    'a period that does not exist',
    'dsr',
    dsrFile([header({ UsageEndDate: '2026-06-30' }), summary('0')]),
    'unreadable_file',
    1,
  ],
  [
    'a month of thirteen',
    'dsr',
    dsrFile([header({ UsageEndDate: '2026-13-01' }), summary('0')]),
    'unreadable_file',
    1,
  ],
  [
    'an unknown currency of accounting',
    'dsr',
    dsrFile([header(), summary('0', { CurrencyOfAccounting: 'EUX' })]),
    'unknown_currency',
    2,
  ],
  [
    'a missing file',
    'dsr',
    dsrFile([header({ NumberOfFiles: '2' }), summary('0')]),
    'files_missing',
    1,
  ],
  [
    'a row with too few cells',
    'dsr',
    dsrFile([header(), summary('1'), sale('1'), 'SR08\t1\t2']),
    'unreadable_file',
    4,
  ],
  [
    'a row with too many cells',
    'dsr',
    dsrFile([header(), summary('1'), `${sale('1')}\tmore`]),
    'unreadable_file',
    3,
  ],
  [
    'an amount with an exponent',
    'dsr',
    dsrFile([header(), summary('100'), sale('1e2')]),
    'unreadable_file',
    3,
  ],
  [
    'an amount with eleven decimals',
    'dsr',
    dsrFile([header(), summary('1'), '# comment', sale('0.00000000001')]),
    'unreadable_file',
    4,
  ],
  [
    'an amount with nineteen digits',
    'plain_csv',
    plainRow('1234567890123456789'),
    'unreadable_file',
    2,
  ],
  ['an amount with separators', 'plain_csv', plainRow('"1,000.00"'), 'unreadable_file', 2],
  ['no amount', 'plain_csv', plainRow(''), 'unreadable_file', 2],
  ['an unknown currency', 'plain_csv', plainRow('1', 'XXX'), 'unknown_currency', 2],
  [
    'a missing column',
    'plain_csv',
    plainRow('1').replace('currency', 'money'),
    'unreadable_file',
    1,
  ],
  ['a column twice', 'plain_csv', plain.replace('\n', ',title\n'), 'unreadable_file', 1],
  [
    'a quote that never ends',
    'plain_csv',
    `${plainRow('1')}2026-07-01,2026-07-31,DE,download,,,"T,1,1,EUR\n`,
    'unreadable_file',
    3,
  ],
  [
    'totals that are missing',
    'fiscal_csv',
    golden('fiscal.txt').replace(/Total_Rows[^]*/, ''),
    'wrong_footer',
    1,
  ],
  [
    'a wrong number of rows',
    'fiscal_csv',
    golden('fiscal.txt').replace('Total_Rows\t7', 'Total_Rows\t8'),
    'wrong_footer',
    9,
  ],
  [
    'a wrong total of a currency',
    'fiscal_csv',
    golden('fiscal.txt').replace('\t-1.40\n', '\t-1.50\n'),
    'wrong_total',
    9,
  ],
  [
    'a currency without a total',
    'fiscal_csv',
    golden('fiscal.txt').replace(/Total\tJPY.*\n/, ''),
    'wrong_total',
    9,
  ],
  [
    'a total of no currency',
    'fiscal_csv',
    golden('fiscal.txt').replace('Total\tJPY', 'Total\tJPX'),
    'wrong_footer',
    12,
  ],
  [
    'bytes that are not text',
    'dsr',
    Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * 7) % 256)),
    'unreadable_file',
    1,
  ],
  [
    'text in Latin-1',
    'plain_csv',
    Buffer.from(plainRow('1').replace(',T,', ',Köln,'), 'latin1'),
    'unreadable_file',
    1,
  ],
  [
    'text in UTF-16',
    'plain_csv',
    Buffer.from(`\uFEFF${plainRow('1')}`, 'utf16le'),
    'unreadable_file',
    1,
  ],
  [
    'a line of one megabyte',
    'dsr',
    dsrFile([header(), summary('1'), sale('1', { ResourceTitle: 'x'.repeat(1_000_000) })]),
    'unreadable_file',
    3,
  ],
  ['a gzip file without its end', 'dsr', gzipSync(good).subarray(0, -12), 'unreadable_file', null],
  [
    'a zip archive without its end',
    'dsr',
    zipOf([{ name: 'a', content: Buffer.from(good) }]).subarray(0, -30),
    'unreadable_file',
    null,
  ],
  [
    'a zip archive of two files',
    'dsr',
    zipOf(['a', 'b'].map((name) => ({ name, content: Buffer.from(good) }))),
    'unreadable_file',
    null,
  ],
  [
    'a zip bomb',
    'dsr',
    zipOf([{ name: 'a', content: Buffer.alloc(64 * 1024 ** 2, '\n') }]),
    'unreadable_file',
    null,
  ],
];

describe('a report is rejected for', () => {
  for (const [name, format, content, code, line] of cases) {
    test(name, async () => {
      const reading = fixture.read({ format, files: [{ name: 'the-file', content }] });
      await assert.rejects(reading, (error) => {
        assert.ok(error instanceof ReportRejected, String(error));
        const { rejection } = error;
        assert.deepEqual([rejection.code, rejection.line], [code, line], rejection.message);
        assert.match(rejection.message, /\. .*\.$|rows|period/);
        return true;
      });
    });
  }

  test('files of two messages', async () => {
    const files = ['a', 'b'].map((MessageId, i) => ({
      name: MessageId,
      content: dsrFile([
        header({ MessageId, FileNumber: String(i + 1), NumberOfFiles: '2' }),
        summary('0'),
      ]),
    }));
    await assert.rejects(fixture.read({ format: 'dsr', files }), (error) => {
      assert.ok(error instanceof ReportRejected);
      assert.deepEqual([error.rejection.code, error.rejection.file], ['files_missing', 'b']);
      return true;
    });
  });
});

describe('a row is rejected alone, with its amount, for', () => {
  for (const [name, cells, summaryCells, reason] of [
    ['a use that is not sold', {}, { UseType: 'Broadcast' }, 'unknown_use_type'],
    ['a territory that does not exist', {}, { Territory: 'XX' }, 'unknown_territory'],
    ['a date that does not exist', { SalesTransactionDate: '2026-07-32' }, {}, 'unreadable_date'],
    ['a date outside its period', { SalesTransactionDate: '2026-08-01' }, {}, 'date_out_of_period'],
    ['counts that contradict each other', { NetUsage: '9' }, {}, 'unreadable_count'],
    ['a fraction of a use', { TotalUsages: '1.5', NetUsage: '1.5' }, {}, 'unreadable_count'],
    ['a count with an exponent', { TotalUsages: '1e1', NetUsage: '1e1' }, {}, 'unreadable_count'],
  ] as const) {
    test(name, async () => {
      const content = dsrFile([header(), summary('1.5', summaryCells), sale('1.5', cells)]);
      const { reading, rows } = await fixture.read({
        format: 'dsr',
        files: [{ name: 'a', content }],
      });
      assert.deepEqual(
        [reading.rowsRejected, reading.totals[0]?.rejectedAmount],
        [1, '1.5000000000'],
      );
      assert.deepEqual(rows.rejected, [{ line: '3', text: content.split('\n')[2], reason }]);
    });
  }
});
