import { addMs, dayMs } from '../../../kernel/duration.ts';
import type { StoreReadiness } from './finding.ts';
import { latestSafeDay } from './lead-time.ts';
import type { PreflightInput } from './preflight-input.ts';
import { rules } from './rules.ts';
import type { IdentifiedFinding } from './run-rules.ts';

/** The whole of the last safe day is safe, as in the rule `lead_time`. */
const endOf = (day: Date): Date => addMs(day, dayMs - 1);

/** Counts all findings, also those that the report leaves out. */
export const readinessOf = (
  input: PreflightInput,
  found: readonly IdentifiedFinding[],
): StoreReadiness[] =>
  input.stores.map(({ storeId, leadTimeBusinessDays }) => {
    const concerning = found.filter(
      ({ raw }) => raw.stores === undefined || raw.stores.includes(storeId),
    );
    const errors = concerning.filter(({ rule }) => rules[rule].severity === 'error').length;
    return {
      storeId,
      errors,
      warnings: concerning.length - errors,
      latestSafeSubmitAt: endOf(latestSafeDay(input.release, leadTimeBusinessDays)),
    };
  });
