/** Proofs of statements on the wire (contract §4). */

import { Type } from 'typebox';
import { exampleIds } from '../../kernel/example-story.ts';
import { countedAmounts, ownAccounts } from '../../money/face.ts';
import { Amount } from '../../platform/http/amount-schemas.ts';
import {
  closed,
  IdOf,
  mayGrow,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  RealTime,
  Timestamp,
} from '../../platform/http/schema.ts';
import { LineItemBody } from './line-item-schemas.ts';
import { Sha256, StatementBody } from './statement-schemas.ts';

const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

const accountOf = OneOf(ownAccounts, {
  description: `The account: \`payable\` (what you can be paid), \`payout_reserved\` (of payouts that have not left) or \`held\` (disputed earnings). ${mayGrow}`,
  examples: ['payable'],
});

const countedIn = Nullable(
  OneOf(countedAmounts, {
    description:
      'The amount of the statement in which it is counted. `payout_amount` has the opposite sign. `null`: money moved between your accounts; the sum is zero.',
    examples: ['net_amount'],
  }),
);

const ArtifactBody = Type.Object(
  {
    kind: OneOf(['items', 'royalties'], {
      description: `\`items\`: line items. \`royalties\`: royalty records. Both are Parquet files. ${mayGrow}`,
    }),
    part: Type.Integer({
      minimum: 1,
      description: 'The number of the file among those of its kind. Large statements have several.',
      examples: [1],
    }),
    sha256: Sha256('The SHA-256 digest of the file.'),
    size_bytes: Count('The size of the file in bytes.', 48_213),
    row_count: Count('The number of rows in the file.', 1204),
    amount: Amount(
      'The sum of the rows: of `earnings` in line items, of `net_amount` in royalty records.',
      '151.117647',
    ),
    first_position: Count('The position of its first row in the statement, from 1.', 1),
    url: Type.String({
      description: 'Download the file from here until `urls_expire_at`. Send no credentials.',
      examples: ['https://storage.tonearm.example/statements/items-1.parquet?X-Amz-Signature=…'],
    }),
  },
  { ...closed, title: 'StatementArtifact' },
);

const AccountBody = Type.Object(
  {
    account: accountOf,
    opening_version: Count('The number of entries that the account had at the opening.', 4),
    opening_balance: Amount('The balance after the entry with this number.', '250.000000'),
    closing_version: Count('The number of entries that the account had at the closing.', 6),
    closing_balance: Amount('The balance after the entry with this number.', '128.450000'),
  },
  { ...closed, title: 'StatementAccount' },
);

const MovementBody = Type.Object(
  {
    account: accountOf,
    cause_type: Type.String({
      description: `What the entries have in common: the part of \`cause\` before the colon. ${mayGrow}`,
      examples: ['statement.published'],
    }),
    counted_in: countedIn,
    entry_count: Count('The number of entries.', 1),
    amount: Amount('The sum of the entries.'),
  },
  { ...closed, title: 'StatementMovement' },
);

const SourceBody = Type.Object(
  {
    line_item: LineItemBody,
    report_id: IdOf('rpt'),
    parts: Type.Array(
      Type.Object(
        {
          number: Type.Integer({
            minimum: 1,
            description: 'The number of the file among those of the report.',
            examples: [1],
          }),
          sha256: Sha256(
            'The SHA-256 digest of the file. It has rows of others, and stays with us.',
          ),
        },
        { ...closed, title: 'SourcePart' },
      ),
      { description: 'The files with the rows of the report.' },
    ),
    row_count: Count('The number of rows that the line item is made from.', 2),
    rows: Type.Array(
      Type.Object(
        {
          part: Type.Integer({
            minimum: 1,
            description: 'The number of the file that has the row.',
            examples: [1],
          }),
          row: Type.Integer({
            minimum: 1,
            description:
              'The position of the row in that file. It is not the number of a line in the file of the store, which is not kept.',
            examples: [4711],
          }),
          title: Type.String({ description: 'The title that the store reported.' }),
          play_count: Type.Integer({
            description: 'The plays that the store reported.',
            examples: [600],
          }),
          source_amount: Type.String({
            description:
              'The amount that the store reported, with ten decimals, in `source_currency` of the line item.',
            pattern: '^-?\\d{1,18}\\.\\d{10}$',
            examples: ['1.2500000000'],
          }),
        },
        { ...closed, title: 'SourceRow' },
      ),
      { description: 'The rows, at most 100 of them. All of them add up to the line item.' },
    ),
  },
  {
    ...closed,
    title: 'LineItemSource',
    description: 'What one line item was made from.',
  },
);

export const ProofQuery = Type.Object({ line_item: Type.Optional(IdOf('sli')) }, closed);

export const ProofBody = Type.Object(
  {
    statement: StatementBody,
    run: Type.Object(
      {
        rules_version: Type.String({
          description: 'The version of the rules of calculation.',
          examples: ['1'],
        }),
        input_digest: Sha256(
          'The SHA-256 digest of everything that the run was calculated from: the digests of the reports, the rates, fees and taxes. All statements of a run have the same one.',
        ),
      },
      {
        ...closed,
        title: 'StatementRun',
        description: 'The calculation that the statement is a result of.',
      },
    ),
    artifacts: Type.Array(ArtifactBody, {
      description: 'The files of the statement. They never change.',
    }),
    urls_expire_at: RealTime('When the URLs of the files stop working.'),
    ledger: Type.Object(
      {
        accounts: Type.Array(AccountBody, {
          description: 'What your accounts had at the opening and at the closing.',
        }),
        movements: Type.Array(MovementBody, {
          description:
            'The entries between the two, added up by account and cause. `GET /v1/statements/{statement_id}/ledger-entries` lists them.',
        }),
      },
      {
        ...closed,
        title: 'StatementLedger',
        description:
          'The entries of the ledger, from which opening_balance + net_amount + adjustment_amount − payout_amount = closing_balance follows.',
      },
    ),
    adjustments: Type.Object(
      {
        count: Count('The number of adjustments.', 0),
        amount: Amount('Their sum.', '0.000000'),
      },
      {
        ...closed,
        title: 'StatementAdjustments',
        description:
          'The adjustments that are counted in the statement. `GET /v1/adjustments?statement_id=…` lists them.',
      },
    ),
    source: Type.Union([SourceBody, Type.Null()], {
      description:
        'The rows of the report that the line item was made from. `null` without `line_item`.',
    }),
  },
  { ...closed, title: 'StatementProof' },
);

const EntryBody = Type.Object(
  {
    account: accountOf,
    version: Type.Integer({
      minimum: 1,
      description: 'The number of the entry in its account. The numbers have no gap.',
      examples: [6],
    }),
    cause: Type.String({
      description:
        'What was posted: a name, a colon, and the id of the resource. A correction has more ids.',
      examples: [`statement.published:${exampleIds.stm}`],
    }),
    counted_in: countedIn,
    amount: Amount('What the entry adds to the account.'),
    balance_after: Amount('The balance of the account after the entry.'),
    created_at: Timestamp('When it was posted. It never changes.'),
  },
  { ...closed, title: 'StatementEntry' },
);

export const EntryPage = PageOf('StatementEntryPage', EntryBody);
export const EntryListQuery = Type.Object({ ...pageQuery }, closed);
