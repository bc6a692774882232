/**
 * Territories: ISO 3166-1 alpha-2 codes, and one word for all of them. Releases and tracks show `WORLD`, deliveries
 * `WORLDWIDE`; both words are accepted in both places (contract §2).
 */
import { didYouMean } from './near-name.ts';

export type TerritoryCode = string;

export const world = 'WORLD';
export const worldwide = 'WORLDWIDE';
const wordsForWorld: ReadonlySet<string> = new Set([world, worldwide]);

/** All of ISO 3166-1 alpha-2. Sets are stored by position (territory-set.ts): a new code goes to the end. */
export const territoryCodes: readonly TerritoryCode[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS ' +
  'BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE ' +
  'EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM ' +
  'HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC ' +
  'LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA ' +
  'NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
  'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO ' +
  'TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
).split(' ');

const isoCodes: ReadonlySet<string> = new Set(territoryCodes);

export const isTerritoryCode = (code: string): boolean => isoCodes.has(code);
/** Codes in use that are not those of ISO 3166-1. */
const otherCodes: Readonly<Record<string, TerritoryCode>> = { UK: 'GB', EL: 'GR' };

/** The question that a refusal of an unknown code ends with; empty if no code is near. */
export function nearTerritory(code: string): string {
  const upper = code.toUpperCase();
  const other = isTerritoryCode(upper) ? upper : otherCodes[upper];
  return other === undefined ? didYouMean(code, wordsForWorld) : `. Did you mean \`${other}\`?`;
}

export const meansWorld = (code: string): boolean => wordsForWorld.has(code);

/** Both words for the world are accepted; releases and tracks show `WORLD` (contract §2). */
export const documentedTerritories = (codes: readonly string[]): readonly TerritoryCode[] =>
  codes.some(meansWorld) ? [world] : codes;

/** A longer list would contain a code twice. */
export const territoryListMax = isoCodes.size;

/** English names of the Unicode CLDR, which Node contains. */
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

export const territoryName = (code: TerritoryCode): string => names.of(code) ?? code;
