import type { ReportRejection } from './report.ts';

/** The content of the files is wrong: another attempt would fail in the same way. */
export class ReportRejected extends Error {
  override readonly name = 'ReportRejected';
  readonly rejection: ReportRejection;
  constructor(rejection: ReportRejection) {
    super(rejection.message);
    this.rejection = rejection;
  }
}
