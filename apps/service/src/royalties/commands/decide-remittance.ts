import { enforce, Problem } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { refuseDecision } from '../domain/refuse-remittance.ts';
import type {
  RemittanceDecision,
  RemittanceId,
  RemittanceWithReports,
} from '../domain/remittance.ts';
import { lockRemittance, lockReports, updateRemittance } from '../store/remittances.ts';

export const remittanceNotFound = (id: RemittanceId): Problem =>
  new Problem('resource_not_found', `There is no remittance ${id}.`);

/** Locks the reports, so that a run which takes one of them comes before or after. */
export async function decideRemittance(
  tx: Tx,
  id: RemittanceId,
  decision: RemittanceDecision,
): Promise<{ readonly before: RemittanceWithReports; readonly after: RemittanceWithReports }> {
  const before = await lockRemittance(tx, id);
  if (before === undefined) throw remittanceNotFound(id);
  const reports = await lockReports(tx, before.reportIds, before.currency);
  const isInRun = reports.some((report) => report.isInRun);
  enforce(refuseDecision(before, decision, isInRun));
  const after = { ...before, decision };
  updateRemittance(tx, after);
  return { before, after };
}
