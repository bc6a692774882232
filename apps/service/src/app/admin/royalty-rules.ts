/** The rules of runs: fees, and what is withheld from payees. */

import { requireOrganization } from '../../identity/commands/provision.ts';
import { type OrgId, parseId } from '../../kernel/ids.ts';
import type { Month } from '../../kernel/month.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import { useTypes } from '../../kernel/use-type.ts';
import { endFeeRule, setFeeRule, setWithholdingRule } from '../../royalties/commands/set-rules.ts';
import { incomeTypes } from '../../royalties/domain/calculation.ts';
import { presentFeeRule, presentWithholdingRule } from '../../royalties/domain/present-rules.ts';
import { listFeeRules } from '../../royalties/store/fee-rules.ts';
import { listWithholdingRules } from '../../royalties/store/withholding-rules.ts';
import { command, type Commands, ofOrganization, ofPlatform, onlyReads } from './command.ts';
import { choice, id, integer, month, storeId, territory } from './flag-types.ts';
import { type FlagType, optional, required } from './flag.ts';

const ruleOwner: FlagType<OrgId> = {
  placeholder: 'org_…|platform',
  is: 'the id of an organization (org_… id), or platform',
  parse: (given) => (given === 'platform' ? systemOrgId : parseId('org', given)),
};

/** The rule of an organization is audited in its log. */
const org = required(ruleOwner);

const basisPointsMax = 10_000;

const validity = {
  'basis-points': required(integer('BASIS_POINTS', basisPointsMax), '1500 is 15 %'),
  from: required(month),
  to: optional(month),
};

type Validity = {
  readonly 'basis-points': number;
  readonly from: Month;
  readonly to: Month | undefined;
};

const validityOf = ({ 'basis-points': basisPoints, from, to }: Validity) => ({
  basisPoints,
  validFrom: from,
  validTo: to ?? null,
});

export const royaltyRuleCommands: Commands = {
  'fee-rules set': command({
    summary: 'set the fee by usage month, in place of the rule that begins in the same month',
    flags: {
      org,
      store: optional(storeId),
      'use-type': optional(choice(useTypes, 'USE_TYPE')),
      ...validity,
    },
    orgOf: ofOrganization,
    run: async (tx, flags) => {
      if (tx.orgId !== systemOrgId) await requireOrganization(tx);
      const { before, after } = await setFeeRule(tx, {
        orgId: tx.orgId,
        storeId: flags.store ?? null,
        useType: flags['use-type'] ?? null,
        ...validityOf(flags),
      });
      return {
        auditedId: after.id,
        before: before && presentFeeRule(before),
        shown: presentFeeRule(after),
      };
    },
  }),
  'fee-rules end': command({
    summary: 'set the last month of a rule',
    flags: { org, rule: required(id('fee')), to: required(month) },
    orgOf: ofOrganization,
    run: async (tx, { rule, to }) => {
      const { before, after } = await endFeeRule(tx, rule, to);
      return {
        auditedId: after.id,
        before: before && presentFeeRule(before),
        shown: presentFeeRule(after),
      };
    },
  }),
  'fee-rules list': command({
    summary: 'list the rules of an organization and of the platform',
    flags: { org },
    noDryRun: onlyReads,
    orgOf: ofOrganization,
    run: async (tx) => {
      const rules = await listFeeRules(tx, [tx.orgId, systemOrgId]);
      return { auditedId: 'fee_rules', shown: { rules: rules.map(presentFeeRule) } };
    },
  }),
  'withholding-rules set': command({
    summary: 'set what is withheld from payees, by statement month',
    flags: {
      source: required(territory),
      income: required(choice(incomeTypes)),
      payee: optional(territory),
      form: optional(choice(['valid', 'any']), 'valid: only payees with a valid tax form'),
      ...validity,
    },
    orgOf: ofPlatform,
    run: async (tx, flags) => {
      const { before, after } = await setWithholdingRule(tx, {
        sourceTerritory: flags.source,
        incomeType: flags.income,
        payeeCountry: flags.payee ?? null,
        requiresForm: flags.form === 'valid',
        ...validityOf(flags),
      });
      return {
        auditedId: after.id,
        before: before && presentWithholdingRule(before),
        shown: presentWithholdingRule(after),
      };
    },
  }),
  'withholding-rules list': command({
    summary: 'list all rules',
    flags: {},
    noDryRun: onlyReads,
    orgOf: ofPlatform,
    run: async (tx) => {
      const rules = await listWithholdingRules(tx);
      return {
        auditedId: 'withholding_rules',
        shown: { rules: rules.map(presentWithholdingRule) },
      };
    },
  }),
};
