/** The proof of the statement of the story that examples tell (`kernel/example-story.ts`). */

import type { Static } from 'typebox';
import { exampleIds, examplePage, exampleTime } from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';
import { publishedStatementExample } from './statement-examples.ts';
import type { ProofBody } from './statement-proof-schemas.ts';

const file = {
  part: 1,
  first_position: 1,
  url: 'https://storage.tonearm.example/statements/items-1.parquet?X-Amz-Signature=…',
};

const proofExample: Static<typeof ProofBody> = {
  statement: publishedStatementExample,
  run: {
    rules_version: '1',
    input_digest: '4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce',
  },
  artifacts: [
    {
      ...file,
      kind: 'items',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      size_bytes: 48_213,
      row_count: 1204,
      amount: '151.117647',
    },
    {
      ...file,
      kind: 'royalties',
      sha256: '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',
      size_bytes: 31_004,
      row_count: 611,
      amount: '128.450000',
      url: 'https://storage.tonearm.example/statements/royalties-1.parquet?X-Amz-Signature=…',
    },
  ],
  urls_expire_at: exampleTime(0, '10:30:00.000'),
  ledger: {
    accounts: [
      {
        account: 'held',
        opening_version: 0,
        opening_balance: '0.000000',
        closing_version: 0,
        closing_balance: '0.000000',
      },
      {
        account: 'payable',
        opening_version: 1,
        opening_balance: '250.000000',
        closing_version: 3,
        closing_balance: '128.450000',
      },
      {
        account: 'payout_reserved',
        opening_version: 0,
        opening_balance: '0.000000',
        closing_version: 2,
        closing_balance: '0.000000',
      },
    ],
    movements: [
      {
        account: 'payable',
        cause_type: 'payout.created',
        counted_in: 'payout_amount',
        entry_count: 1,
        amount: '-250.000000',
      },
      {
        account: 'payable',
        cause_type: 'statement.published',
        counted_in: 'net_amount',
        entry_count: 1,
        amount: '128.450000',
      },
      {
        account: 'payout_reserved',
        cause_type: 'payout.created',
        counted_in: 'payout_amount',
        entry_count: 1,
        amount: '250.000000',
      },
      {
        account: 'payout_reserved',
        cause_type: 'payout.in_transit',
        counted_in: 'payout_amount',
        entry_count: 1,
        amount: '-250.000000',
      },
    ],
  },
  adjustments: { count: 0, amount: '0.000000' },
  source: null,
};

export const proofExamples = {
  getStatementProof: { answer: proofExample },
  listStatementLedgerEntries: {
    answer: examplePage({
      account: 'payable',
      version: 3,
      cause: `statement.published:${exampleIds.stm}`,
      counted_in: 'net_amount',
      amount: '128.450000',
      balance_after: '128.450000',
      created_at: exampleTime(-2, '10:00:00.000'),
    }),
  },
} satisfies Readonly<Record<string, OperationExamples>>;
