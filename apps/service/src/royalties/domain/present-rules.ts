/** Remittances and rules as operators see them. */

import { formatFxRate, formatMicros, realizedRate } from '../../kernel/money.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import type { StoredFeeRule } from './fee-rules.ts';
import { realizedPayment, type RemittanceWithReports } from './remittance.ts';
import type { FxRateSet } from './run-rates.ts';
import type { WithholdingRule } from './withholding.ts';

/** Of this payment alone. */
function rateOf(remittance: RemittanceWithReports): string | null {
  const payment = realizedPayment([remittance]);
  const rate = payment && realizedRate(payment.settled, payment.paid);
  return rate ? formatFxRate(rate) : null;
}

export const presentRemittance = (remittance: RemittanceWithReports) => ({
  id: remittance.id,
  completes: remittance.completes,
  store_id: remittance.storeId,
  reference: remittance.reference,
  currency: remittance.currency,
  amount: formatMicros(remittance.amount),
  source_tax: formatMicros(remittance.sourceTax),
  settled_currency: remittance.settledCurrency,
  settled_amount: formatMicros(remittance.settledAmount),
  realized_rate: rateOf(remittance),
  bank_fee: formatMicros(remittance.bankFee),
  value_date: remittance.valueDate,
  report_ids: remittance.reportIds,
  due_amount: remittance.dueAmount,
  status: remittance.status,
  decision: remittance.decision,
  created_at: remittance.createdAt.toISOString(),
});

export const presentFxRateSet = ({ id, name, asOf, rates, createdAt }: FxRateSet) => ({
  id,
  name,
  as_of: asOf,
  rates: Object.fromEntries([...rates].map(([pair, rate]) => [pair, formatFxRate(rate)])),
  created_at: createdAt.toISOString(),
});

/** `org_id` is null for a rule of the platform. */
export const presentFeeRule = (rule: StoredFeeRule) => ({
  id: rule.id,
  org_id: rule.orgId === systemOrgId ? null : rule.orgId,
  store_id: rule.storeId,
  use_type: rule.useType,
  basis_points: rule.basisPoints,
  valid_from: rule.validFrom,
  valid_to: rule.validTo,
});

export const presentWithholdingRule = (rule: WithholdingRule) => ({
  id: rule.id,
  source_territory: rule.sourceTerritory,
  income_type: rule.incomeType,
  payee_country: rule.payeeCountry,
  requires_form: rule.requiresForm,
  basis_points: rule.basisPoints,
  valid_from: rule.validFrom,
  valid_to: rule.validTo,
});
