/** Line items on the wire (contract §2). */

import { Type } from 'typebox';
import { exampleIds } from '../../kernel/example-story.ts';
import { useTypes } from '../../kernel/use-type.ts';
import { Amount, CurrencyCode } from '../../platform/http/amount-schemas.ts';
import {
  closed,
  DateText,
  IdOf,
  mayGrow,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  patterned,
} from '../../platform/http/schema.ts';

const MonthText = (description: string) =>
  Type.String({ description, pattern: '^\\d{4}-\\d{2}$', examples: ['2026-09'] });

const TenDecimals = (description: string, example: string) =>
  Type.String({ description, pattern: '^-?\\d{1,18}\\.\\d{10}$', examples: [example] });

export const LineItemBody = Type.Object(
  {
    id: IdOf('sli'),
    isrc: Type.String({
      description: 'The ISRC of the recording, with hyphens.',
      examples: ['QZ-NLR-25-00004'],
    }),
    title: Type.String({
      description: 'The title of the recording, as the store reported it.',
      examples: ['Night Drive'],
    }),
    release_id: IdOf('rel'),
    track_id: IdOf('trk'),
    store_id: Type.String({
      description: 'The store that reported the usage.',
      examples: ['aurora'],
    }),
    territory: Type.String({
      description: 'Where the recording was used, as an ISO 3166-1 alpha-2 code.',
      examples: ['DE'],
    }),
    use_type: OneOf(useTypes, { description: `How the recording was used. ${mayGrow}` }),
    transaction_type: OneOf(['usage', 'return'] as const, {
      description: `\`usage\`: what was played or sold. \`return\`: what was given back; its amounts are usually negative. ${mayGrow}`,
    }),
    usage_month: MonthText('The month in which the recording was used.'),
    accounting_month: MonthText(
      'The month in which the store accounts for the usage. Some stores have fiscal months.',
    ),
    report_id: IdOf('rpt'),
    allocated: Type.Boolean({
      description:
        '`true`: the store reported the album, and this is the share of the track. `false`: the store reported the track.',
    }),
    play_count: Type.Integer({
      description: 'How often it was played or sold. Returns are negative.',
      examples: [1840],
    }),
    unit_rate: Nullable(
      TenDecimals(
        'The earnings for one play, with ten decimals, for information: `earnings` is exact. `null`: there were no plays.',
        '0.0031250000',
      ),
    ),
    earnings: Amount(
      'What you earned, in `currency`: `source_amount` × `fx_rate`, rounded half to even to six decimals.',
      '5.750000',
    ),
    currency: CurrencyCode('The ISO 4217 code of the currency of the statement.'),
    source_currency: CurrencyCode('The ISO 4217 code of the currency that the store reported.'),
    source_amount: TenDecimals(
      'What the store reported, in `source_currency`, with ten decimals.',
      '6.2500000000',
    ),
    fx_rate: TenDecimals(
      'How many units of `currency` one unit of `source_currency` is worth, with ten decimals.',
      '0.9200000000',
    ),
    period_start: DateText('The first day of the usage.', '2026-09-01'),
    period_end: DateText('The last day of the usage.', '2026-09-30'),
  },
  { ...closed, title: 'LineItem' },
);

export const LineItemPage = PageOf('LineItemPage', LineItemBody);

export const LineItemQuery = Type.Object({ ...pageQuery }, closed);

export const LineItemExportQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        ...patterned('^sli_[0-7][0-9a-hjkmnp-tv-z]{25}$', 'the id of a line item'),
        description:
          'Continues a download that was interrupted: only line items after the one with this id, which is that of the last complete line you have.',
        examples: [exampleIds.sli],
      }),
    ),
  },
  closed,
);

export const LineItemCsv = Type.String({
  title: 'LineItemCsv',
  description:
    'One line for each line item, with the fields of `LineItem` in their order, as in RFC 4180. The first line has the names of the fields. `null` is an empty value. A `title` that begins with `=`, `+`, `-`, `@`, a tab or a line break has an apostrophe before it, so that no spreadsheet takes it for a formula.',
});
