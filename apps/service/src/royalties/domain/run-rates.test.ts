import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Currency } from '../../kernel/currency.ts';
import { toWire } from '../../kernel/ids.ts';
import {
  formatFxRate,
  type FxRate,
  type Micros,
  parseFxRate,
  parseMicros,
} from '../../kernel/money.ts';
import type { RealizedPayment } from './remittance.ts';
import { type CurrencyPair, rateFor, runRatesOf } from './run-rates.ts';

const reportId = toWire('rpt', '00000000-0000-7000-8000-000000000001');

function parsed<T>(value: T | undefined): T {
  assert.ok(value !== undefined);
  return value;
}
const micros = (text: string): Micros => parsed(parseMicros(text));
const fxRate = (text: string): FxRate => parsed(parseFxRate(text));

const setOf = (rates: Readonly<Record<string, string>>) => ({
  rates: new Map(Object.entries(rates).map(([pair, rate]) => [pair as CurrencyPair, fxRate(rate)])),
});

const payment = (settledCurrency: Currency, settled: string, paid: string): RealizedPayment => ({
  settledCurrency,
  settled: micros(settled),
  paid: micros(paid),
});

const shown = (answer: ReturnType<typeof rateFor>): string =>
  'rate' in answer ? formatFxRate(answer.rate) : answer.missing;

describe('the rate of a run', () => {
  const set = setOf({ 'EUR/USD': '1.08', 'USD/GBP': '0.79', 'JPY/USD': '0.0065' });

  for (const [title, paid, source, target, expected] of [
    ['of equal currencies is 1', undefined, 'KWD', 'KWD', '1.0000000000'],
    [
      'of equal currencies is 1, although the bank exchanged',
      payment('USD', '1', '3'),
      'EUR',
      'EUR',
      '1.0000000000',
    ],
    ['is the set’s without a payment', undefined, 'EUR', 'USD', '1.0800000000'],
    [
      'is the realized one in the settled currency',
      payment('USD', '110.00', '100.00'),
      'EUR',
      'USD',
      '1.1000000000',
    ],
    ['is rounded half-even', payment('USD', '2.00', '3.00'), 'EUR', 'USD', '0.6666666667'],
    ['of yen', payment('USD', '649.35', '100000'), 'JPY', 'USD', '0.0064935000'],
    ['of dinars', payment('USD', '3250.13', '1000.123'), 'KWD', 'USD', '3.2497302832'],
    [
      'is rounded once, after both exchanges',
      payment('USD', '1.00', '3.00'),
      'EUR',
      'GBP',
      '0.2633333333',
    ],
    [
      'of an amount that was not exchanged is the set’s',
      payment('EUR', '100.00', '100.00'),
      'EUR',
      'USD',
      '1.0800000000',
    ],
    ['is missing if the set lacks it', undefined, 'EUR', 'GBP', 'EUR/GBP'],
    [
      'is missing if the set lacks the second exchange',
      payment('JPY', '160', '1.00'),
      'EUR',
      'GBP',
      'JPY/GBP',
    ],
    ['is not the inverse of another', undefined, 'USD', 'EUR', 'USD/EUR'],
  ] as const) {
    test(title, () => assert.equal(shown(rateFor(paid, source, target, set)), expected));
  }

  test('that ten decimals cannot express is missing', () => {
    const tiny = setOf({ 'USD/GBP': '0.0000000001' });
    const paid = payment('USD', '0.01', '1000.00');
    assert.equal(shown(rateFor(paid, 'EUR', 'GBP', tiny)), 'EUR/GBP');
  });

  test('differs from the exact quotient by at most half a unit, and ties are even', () => {
    const anyAmount = fc.bigInt({ min: 1n, max: 10n ** 16n });
    let ties = 0;
    fc.assert(
      fc.property(anyAmount, anyAmount, fc.bigInt({ min: 1n, max: 10n ** 13n }), (a, b, c) => {
        const pair = { settledCurrency: 'USD' as const, settled: a as Micros, paid: b as Micros };
        const rates = new Map<CurrencyPair, FxRate>([['USD/GBP', c as FxRate]]);
        const answer = rateFor(pair, 'EUR', 'GBP', { rates });
        if ('missing' in answer) {
          const rounded = (a * c) / b;
          assert.ok(2n * a * c <= b || rounded >= 10n ** 20n - 1n);
          return;
        }
        // |rate - a c / b| <= 1/2, multiplied by 2 b.
        const error = 2n * (answer.rate * b - a * c);
        assert.ok(-b <= error && error <= b);
        if (error === b || error === -b) {
          ties += 1;
          assert.equal(answer.rate % 2n, 0n);
        }
      }),
      {
        numRuns: 2000,
        examples: [
          [1n, 2n, 3n],
          [1n, 2n, 5n],
          [3n, 2n, 1n],
        ],
      },
    );
    assert.ok(ties >= 3);
  });

  test('every missing pair is listed once, sorted', () => {
    const need = (sourceCurrency: Currency, currency: Currency) => ({
      reportId,
      sourceCurrency,
      currency,
    });
    const payments = new Map([['EUR' as const, payment('USD', '110.00', '100.00')]]);
    const needed = [need('SEK', 'USD'), need('EUR', 'USD'), need('NOK', 'USD'), need('SEK', 'USD')];
    assert.deepEqual(runRatesOf(needed, [{ reportId, payments }], set), {
      rates: [{ ...need('EUR', 'USD'), rate: '1.1000000000' }],
      missing: ['NOK/USD', 'SEK/USD'],
    });
  });
});
