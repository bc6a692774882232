/** A command for every organization: one after the other, because no query crosses them (architecture §2). */

import type { OrgId } from '../../kernel/ids.ts';
import { formatMicros, sumMicros } from '../../kernel/money.ts';
import type { CommandResult } from './command.ts';

export async function runEverywhere(
  organizations: readonly OrgId[],
  run: (orgId: OrgId) => Promise<CommandResult | undefined>,
): Promise<object> {
  const results: CommandResult[] = [];
  for (const orgId of organizations) {
    const result = await run(orgId);
    if (result !== undefined) results.push(result);
  }
  return { organizations: results.map(({ shown }) => shown), ...wrongTotals(results) };
}

/** Nothing for a command that has no such amounts. */
function wrongTotals(results: readonly CommandResult[]): { wrong_totals?: object } {
  if (results.every(({ zeroInTotal }) => zeroInTotal === undefined)) return {};
  const amounts = results.flatMap(({ zeroInTotal = [] }) => zeroInTotal);
  const totals = [...Map.groupBy(amounts, ({ name }) => name)].map(
    ([name, ofName]) => [name, sumMicros(ofName.map(({ amount }) => amount))] as const,
  );
  return {
    wrong_totals: Object.fromEntries(
      totals
        .filter(([, total]) => total !== 0n)
        .map(([name, total]) => [name, formatMicros(total)]),
    ),
  };
}
