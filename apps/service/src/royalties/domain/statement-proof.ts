/**
 * The proof of a published statement: the digests and sums of its files, the entries of the ledger that it counts, and
 * what it was calculated from. A partner adds it up again without us (`examples/verify-statement.ts`):
 *
 *   Σ earnings of the line items = gross_amount, Σ of the royalty records = each amount, from files with these digests
 *   opening balance + Σ entries of each account = its closing balance, entry by entry
 *   Σ entries by the amount in which they are counted = net_amount, adjustment_amount and −payout_amount
 */

import type { Refusal } from '../../kernel/problem.ts';
import type { Artifact } from './run-statement.ts';
import type { AccountVersions, Statement } from './statement.ts';

/** With the document, whose rows are its pages. */
export type StatementFile = Omit<Artifact, 'kind'> & {
  readonly kind: Artifact['kind'] | 'document';
};

export const presentFile = (file: StatementFile) => ({
  kind: file.kind,
  part: file.part,
  sha256: file.sha256,
  size_bytes: file.sizeBytes,
  row_count: file.rowCount,
  amount: file.amount,
  first_position: file.firstPosition,
});

export const presentDocument = ({ sha256, sizeBytes, rowCount }: StatementFile) => ({
  sha256,
  size_bytes: sizeBytes,
  page_count: rowCount,
});

export type PublishedStatement = Statement & { readonly closingVersions: AccountVersions };

export const isPublished = (statement: Statement): statement is PublishedStatement =>
  statement.status === 'published' && statement.closingVersions !== null;

export const openStatement: Refusal = {
  code: 'invalid_state',
  message:
    'The statement is open: it is not calculated yet, and has no proof. Read it again after the event statement.published.',
};
