import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seededRandom } from '../../../test/proofs/random.ts';
import { createRedact } from './redact.ts';

const redact = createRedact(() => []);
const random = seededRandom();

const digitsOf = (length: number) => Array.from({ length }, () => random.below(10)).join('');

function newIban(): string {
  const [country, accountLength] = random.pick([
    ['NO', 11],
    ['BE', 12],
    ['DE', 18],
    ['ES', 20],
    ['FR', 23],
    ['MT', 27],
  ] as const);
  const account = digitsOf(accountLength);
  const number = Array.from(`${account}${country}00`, (each) => Number.parseInt(each, 36)).join('');
  return `${country}${String(98n - (BigInt(number) % 97n)).padStart(2, '0')}${account}`;
}

/** With the digit at the end that makes the sum a multiple of ten. */
function newCard(): string {
  const body = `${random.pick(['4', '51', '2221', '6011', '35'])}${digitsOf(14)}`.slice(0, 15);
  const sum = Array.from(body, Number).reduce((total, digit, i) => {
    const counted = i % 2 === 0 ? digit * 2 : digit;
    return total + (counted > 9 ? counted - 9 : counted);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

const inGroups = (gap: string) => (number: string) =>
  (number.match(/.{1,4}/g) ?? [number]).join(gap);

const spellings = [
  (number: string) => number,
  (number: string) => number.toLowerCase(),
  ...[' ', '-', '\u00A0', '+', '%20'].map(inGroups),
];

const places: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `{"title":"${text}"}`,
  (text) => `{"${text}":1}`,
  (text) => `{"a":[["1"],"${text}"]}`,
  (text) => `["number","${text}"]`,
  (text) => `<number>${text}</number>`,
  (text) => `/v1/releases/${text}`,
  (text) => `/v1/releases?title=${text}&limit=1`,
  (text) => `number=${text}`,
  (text) => `"please pay ${text} and wait"`,
  (text) => `{"a":"${text}`,
  (text) => `name;${text};1`,
];

const around = (place: (text: string) => string) => place('[redacted]');

describe('bank numbers in a text', () => {
  test(`200 IBANs and cards, as they are written and wherever they are (seed ${random.seed})`, () => {
    for (let i = 0; i < 200; i++) {
      const number = i % 2 === 0 ? newIban() : newCard();
      const text = random.pick(spellings)(number);
      const place = random.pick(places);
      assert.equal(redact(place(text)), around(place), place(text));
    }
  });

  test('an IBAN with a mistake, two in a row, one before other words, one with escapes', () => {
    for (const [before, after] of [
      ['{"a":"DE88370400440532013000"}', '{"a":"[redacted]"}'],
      ['BE68 5390 0754 7034 test more DE89370400440532013000', '[redacted] test more [redacted]'],
      ['DE89370400440532013000,BE68539007547034', '[redacted],[redacted]'],
      ['{"a":"\\u0044E89370400440532013000"}', '{"a":"[redacted]"}'],
      ['378282246310005 and 3782 822463 10005', '[redacted] and [redacted]'],
    ] as const)
      assert.equal(redact(before), after);
  });

  const kept = [
    '{"upc":"196872110019","ean":"5901234123457","isrc":"GB1230000001"}',
    'ES1212345678 ES1212345679',
    'be89abcd-1234-5678-8def-0123456789ab',
    'rel_01h455vb4pex5vsknk084sn02q',
    'de89370400440532013001',
    '4111111111111112',
    '0.4111111111111111',
    '2026-11-19T22:00:00.000Z 1795132800000',
    'US89370400440532013000',
  ];
  for (const text of kept) test(`keeps ${text}`, () => assert.equal(redact(text), text));
});
