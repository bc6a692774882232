/** The exchange rates of runs. */

import { readFile } from 'node:fs/promises';
import { isCurrency } from '../../kernel/currency.ts';
import { type FxRate, parseFxRate } from '../../kernel/money.ts';
import { Problem } from '../../kernel/problem.ts';
import { createFxRateSet } from '../../royalties/commands/set-rules.ts';
import { presentFxRateSet } from '../../royalties/domain/present-rules.ts';
import type { CurrencyPair } from '../../royalties/domain/run-rates.ts';
import { findFxRateSet, listFxRateSets } from '../../royalties/store/fx-rate-sets.ts';
import { command, type Commands, ofPlatform, onlyReads } from './command.ts';
import { date, file, id, text } from './flag-types.ts';
import { optional, repeated, required, UsageError } from './flag.ts';

const pairRate = text('EUR/USD=1.08');

export const fxRateSetCommands: Commands = {
  'fx-rate-sets create': command({
    summary: 'store the exchange rates of a run',
    flags: {
      name: required(text('NAME')),
      'as-of': required(date),
      file: optional(file('FILE.csv'), 'with lines such as EUR,USD,1.08'),
      rate: repeated(pairRate),
    },
    exactlyOne: ['file', 'rate'],
    orgOf: ofPlatform,
    run: async (tx, { name, 'as-of': asOf, file: path, rate }) => {
      const rates = ratesOf(path === undefined ? rate : await linesOf(path));
      const set = await createFxRateSet(tx, { name, asOf, rates });
      return { auditedId: set.id, shown: presentFxRateSet(set) };
    },
  }),
  'fx-rate-sets list': command({
    summary: 'list the newest 100',
    flags: {},
    noDryRun: onlyReads,
    orgOf: ofPlatform,
    run: async (tx) => {
      const sets = await listFxRateSets(tx);
      return { auditedId: 'fx_rate_sets', shown: { sets: sets.map(presentFxRateSet) } };
    },
  }),
  'fx-rate-sets show': command({
    summary: 'show the rates of a set',
    flags: { set: required(id('fxs')) },
    noDryRun: onlyReads,
    orgOf: ofPlatform,
    run: async (tx, { set: setId }) => {
      const set = await findFxRateSet(tx, setId);
      if (set === undefined) throw new Problem('resource_not_found', `There is no set ${setId}.`);
      return { auditedId: setId, shown: presentFxRateSet(set) };
    },
  }),
};

/** As the flag has them, EUR/USD=1.08, from lines such as EUR,USD,1.08. */
async function linesOf(path: string): Promise<readonly string[]> {
  const content = await readFile(path, 'utf8');
  return content
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(',', '/').replace(',', '='));
}

function ratesOf(lines: readonly string[]): ReadonlyMap<CurrencyPair, FxRate> {
  const rates = new Map<CurrencyPair, FxRate>();
  for (const line of lines) {
    const [, from = '', to = '', decimal = ''] = /^([A-Z]{3})\/([A-Z]{3})=(.+)$/.exec(line) ?? [];
    const rate = parseFxRate(decimal);
    if (!isCurrency(from) || !isCurrency(to) || from === to || rate === undefined) {
      throw new UsageError(`A rate must be two currencies and a decimal above zero: ${line}`);
    }
    const pair: CurrencyPair = `${from}/${to}`;
    if (rates.has(pair)) throw new UsageError(`The rate of ${pair} must be sent once.`);
    rates.set(pair, rate);
  }
  if (rates.size === 0) throw new UsageError('A set must have at least one rate.');
  return rates;
}
