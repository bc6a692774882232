import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Currency } from '../../kernel/currency.ts';
import { territoryCodes } from '../../kernel/territory.ts';
import { reportContent, recordingsMax, territoriesOfUse } from './report-content.ts';
import { type ReportKind, reportKinds } from './sandbox-report.ts';

const recordings = Array.from({ length: recordingsMax }, (_, i) => ({
  isrc: `QZSBX26${String(i).padStart(5, '0')}`,
  upc: '4012345678901',
  territories: territoriesOfUse(territoryCodes),
}));

const contentOf = (kind: ReportKind, number = 1, currency: Currency = 'EUR') =>
  reportContent({ storeId: 'aurora', period: '2026-02', kind, number }, recordings, currency);

const rowsOf = (content: string) => {
  const [header = '', ...lines] = content.trimEnd().split('\n');
  const names = header.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']));
  });
};

describe('the file of a generated report', () => {
  test('the same store, period, kind and number give the same bytes, and others give others', () => {
    assert.equal(contentOf('normal'), contentOf('normal'));
    assert.notEqual(contentOf('normal'), contentOf('normal', 2));
    const amounts = (content: string) => rowsOf(content).map(({ amount }) => amount);
    assert.notDeepEqual(amounts(contentOf('normal')), amounts(contentOf('restated')));
  });

  test('it has at most 200 rows of usage, in the days of its month', () => {
    for (const kind of reportKinds) {
      const rows = rowsOf(contentOf(kind));
      const usage = rows.filter(
        ({ use_type, isrc }) => use_type !== 'penalty' && isrc?.startsWith('QZ'),
      );
      assert.equal(usage.length, 200, kind);
      assert.ok(rows.length <= 203, kind);
      for (const { period_start, period_end } of rows) {
        assert.deepEqual([period_start, period_end], ['2026-02-01', '2026-02-28']);
      }
    }
  });

  test('returns, fines and unknown recordings are in the kinds that are named after them', () => {
    const count = (kind: ReportKind, isCounted: (row: Record<string, string>) => boolean) =>
      rowsOf(contentOf(kind)).filter(isCounted).length;
    for (const kind of reportKinds) {
      const isReturn = ({ quantity }: Record<string, string>) => Number(quantity) < 0;
      assert.equal(count(kind, isReturn), kind === 'returns' ? 100 : 0, kind);
      const isFine = ({ use_type, amount }: Record<string, string>) =>
        use_type === 'penalty' && Number(amount) < 0;
      assert.equal(count(kind, isFine), kind === 'penalty' ? 1 : 0, kind);
      const isUnknown = ({ isrc }: Record<string, string>) => isrc?.startsWith('ZZ') === true;
      assert.equal(count(kind, isUnknown), kind === 'unmatched' ? 3 : 0, kind);
      const total = rowsOf(contentOf(kind)).reduce((sum, { amount }) => sum + Number(amount), 0);
      assert.ok(total > 0, `${kind}: the store owes something`);
    }
  });

  test('a recording of one track reaches the minimum of a payout in every kind of currency', () => {
    for (const [currency, minimum] of [
      ['EUR', 10],
      ['JPY', 1_000],
      ['KWD', 5],
    ] as const) {
      const content = reportContent(
        { storeId: 'aurora', period: '2026-02', kind: 'normal', number: 1 },
        recordings.slice(0, 1),
        currency,
      );
      const total = rowsOf(content).reduce((sum, { amount }) => sum + Number(amount), 0);
      assert.ok(total > minimum, `${total} ${currency}`);
    }
  });

  test('a recording is used where it is sold', () => {
    assert.deepEqual(territoriesOfUse(territoryCodes), ['US', 'GB', 'DE', 'FR', 'JP']);
    assert.deepEqual(territoriesOfUse(['DE', 'SE']), ['DE']);
    assert.deepEqual(territoriesOfUse(['SE', 'NO']), ['SE', 'NO']);
  });
});
