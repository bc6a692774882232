/**
 * ISWC (ISO 15707): T, nine digits and a check digit. It names a musical work. Stored without separators; shown to
 * partners as `T-034.524.680-1`.
 */
export type Iswc = string;

/** All separators, hyphens alone, or none. */
const spellings = [/^T-\d{3}\.\d{3}\.\d{3}-\d$/, /^T-\d{9}-\d$/, /^T\d{10}$/];

/** Undefined for anything that is not an ISWC with its check digit. */
export function parseIswc(text: string): Iswc | undefined {
  if (!spellings.some((spelling) => spelling.test(text))) return undefined;
  const digits = text.replaceAll(/\D/g, '');
  return checkDigit(digits.slice(0, -1)) === Number(digits.slice(-1)) ? `T${digits}` : undefined;
}

export const showIswc = (iswc: Iswc): string =>
  iswc.replace(/^T(\d{3})(\d{3})(\d{3})(\d)$/, 'T-$1.$2.$3-$4');

/** ISO 15707: 1, and each digit times its position, to the next multiple of ten. */
function checkDigit(body: string): number {
  const sum = Array.from(body, Number).reduce((total, digit, i) => total + digit * (i + 1), 1);
  return (10 - (sum % 10)) % 10;
}
