/**
 * What a run of `prove money` must take back: what the oracle gives for an earlier run, less what it gives without the
 * reports that others replaced since.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toUuid } from '../../src/kernel/ids.ts';
import { type OracleFigures, runPython } from '../royalty-run.ts';
import type { BookedReport, ClosedRun, OracleInputs } from './money-book.ts';
import type { MoneyOffice } from './money-operator.ts';

/** Of a statement that was paid before. */
export type Correction = {
  readonly org: string;
  readonly paidStatement: string;
  /** Gross with fines, fee, tax at source, tax of the payee: negatives of what was paid, in micros. */
  readonly amounts: readonly bigint[];
};

export const netOf = ({ amounts }: Pick<Correction, 'amounts'>): bigint => {
  const [gross = 0n, ...deductions] = amounts;
  return deductions.reduce((net, amount) => net - amount, gross);
};

export const toMicros = (amount: string): bigint => BigInt(amount.replace('.', ''));

export async function expectCorrections(
  { book }: MoneyOffice,
  folder: string,
): Promise<readonly Correction[]> {
  const corrections: Correction[] = [];
  for (const [number, run] of book.closedRuns.entries()) {
    const replaced = run.reports.filter(({ isSuperseded }) => isSuperseded);
    const reversed = replaced.filter(({ isReversed }) => isReversed);
    if (replaced.length === reversed.length) continue;
    const prefix = join(folder, `run-${number}`);
    const paid = await payWithout(run, reversed, `${prefix}-paid`);
    const left = await payWithout(run, replaced, `${prefix}-left`);
    for (const [paidStatement, { org, amounts }] of paid) {
      const after = left.get(paidStatement)?.amounts ?? [];
      const taken = amounts.map((amount, i) => (after[i] ?? 0n) - amount);
      if (taken.some((amount) => amount !== 0n))
        corrections.push({ org, paidStatement, amounts: taken });
    }
  }
  return corrections;
}

/** By statement. */
async function payWithout(
  { inputs }: ClosedRun,
  left: readonly BookedReport[],
  prefix: string,
): Promise<ReadonlyMap<string, Pick<Correction, 'org' | 'amounts'>>> {
  const reports = new Set(left.map(({ id }) => toUuid(id)));
  const without = await removeReports(inputs, reports, prefix);
  const nothing = '/dev/null'; // There are no files of such a run to compare with.
  const paths = [without.plan, without.matched, nothing, nothing];
  const { statements } = (await runPython('royalty-oracle.py', paths)) as OracleFigures;
  const plan = await readPlan(inputs);
  return new Map(
    plan.statements.map(({ id, org }) => {
      const { amounts = [], adjustments = [] } = statements[id] ?? {};
      const fines = adjustments.reduce((sum, [, gross = '0']) => sum + toMicros(gross), 0n);
      const [gross = 0n, ...deductions] = amounts.slice(0, -1).map(toMicros);
      return [id, { org, amounts: [gross + fines, ...deductions] }];
    }),
  );
}

type Plan = {
  readonly statements: readonly { readonly id: string; readonly org: string }[];
  readonly adjustments: readonly { readonly report: string }[];
};

const readPlan = async ({ plan }: OracleInputs): Promise<Plan> =>
  JSON.parse(await readFile(plan, 'utf8'));

/** The place of the report in a matched row. */
const reportCell = 17;

async function removeReports(
  inputs: OracleInputs,
  reports: ReadonlySet<string>,
  prefix: string,
): Promise<OracleInputs> {
  const plan = await readPlan(inputs);
  const adjustments = plan.adjustments.filter(({ report }) => !reports.has(report));
  const rows = (await readFile(inputs.matched, 'utf8')).split('\n').filter((row) => row !== '');
  const kept = rows.filter((row) => !reports.has(row.split('\t')[reportCell] ?? ''));
  const without = { plan: `${prefix}.json`, matched: `${prefix}.tsv` };
  await writeFile(without.plan, JSON.stringify({ ...plan, adjustments }));
  await writeFile(without.matched, kept.map((row) => `${row}\n`).join(''));
  return without;
}
