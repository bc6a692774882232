/** Reports of fictional stores on the wire. */

import { Type } from 'typebox';
import { Amount, CurrencyCode } from '../../platform/http/amount-schemas.ts';
import {
  closed,
  IdOf,
  mayGrow,
  Nullable,
  OneOf,
  patterned,
  Timestamp,
} from '../../platform/http/schema.ts';
import { closingDay } from '../domain/closing.ts';
import { lateDays, reportKinds, sandboxReportStatuses } from '../domain/sandbox-report.ts';

const Kind = (description: string) => OneOf(reportKinds, { description, examples: ['normal'] });

const StoreId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The store that reports.',
  examples: ['aurora'],
});

const Period = Type.String({
  ...patterned('^[1-9][0-9]{3}-(0[1-9]|1[0-2])$', 'a month such as 2026-10'),
  description:
    'The month in which your recordings were used. It must have ended by the clock of your sandbox.',
  examples: ['2026-10'],
});

export const CreateReportBody = Type.Object(
  {
    store_id: StoreId,
    period: Period,
    kind: Kind(
      `What is special about the report. \`normal\`: streams, paid in full. \`late\`: the same, ${lateDays} days later. \`restated\`: replaces the last report of this store and month with other numbers; if that one is on a statement, the next statement takes it back as a \`correction\`. \`returns\`: with downloads that were returned, as negative rows. \`penalty\`: with a fine for artificial streaming, which becomes an adjustment. \`unmatched\`: with recordings that no partner delivered, which are not paid to you. \`short_paid\`: the store pays 80 %, and the rest becomes an earning hold.`,
    ),
  },
  { ...closed, title: 'CreateSandboxReport' },
);

const Rows = (description: string, example: number) =>
  Nullable(Type.Integer({ minimum: 0, description, examples: [example] }));

export const SandboxReportBody = Type.Object(
  {
    id: IdOf('rpt'),
    store_id: StoreId,
    period: Period,
    kind: Kind(`What is special about the report. ${mayGrow}`),
    status: OneOf(sandboxReportStatuses, {
      description: `\`expected\`: the store has not sent it yet. \`paid\` and \`short_paid\`: it was read, and the store has paid it or a part of it; the next closing, on the ${closingDay}th of a month, puts it on a statement. \`included\`: it is on a statement. \`superseded\`: another report has replaced it. \`failed\`: see \`problem\`. ${mayGrow}`,
      examples: ['paid'],
    }),
    arrives_at: Timestamp('When the store sends the report, by the clock of your sandbox.'),
    supersedes: Nullable({
      ...IdOf('rpt'),
      description: 'The id of the report that this one replaces.',
    }),
    currency: Nullable(
      CurrencyCode('The currency of the amounts: that of your statements. `null` while expected.'),
    ),
    row_count: Rows('The number of rows of its file. `null` while expected.', 10),
    unmatched_row_count: Rows(
      'The number of rows about recordings that you have not delivered. `null` while expected.',
      0,
    ),
    reported_amount: Nullable(
      Amount('What the store reports to owe, before fees and taxes. `null` while expected.'),
    ),
    paid_amount: Nullable(
      Amount(
        'What the store has paid for it. A `restated` report is paid by the difference only. `null` while expected.',
      ),
    ),
    problem: Nullable(
      Type.String({ description: 'Why the report failed. `null`: it did not fail.' }),
    ),
    created_at: Timestamp('When you asked for the report.'),
    updated_at: Timestamp('When the report changed last.'),
  },
  { ...closed, title: 'SandboxReport' },
);
