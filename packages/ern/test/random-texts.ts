/** Texts as people write them: many scripts, characters that XML must escape, and titles without end. */

import fc from 'fast-check';

const scripts = [
  'Made Up Seas',
  'Ångström & Söhne <live>',
  '"Quoted" \'n\' > more',
  'Северное сияние',
  '夢のはじまり－風のおくりもの（イントロダクション）',
  '春の小川',
  '봄날의 약속',
  'شروق الشمس',
  'שלום עולם',
  'सूर्योदय की धुन',
  'เพลงของเรา',
  'Ελληνικά τραγούδια',
  '🎵 music 👩‍🎤 𝄞',
  'A\u00A0B  C\u200D',
  ']]> &amp; &#13; <![CDATA[',
];

const words = fc.array(fc.constantFrom(...scripts), { minLength: 1, maxLength: 3 });

const characters = fc
  .array(fc.integer({ min: 0x20, max: 0x10_ff_ff }), { minLength: 1, maxLength: 12 })
  .map((codes) => String.fromCodePoint(...codes))
  // XML cannot carry all characters: those are refused, and a test of the writer shows it.
  .map((value) =>
    value.replaceAll(/[^\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, ''),
  );

const longText = fc
  .tuple(fc.constantFrom(...scripts), fc.integer({ min: 20, max: 60 }))
  .map(([text, times]) => text.repeat(times));

/** Not blank, and without white space around it, which readers take away. */
export const text: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 12, arbitrary: words.map((list) => list.join(' ')) },
    { weight: 2, arbitrary: characters },
    { weight: 1, arbitrary: longText },
  )
  .map((value) => value.trim() || 'Untitled');

const digits = (length: number): fc.Arbitrary<string> =>
  fc
    .integer({ min: 0, max: 10 ** length - 1 })
    .map((number) => String(number).padStart(length, '0'));

/** A UPC or EAN with its check digit. */
export const icpn: fc.Arbitrary<string> = fc
  .oneof(digits(11), digits(12))
  .map((code) => `${code}${checkDigitOf(code)}`);

function checkDigitOf(code: string): number {
  const sum = Array.from(code)
    .toReversed()
    .reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10;
}

/** Of one release: the last digits count its tracks. */
export const isrcPrefix: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('QZFIC', 'GBAYE', 'US1AB'), digits(4))
  .map(([registrant, number]) => `${registrant}${number}`);

export const sha256: fc.Arbitrary<string> = fc
  .bigInt({ min: 0n, max: 2n ** 256n - 1n })
  .map((number) => number.toString(16).padStart(64, '0'));

export const ipi = digits(11);
export const isni = digits(15).map((number) => `${number}${isniCheckOf(number)}`);

/** ISO 7064 MOD 11-2. */
function isniCheckOf(number: string): string {
  const remainder = Array.from(number).reduce((sum, digit) => ((sum + Number(digit)) * 2) % 11, 0);
  const check = (12 - remainder) % 11;
  return check === 10 ? 'X' : String(check);
}

export const day: fc.Arbitrary<string> = fc
  .integer({ min: Date.UTC(1960, 0, 1) / 86_400_000, max: Date.UTC(2027, 11, 31) / 86_400_000 })
  .map(dayOf);

export const dayAfter = (start: string, days: number): string =>
  dayOf(Date.parse(start) / 86_400_000 + days);

function dayOf(number: number): string {
  return new Date(number * 86_400_000).toISOString().slice(0, 10);
}

/** `de-1901` is a tag that ERN cannot write. */
export const foreignLanguages = ['ja', 'ja-Latn', 'zh-Hant', 'pt-BR', 'ar', 'sl-rozaj', 'de-1901'];
export const messageLanguage = fc.constantFrom('en', 'de', 'zh-Hans', 'es-419', 'hy-arevela');
