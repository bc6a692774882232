/** Statements on the wire (contract §2). */

import { Type } from 'typebox';
import { Amount, CurrencyCode } from '../../platform/http/amount-schemas.ts';
import { closed, DateText, IdOf, Nullable, OneOf, Timestamp } from '../../platform/http/schema.ts';
import { statementStatuses } from '../domain/statement.ts';

export const StatementBody = Type.Object(
  {
    id: IdOf('stm'),
    period_start: DateText('The first day of the month of the statement.', '2026-10-01'),
    period_end: DateText('The last day of the month of the statement.', '2026-10-31'),
    status: OneOf(statementStatuses, {
      description: '`open`: it is not calculated yet. `published`: it never changes.',
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
