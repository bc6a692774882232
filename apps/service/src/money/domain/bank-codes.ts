/** The formats of bank codes, with the checks that each carries. The texts are without spaces and hyphens. */

/** ISO 13616: the length of an IBAN by its country. */
const ibanLengths: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
    'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

export const hasIbans = (country: string): boolean => Object.hasOwn(ibanLengths, country);

const ibanModulus = 97n;

/** The length of its country, and ISO 7064 MOD 97-10 over the number with letters as 10 to 35. */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(text) || text.length !== ibanLengths[text.slice(0, 2)])
    return false;
  const rotated = `${text.slice(4)}${text.slice(0, 4)}`;
  const digits = Array.from(rotated, (character) => Number.parseInt(character, 36)).join('');
  return BigInt(digits) % ibanModulus === 1n;
}

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
