/** The findings of preflight: errors first, each with where it is and which stores ask for it. */

import type { PreflightReport } from '@tonearm/sdk';
import type { Context } from '../context.ts';
import { safeText } from '../output/safe-text.ts';
import { paintStatus, statusText } from '../output/status.ts';
import { wrap } from '../output/text-width.ts';

type Finding = PreflightReport['findings'][number];

const bySeverity = (a: Finding, b: Finding): number =>
  Number(b.severity === 'error') - Number(a.severity === 'error');

function printFinding({ output }: Context, finding: Finding): void {
  const { severity, pointer, message, applies_to: stores, patch } = finding;
  const where = stores === 'all' ? 'all stores' : stores.join(', ');
  const heading = `${statusText(severity)}  ${safeText(pointer)}  (${safeText(where)})`;
  const [first = '', ...others] = wrap(heading, output.columns);
  output.line(paintStatus(output.palette, severity, first));
  for (const line of others) output.line(`  ${line}`);
  const text = patch === null ? message : `${message} A fix is offered.`;
  for (const line of wrap(safeText(text), output.columns - 2)) output.line(`  ${line}`);
}

export function printFindings(context: Context, report: PreflightReport): void {
  const { output } = context;
  const { findings, release_id: id } = report;
  output.result(report, () => {
    for (const finding of findings.toSorted(bySeverity)) printFinding(context, finding);
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    const fixable = findings.filter(({ patch }) => patch !== null).length;
    output.line(
      findings.length === 0
        ? `${statusText('ok')}: no store would refuse ${id}.`
        : `${errors} errors, ${findings.length - errors} warnings.`,
    );
    output.next(
      ...(fixable > 0 ? [`tonearm releases validate ${id} --fix`] : []),
      ...(errors === 0 ? [`tonearm releases submit ${id}`] : []),
    );
  });
}
