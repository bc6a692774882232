/** Royalties on the wire (contract §2, §4). */

import { Type } from 'typebox';
import { pageLimitDefault, pageLimitMax } from '../../kernel/page.ts';
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
  Timestamp,
} from '../../platform/http/schema.ts';
import { dimensionsMax, summaryDimensions } from '../domain/summary.ts';

const storeId = Type.String({
  maxLength: 50,
  description: 'The `store_id` of a store.',
  examples: ['aurora'],
});
const territory = Type.String({
  description: 'The ISO 3166-1 alpha-2 code of the territory in which the music was used.',
  examples: ['DE'],
});
const isrc = Type.String({
  description: 'The ISRC of the recording, with hyphens.',
  examples: ['QZ-NLR-25-00004'],
});
const month = (description: string) => Type.String({ description, examples: ['2026-09'] });

const amounts = {
  play_count: Type.Integer({
    description: 'How often the music was played or sold. Returns count less than zero.',
    examples: [41_200],
  }),
  gross_amount: Amount('What stores reported, in the currency of the statement.', '151.117647'),
  fee_amount: Amount('Distribution fees.', '22.667647'),
  source_tax_amount: Amount('Taxes that stores withheld.', '0.000000'),
  payee_tax_amount: Amount('Taxes that we withheld from you.', '0.000000'),
  tax_amount: Amount('Both taxes.', '0.000000'),
  net_amount: Amount('The amount is gross_amount − fee_amount − tax_amount.'),
  currency: CurrencyCode('The ISO 4217 code of the currency of the amounts.'),
};

/** Far beyond any statement; a page times its size is an exact number. */
const pageNumberMax = 1_000_000_000;

/** The filters that every list of royalties has. */
const filters = {
  statement_id: Type.Optional(IdOf('stm')),
  store_id: Type.Optional(storeId),
  territory: Type.Optional(
    Type.String({
      format: 'territory-code',
      description: 'The ISO 3166-1 alpha-2 code of a territory.',
      examples: ['DE'],
    }),
  ),
  period_start: Type.Optional(
    DateText('Only royalties whose usage period starts on or after this day.', '2026-09-01'),
  ),
  period_end: Type.Optional(
    DateText('Only royalties whose usage period ends on or before this day.', '2026-09-30'),
  ),
};

export const RoyaltyQuery = Type.Object(
  {
    ...filters,
    isrc: Type.Optional(
      Type.String({
        format: 'isrc',
        description: 'The ISRC of a recording, with or without hyphens.',
        examples: ['QZ-NLR-25-00004'],
      }),
    ),
    ...pageQuery,
    page: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: pageNumberMax,
        deprecated: true,
        description:
          'Deprecated: use `limit` and `cursor`. The number of the page, from 1. A page after the last one is empty. It cannot be combined with `limit` and `cursor`.',
      }),
    ),
    per_page: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: pageLimitMax,
        deprecated: true,
        description: `Deprecated: use \`limit\` and \`cursor\`. How many records a page has, from 1 to ${pageLimitMax}. If you omit it, ${pageLimitDefault}.`,
      }),
    ),
  },
  closed,
);

const RoyaltyBody = Type.Object(
  {
    id: IdOf('roy'),
    statement_id: IdOf('stm'),
    release_id: IdOf('rel'),
    track_id: IdOf('trk'),
    isrc,
    store_id: storeId,
    territory,
    period_start: DateText('The first day of the month in which the music was used.', '2026-09-01'),
    period_end: DateText('The last day of the month in which the music was used.', '2026-09-30'),
    ...amounts,
    created_at: Timestamp('When the statement was published.'),
  },
  { ...closed, title: 'Royalty' },
);

export const RoyaltyPage = PageOf('RoyaltyPage', RoyaltyBody);

const dimension = `(?:${summaryDimensions.join('|')})`;

export const SummaryQuery = Type.Object(
  {
    group_by: Type.Optional(
      Type.String({
        ...patterned(
          `^${dimension}(?:,${dimension}){0,${dimensionsMax - 1}}$`,
          `one to three of ${summaryDimensions.join(', ')}, with commas between them,`,
        ),
        default: 'store',
        description:
          'What to sum by: `store`, `territory`, `release`, `track`, `label`, `usage_month`, `accounting_month` or `use_type`, or up to three of them with commas between them. `release` and `track` combine with each other and with `usage_month`, `label` combines with `usage_month`, and the others combine among themselves. If you omit it, `store`.',
        examples: ['store,usage_month'],
      }),
    ),
    ...filters,
    release_id: Type.Optional(IdOf('rel')),
    ...pageQuery,
  },
  closed,
);

const SummaryBody = Type.Object(
  {
    store_id: Type.Optional(storeId),
    territory: Type.Optional(territory),
    release_id: Type.Optional(IdOf('rel')),
    track_id: Type.Optional(IdOf('trk')),
    isrc: Type.Optional(isrc),
    label: Type.Optional(
      Nullable(
        Type.String({
          description:
            'The label of the release when the statement was published. `null`: the release was gone.',
          examples: ['Northern Lights'],
        }),
      ),
    ),
    usage_month: Type.Optional(month('The month in which the music was used.')),
    accounting_month: Type.Optional(
      month(
        'The month to which the store accounted the usage. It may differ from the usage month.',
      ),
    ),
    use_type: Type.Optional(OneOf(useTypes, { description: `How the music was used. ${mayGrow}` })),
    ...amounts,
  },
  {
    ...closed,
    title: 'RoyaltySummary',
  },
);

export const SummaryPage = PageOf('RoyaltySummaryPage', SummaryBody);
