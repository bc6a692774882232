/** Reads the line items of paid statements, to find what a superseded report has paid. */

import { availableParallelism } from 'node:os';
import { hourMs } from '../../kernel/duration.ts';
import {
  type CalculatedReversal,
  paidFor,
  type PaidStatement,
  reversalsOf,
} from '../domain/reversal.ts';
import { reverseLines } from './reverse-lines.ts';
import { fetchCached, type RunFileDeps, withFolder } from './run-files.ts';

const timeoutMs = hourMs;
const limits = { threads: Math.min(2, availableParallelism()), memoryMb: 2_048 };

export const calculateReversals = (
  deps: RunFileDeps,
  statements: readonly PaidStatement[],
  signal: AbortSignal,
): Promise<readonly CalculatedReversal[]> =>
  withFolder(deps, async (folder) => {
    const inputs = [];
    for (const { items, feeRules, reversedBefore, reversals } of statements) {
      const paths = [];
      for (const file of items) paths.push(await fetchCached(deps, file, signal));
      const reports = reversals.map(({ reportId }) => reportId);
      inputs.push({ paths, feeRules, reversedBefore, reports });
    }
    const totals = await reverseLines(
      { statements: inputs, folder, ...limits },
      { signal, timeoutMs },
    );
    return statements.flatMap(({ statementId, withholding, reversals, expected }, i) => {
      const paid = (totals[i] ?? []).map((each) => paidFor(each, withholding));
      return reversalsOf(statementId, reversals, paid, expected);
    });
  });
