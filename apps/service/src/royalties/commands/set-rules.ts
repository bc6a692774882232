/** The rules of runs, which operators set. A rule about the same that begins in the same month is replaced. */

import type { Month } from '../../kernel/month.ts';
import { enforce, invalidField, Problem } from '../../kernel/problem.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import { findStore } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { FeeRuleId, StoredFeeRule } from '../domain/fee-rules.ts';
import type { FxRateSet } from '../domain/run-rates.ts';
import type { WithholdingRule } from '../domain/withholding.ts';
import { insertFeeRule, lockFeeRule, lockFeeRuleLike, updateFeeRule } from '../store/fee-rules.ts';
import { insertFxRateSet, isFxRateSetName } from '../store/fx-rate-sets.ts';
import {
  insertWithholdingRule,
  lockWithholdingRuleLike,
  updateWithholdingRule,
} from '../store/withholding-rules.ts';

type Changed<Rule> = { readonly before: Rule | undefined; readonly after: Rule };

export async function setFeeRule(
  tx: Tx,
  content: Omit<StoredFeeRule, 'id'>,
): Promise<Changed<StoredFeeRule>> {
  const rule = { ...content, id: tx.newId('fee') };
  enforce(refuseMonths(rule));
  if (rule.orgId === systemOrgId && (rule.storeId !== null || rule.useType !== null)) {
    enforce(invalidField('store_id', 'must not be sent for a rule of the platform, nor use_type'));
  }
  if (rule.storeId !== null && (await findStore(tx, rule.storeId)) === undefined) {
    throw new Problem('resource_not_found', `No store has the store_id ${rule.storeId}.`);
  }
  const before = await lockFeeRuleLike(tx, rule);
  const after = { ...rule, id: before?.id ?? rule.id };
  if (before === undefined) insertFeeRule(tx, after);
  else updateFeeRule(tx, after);
  return { before, after };
}

/** The last usage month of a rule. It may be before today: reports of earlier months may still come. */
export async function endFeeRule(
  tx: Tx,
  id: FeeRuleId,
  validTo: Month,
): Promise<Changed<StoredFeeRule>> {
  const before = await lockFeeRule(tx, id);
  if (before?.orgId !== tx.orgId) {
    throw new Problem('resource_not_found', `There is no fee rule ${id} of ${tx.orgId}.`);
  }
  const after = { ...before, validTo };
  enforce(refuseMonths(after));
  updateFeeRule(tx, after);
  return { before, after };
}

export async function setWithholdingRule(
  tx: Tx,
  content: Omit<WithholdingRule, 'id'>,
): Promise<Changed<WithholdingRule>> {
  const rule = { ...content, id: tx.newId('whr') };
  enforce(refuseMonths(rule));
  const before = await lockWithholdingRuleLike(tx, rule);
  const after = { ...rule, id: before?.id ?? rule.id };
  if (before === undefined) insertWithholdingRule(tx, after);
  else updateWithholdingRule(tx, after);
  return { before, after };
}

type Validity = { readonly validFrom: Month; readonly validTo: Month | null };

const refuseMonths = ({ validFrom, validTo }: Validity) =>
  validTo !== null && validTo < validFrom
    ? invalidField('valid_to', `must not be before the first month, ${validFrom}`)
    : undefined;

/** A set is never changed: a run that is calculated again must find the same rates. */
export async function createFxRateSet(
  tx: Tx,
  content: Omit<FxRateSet, 'id' | 'createdAt'>,
): Promise<FxRateSet> {
  if (await isFxRateSetName(tx, content.name)) {
    throw new Problem('invalid_state', `There is a set with the name ${content.name}.`);
  }
  const set = { ...content, id: tx.newId('fxs'), createdAt: tx.realNow };
  insertFxRateSet(tx, set);
  return set;
}
