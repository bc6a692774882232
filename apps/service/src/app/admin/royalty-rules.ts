/** The rules of runs: exchange rates, fees, and what is withheld from payees. */

import { readFile } from 'node:fs/promises';
import { requireOrganization } from '../../identity/commands/provision.ts';
import { isCurrency } from '../../kernel/currency.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { type FxRate, parseFxRate } from '../../kernel/money.ts';
import { Problem } from '../../kernel/problem.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import { useTypes } from '../../kernel/use-type.ts';
import {
  createFxRateSet,
  endFeeRule,
  setFeeRule,
  setWithholdingRule,
} from '../../royalties/commands/set-rules.ts';
import { incomeTypes } from '../../royalties/domain/calculation.ts';
import {
  presentFeeRule,
  presentFxRateSet,
  presentWithholdingRule,
} from '../../royalties/domain/present-rules.ts';
import type { CurrencyPair } from '../../royalties/domain/run-rates.ts';
import { listFeeRules } from '../../royalties/store/fee-rules.ts';
import { findFxRateSet, listFxRateSets } from '../../royalties/store/fx-rate-sets.ts';
import { listWithholdingRules } from '../../royalties/store/withholding-rules.ts';
import {
  type Commands,
  type Flags,
  oneOf,
  orgId,
  required,
  UsageError,
  valueSeparator,
} from './command.ts';
import { basisPointsOf, dateOf, idOf, monthOf, territoryOf } from './money-flags.ts';

/** The rule of an organization is audited in its log. */
const ruleOwner = ({ org }: Flags): OrgId => (org === 'platform' ? systemOrgId : orgId(org));

const validityOf = (flags: Flags) => ({
  basisPoints: basisPointsOf(flags),
  validFrom: monthOf(flags, 'from'),
  validTo: flags['to'] === undefined ? null : monthOf(flags, 'to'),
});

export const royaltyRuleCommands: Commands = {
  'fee-rules set': {
    orgOf: ruleOwner,
    run: async (tx, flags) => {
      if (tx.orgId !== systemOrgId) await requireOrganization(tx);
      const { before, after } = await setFeeRule(tx, {
        orgId: tx.orgId,
        storeId: flags['store'] ?? null,
        useType: flags['use-type'] === undefined ? null : oneOf(flags, 'use-type', useTypes),
        ...validityOf(flags),
      });
      return {
        auditedId: after.id,
        before: before && presentFeeRule(before),
        shown: presentFeeRule(after),
      };
    },
  },
  'fee-rules end': {
    orgOf: ruleOwner,
    run: async (tx, flags) => {
      const { before, after } = await endFeeRule(
        tx,
        idOf(flags, 'rule', 'fee'),
        monthOf(flags, 'to'),
      );
      return {
        auditedId: after.id,
        before: before && presentFeeRule(before),
        shown: presentFeeRule(after),
      };
    },
  },
  'fee-rules list': {
    orgOf: ruleOwner,
    run: async (tx) => {
      const rules = await listFeeRules(tx, [tx.orgId, systemOrgId]);
      return { auditedId: 'fee_rules', shown: { rules: rules.map(presentFeeRule) } };
    },
  },
  'withholding-rules set': {
    orgOf: () => systemOrgId,
    run: async (tx, flags) => {
      const { before, after } = await setWithholdingRule(tx, {
        sourceTerritory: territoryOf(flags, 'source'),
        incomeType: oneOf(flags, 'income', incomeTypes),
        payeeCountry: flags['payee'] === undefined ? null : territoryOf(flags, 'payee'),
        requiresForm:
          flags['form'] !== undefined && oneOf(flags, 'form', ['valid', 'any']) === 'valid',
        ...validityOf(flags),
      });
      return {
        auditedId: after.id,
        before: before && presentWithholdingRule(before),
        shown: presentWithholdingRule(after),
      };
    },
  },
  'withholding-rules list': {
    orgOf: () => systemOrgId,
    run: async (tx) => {
      const rules = await listWithholdingRules(tx);
      return {
        auditedId: 'withholding_rules',
        shown: { rules: rules.map(presentWithholdingRule) },
      };
    },
  },
  'fx-rate-sets create': {
    orgOf: () => systemOrgId,
    run: async (tx, flags) => {
      const set = await createFxRateSet(tx, {
        name: required(flags, 'name'),
        asOf: dateOf(flags, 'as-of'),
        rates: ratesOf(await rateLinesOf(flags)),
      });
      return { auditedId: set.id, shown: presentFxRateSet(set) };
    },
  },
  'fx-rate-sets list': {
    orgOf: () => systemOrgId,
    run: async (tx) => {
      const sets = await listFxRateSets(tx);
      return { auditedId: 'fx_rate_sets', shown: { sets: sets.map(presentFxRateSet) } };
    },
  },
  'fx-rate-sets show': {
    orgOf: () => systemOrgId,
    run: async (tx, flags) => {
      const id = idOf(flags, 'set', 'fxs');
      const set = await findFxRateSet(tx, id);
      if (set === undefined) throw new Problem('resource_not_found', `There is no set ${id}.`);
      return { auditedId: id, shown: presentFxRateSet(set) };
    },
  },
};

/** Each EUR/USD=1.08. A file has lines such as EUR,USD,1.08. */
async function rateLinesOf(flags: Flags): Promise<readonly string[]> {
  if ((flags['file'] === undefined) === (flags['rate'] === undefined)) {
    throw new UsageError('Send --file, or --rate once for each rate.');
  }
  if (flags['rate'] !== undefined) return flags['rate'].split(valueSeparator);
  const text = await readFile(required(flags, 'file'), 'utf8');
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(',', '/').replace(',', '='));
}

function ratesOf(lines: readonly string[]): ReadonlyMap<CurrencyPair, FxRate> {
  const rates = new Map<CurrencyPair, FxRate>();
  for (const line of lines) {
    const [, from = '', to = '', text = ''] = /^([A-Z]{3})\/([A-Z]{3})=(.+)$/.exec(line) ?? [];
    const rate = parseFxRate(text);
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
