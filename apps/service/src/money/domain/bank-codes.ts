/** The formats of bank codes, with the checks that each carries. IBANs: `kernel/iban.ts`. The texts are without spaces and hyphens. */

const routingWeights = [3, 7, 1];

/** The routing number of the American Bankers Association: nine digits whose weighted sum is a multiple of ten. */
export function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false;
  const sum = Array.from(text).reduce(
    (total, digit, i) => total + Number(digit) * (routingWeights[i % routingWeights.length] ?? 0),
    0,
  );
  return sum > 0 && sum % 10 === 0;
}

export const isSortCode = (text: string): boolean => /^\d{6}$/.test(text);

/** ISO 9362: a bank, its country, a place and perhaps a branch. */
export const isBicOf = (country: string, text: string): boolean =>
  /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(text) && text.slice(4, 6) === country;
