/** The syntax and the check digits of identifiers. XSD sees only text in them. */

const identifierShapes: Readonly<
  Record<string, { readonly shape: RegExp; readonly expected: string }>
> = {
  ISRC: {
    shape: /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/,
    expected: 'five letters or digits and seven digits without hyphens, such as QZFIC2500001',
  },
  ICPN: {
    shape: /^(?:\d{8}|\d{12,14})$/,
    expected: 'a UPC of 12 digits or an EAN of 13 (or 8, or a GTIN of 14)',
  },
  GRid: {
    shape: /^A1[0-9A-Z]{16}$/,
    expected: 'A1 and 16 letters or digits without hyphens',
  },
  ISWC: { shape: /^T\d{10}$/, expected: 'T and ten digits without dots or hyphens' },
  ISNI: { shape: /^\d{15}[\dX]$/, expected: '16 digits without spaces, the last may be X' },
};

/** The elements that hold identifiers. */
export const identifierNames: ReadonlySet<string> = new Set(Object.keys(identifierShapes));

/** What the identifier must look like, if it does not. */
export function syntaxIssueOf(name: string, value: string): string | undefined {
  const rule = identifierShapes[name];
  return rule === undefined || rule.shape.test(value) ? undefined : rule.expected;
}

/** The check digit that the others ask for, if it is another one. Only for values of the right syntax. */
export function checkDigitIssueOf(name: string, value: string): string | undefined {
  const expected = name === 'ICPN' ? gs1CheckDigitOf(value) : checkDigitOfIsni(name, value);
  return expected === undefined || expected === value.at(-1) ? undefined : expected;
}

/** All but the check digit. */
const digitsOf = (value: string): number[] => value.slice(0, -1).split('').map(Number);

/** GS1: from the right, digits count three times and once in turn. */
function gs1CheckDigitOf(value: string): string {
  const digits = digitsOf(value).toReversed();
  const sum = digits.reduce((total, digit, i) => total + digit * (i % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}

/** ISO 7064 MOD 11-2. */
function checkDigitOfIsni(name: string, value: string): string | undefined {
  if (name !== 'ISNI') {
    return undefined;
  }
  const rest = digitsOf(value).reduce((total, digit) => (total + digit) * 2, 0) % 11;
  const digit = (12 - rest) % 11;
  return digit === 10 ? 'X' : String(digit);
}
