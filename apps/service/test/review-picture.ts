/** What `runs review` shows of the month that the manual tells, as its terminal shows it. */

import type { OrgId } from '../src/kernel/ids.ts';
import { toMicros } from '../src/kernel/money.ts';
import type { ReportId } from '../src/royalties/domain/report.ts';
import { reviewLines, reviewRun } from '../src/royalties/domain/run-review.ts';
import type { RunStatement } from '../src/royalties/domain/run-statement.ts';

const report: ReportId = 'rpt_01m7n5ahwge0japcr2agp9pqr5';
const unpaid: ReportId = 'rpt_01m7n5b2q4e1z8m0c3w7k5t9xd';
const [one, two]: readonly OrgId[] = [
  'org_01m7n5ah0neq3s3d8bxzcb0xqt',
  'org_01m7n5ah31ec38a1spm7xg2sz9',
];

const euros = (amount: number) => toMicros(BigInt(amount * 1_000) * 1_000n);

const statementOf = (orgId: OrgId, gross: number, held: string): RunStatement => ({
  statementId: 'stm_01m7hsbbm0eg2a5rqnjxe2sn95',
  partnerOrgId: orgId,
  currency: 'EUR',
  grossAmount: euros(gross),
  feeAmount: euros(gross * 0.15),
  sourceTaxAmount: euros(0),
  payeeTaxAmount: euros(0),
  netAmount: euros(gross * 0.85),
  lineItemCount: 1,
  artifacts: [],
  adjustments: [],
  holds: [{ reportId: report, storeId: 'aurora', amount: held }],
  isAnnounced: false,
  isClosed: false,
});

/** The amounts are those of `royalties-short-payments.test.ts`, a month later. */
export function drawReview(): string {
  const currency = 'EUR';
  const review = reviewRun({
    problems: [],
    corrections: [],
    stores: [
      { storeId: 'aurora', currency, grossAmount: '150.000000', lastGrossAmount: '120.000000' },
    ],
    suspense: [{ reportId: report, storeId: 'aurora', currency, amount: '10.0000000000' }],
    receivables: [{ reportId: unpaid, storeId: 'meridian', currency, amount: '75.2500000000' }],
    withoutTaxForm: [two!],
    statements: [statementOf(one!, 100, '21.250000'), statementOf(two!, 50, '10.625000')],
    last: [
      { orgId: one!, currency, netAmount: euros(60) },
      { orgId: two!, currency, netAmount: euros(42) },
    ],
  });
  const command = "$ npm run --silent admin -- runs review --run run_… | jq -r '.text[]'";
  return ['```text', command, ...reviewLines(review), '```'].join('\n');
}
