/**
 * The totals at the end of a table: a line with the number of rows, then a line for each currency.
 *
 *   Total_Rows  1204
 *   Total       EUR   1190   310.42
 */

import { type Currency, isCurrency } from '../../kernel/currency.ts';
import { rejection, type RowGroup, type ScannedFile } from './report-layout.ts';
import { formatSourceAmount, isDeclaredAs, parseSourceAmount } from './source-amount.ts';

export type DeclaredTotals = {
  readonly file: string;
  readonly line: number;
  readonly rows: number;
  readonly texts: ReadonlyMap<Currency, string>;
  readonly amounts: ReadonlyMap<Currency, bigint>;
};

const currencyColumn = 4;

export const declaredTotalsOf =
  (prefix: string) =>
  ({ name, others }: ScannedFile): DeclaredTotals => {
    const start = others.findIndex(({ text }) => text.startsWith(prefix));
    const first = others[start];
    if (first === undefined) {
      throw rejection(
        'wrong_footer',
        `The line ${prefix} is missing: the file is incomplete. Send the complete file again.`,
        name,
        others.at(-1)?.line ?? null,
      );
    }
    const texts = new Map<Currency, string>();
    for (const { line, text } of others.slice(start + 1)) {
      const [, currency = '', , amount = ''] = text.split('\t');
      if (!isCurrency(currency) || parseSourceAmount(amount) === undefined || texts.has(currency)) {
        throw rejection(
          'wrong_footer',
          'The line is no total of a currency: it must have the word Total, a currency, a quantity and an amount. Ask the store for a corrected file.',
          name,
          line,
        );
      }
      texts.set(currency, amount);
    }
    const amounts = new Map(
      [...texts].map(([currency, text]) => [currency, parseSourceAmount(text) ?? 0n]),
    );
    return {
      file: name,
      line: first.line,
      rows: Number(first.text.split('\t')[1]),
      texts,
      amounts,
    };
  };

export function checkDeclaredTotals(
  declared: readonly DeclaredTotals[],
  groups: readonly RowGroup[],
  amountColumn: string,
): void {
  for (const totals of declared) {
    const own = groups.filter(({ file }) => file === totals.file);
    const rows = own.reduce((sum, group) => sum + group.rows, 0);
    if (rows !== totals.rows) {
      throw rejection(
        'wrong_footer',
        `The totals declare ${totals.rows} rows, but the file has ${rows}. Send the complete file again.`,
        totals.file,
        totals.line,
      );
    }
    checkAmounts(totals, own, amountColumn);
  }
}

function checkAmounts(
  { file, line, texts }: DeclaredTotals,
  groups: readonly RowGroup[],
  amountColumn: string,
): void {
  const sums = new Map<string, bigint>([...texts.keys()].map((currency) => [currency, 0n]));
  for (const { values, amount } of groups) {
    const currency = values[currencyColumn] ?? '';
    sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  }
  for (const [currency, sum] of sums) {
    const text = isCurrency(currency) ? texts.get(currency) : undefined;
    if (text !== undefined && isDeclaredAs(sum, text)) continue;
    throw rejection(
      'wrong_total',
      `The rows in ${currency} add up to ${formatSourceAmount(sum)}, but their total is declared as ${text ?? 'nothing'}. Check the column ${amountColumn}, and ask the store for a corrected report.`,
      file,
      line,
    );
  }
}
