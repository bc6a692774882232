/** What a run is calculated from, and how it is divided: fixed when the calculation begins. */

import type { Currency } from '../../kernel/currency.ts';
import type { Id, OrgId } from '../../kernel/ids.ts';
import type { CalculatedPart, FinishedPart, PartTaxes } from './calculated-part.ts';
import type {
  Bucket,
  BucketStatement,
  FeeRule,
  RunRate,
  SourceTax,
  StatementId,
  WithholdingRate,
} from './calculation.ts';
import type { OtherAmount } from './other-amount.ts';
import type { UnpaidReport } from './payable-report.ts';
import type { PartKind, ReportId } from './report.ts';

export type RunId = Id<'run'>;

/** A part of a report, as an input of a run. */
export type RunPart = {
  readonly reportId: ReportId;
  readonly storeId: string;
  readonly kind: PartKind;
  readonly number: number;
  readonly objectKey: string;
  readonly sha256: string;
};

type RunRules = {
  readonly rates: readonly RunRate[];
  readonly feeRules: readonly FeeRule[];
  readonly withholding: readonly WithholdingRate[];
  readonly sourceTaxes: readonly SourceTax[];
};

/** A part of what a statement earns that the store has not paid. */
export type RunHold = {
  readonly statementId: StatementId;
  readonly reportId: ReportId;
  readonly storeId: string;
  readonly grossAmount: string;
};

/** A report that a report of the run replaces, and the runs that have paid it. */
export type Supersession = {
  readonly reportId: ReportId;
  readonly supersededBy: ReportId;
  readonly storeId: string;
  readonly runIds: readonly RunId[];
};

/** Everything that the results depend on, fixed when the calculation begins. */
export type RunPlan = RunRules & {
  readonly parts: readonly RunPart[];
  readonly statements: readonly StatementPlan[];
  readonly others: readonly OtherAmount[];
  readonly holds: readonly RunHold[];
  readonly supersessions: readonly Supersession[];
  readonly unpaid: readonly UnpaidReport[];
  readonly withoutTaxForm: readonly OrgId[];
  /** What blocks the run before anything is calculated. */
  readonly problems: readonly string[];
};

/** What is on the object store instead of a disk: the keys of the files of both passes. */
export type StoredBucket = {
  readonly recordsKey: string;
  readonly parts: readonly CalculatedPart[];
};

export type RunBucket = Bucket & {
  readonly status: 'planned' | 'calculated' | 'finished';
  readonly rowCount: number;
  readonly statements: readonly BucketStatement[];
  readonly calculated: StoredBucket | null;
  readonly taxes: readonly PartTaxes[] | null;
  readonly finished: readonly FinishedPart[] | null;
};

export type StatementPlan = {
  readonly statementId: StatementId;
  readonly orgId: OrgId;
  readonly currency: Currency;
};
