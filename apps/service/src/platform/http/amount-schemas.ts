/** Amounts and currencies on the wire (contract §1). */

import { Type } from 'typebox';
import type { Currency } from '../../kernel/currency.ts';

/** Of royalties and balances: always six decimals. */
export const Amount = (description: string, example = '128.450000') =>
  Type.String({ description, pattern: '^-?\\d{1,22}\\.\\d{6}$', examples: [example] });

export const CurrencyCode = (description: string) =>
  Type.Unsafe<Currency>({ type: 'string', format: 'currency', description, examples: ['EUR'] });
