/** Statements on the wire (contract §2). */

import { Type } from 'typebox';
import { Amount, CurrencyCode } from '../../platform/http/amount-schemas.ts';
import {
  closed,
  DateText,
  IdOf,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  patterned,
  RealTime,
  Timestamp,
} from '../../platform/http/schema.ts';
import { statementStatuses } from '../domain/statement.ts';

export const StatementBody = Type.Object(
  {
    id: IdOf('stm'),
    period_start: DateText('The first day of the month of the statement.', '2026-10-01'),
    period_end: DateText('The last day of the month of the statement.', '2026-10-31'),
    status: OneOf(statementStatuses, {
      description:
        '`open`: it is not calculated yet. Until then its amounts are zero, and its closing balance is its opening balance. `published`: it never changes.',
    }),
    currency: CurrencyCode('The ISO 4217 code of the currency of the amounts.'),
    opening_balance: Amount('The closing balance of the statement before.', '250.000000'),
    gross_amount: Amount('The sum of the line items.', '151.117647'),
    fee_amount: Amount('Distribution fees.', '22.667647'),
    source_tax_amount: Amount('Taxes that stores withheld.', '0.000000'),
    payee_tax_amount: Amount('Taxes that we withheld from you.', '0.000000'),
    tax_amount: Amount('Both taxes.', '0.000000'),
    adjustment_amount: Amount('The sum of the adjustments since the statement before.', '0.000000'),
    net_amount: Amount('The amount is gross_amount − fee_amount − tax_amount.'),
    payout_amount: Amount('What was paid out since the statement before.', '250.000000'),
    closing_balance: Amount(
      'The balance is opening_balance + net_amount + adjustment_amount − payout_amount.',
    ),
    available_amount: Amount('What could be paid of the closing balance.'),
    reserved_amount: Amount('What was reserved for payouts of the closing balance.', '0.000000'),
    held_amount: Amount('What was held of the closing balance.', '0.000000'),
    line_item_count: Type.Integer({
      minimum: 0,
      description: 'The number of line items.',
      examples: [1204],
    }),
    published_at: Nullable(Timestamp('When it was published. `null`: it is open.')),
  },
  { ...closed, title: 'Statement' },
);

export const Sha256 = (description: string) =>
  Type.String({
    ...patterned('^[0-9a-f]{64}$', 'a SHA-256 digest: 64 lowercase hexadecimal digits,'),
    description,
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  });

const DocumentBody = Type.Object(
  {
    sha256: Sha256('The SHA-256 digest of the file.'),
    size_bytes: Type.Integer({
      minimum: 1,
      description: 'The size of the file in bytes.',
      examples: [21_926],
    }),
    page_count: Type.Integer({
      minimum: 1,
      description: 'The number of its pages, of size A4.',
      examples: [3],
    }),
    url: Type.String({
      description: 'Download the file from here until `expires_at`. Send no credentials.',
      examples: ['https://storage.tonearm.example/statements/statement.pdf?X-Amz-Signature=…'],
    }),
    expires_at: RealTime('When `url` stops working. Read the statement again for a new one.'),
  },
  {
    ...closed,
    title: 'StatementDocument',
    description: 'The statement as a PDF: a page of summary, and tables by store and by release.',
  },
);

/** One statement, not in a list and not in an event. */
export const FullStatementBody = Type.Object(
  {
    ...StatementBody.properties,
    document: Type.Union([DocumentBody, Type.Null()], {
      description:
        'The statement as a PDF. `null`: the statement is open, or its PDF is not made yet.',
    }),
  },
  { ...closed, title: 'FullStatement' },
);

export const StatementPage = PageOf('StatementPage', StatementBody);

export const StatementListQuery = Type.Object(
  {
    status: Type.Optional(
      OneOf(statementStatuses, { description: 'Only statements with this status.' }),
    ),
    currency: Type.Optional(CurrencyCode('Only statements in this currency.')),
    period_start: Type.Optional(
      DateText('Only statements whose month begins on this day or later.', '2026-10-01'),
    ),
    period_end: Type.Optional(
      DateText('Only statements whose month ends on this day or earlier.', '2026-12-31'),
    ),
    ...pageQuery,
  },
  closed,
);
