/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { LineStream } from '../../core/line-stream.ts';
import type { Pager } from '../../core/pager.ts';
import type { ReadOptions, RequestOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type {
  ExportLineItemsCsvQuery,
  ExportLineItemsQuery,
  FullStatement,
  GetStatementProofQuery,
  LineItem,
  LineItemPage,
  ListLineItemsQuery,
  ListStatementLedgerEntriesQuery,
  ListStatementsQuery,
  Statement,
  StatementEntry,
  StatementEntryPage,
  StatementPage,
  StatementProof,
} from '../schema.ts';

/** Statements. */
export class StatementsResource extends Resource {
  /**
   * List statements.
   *
   * Returns a page of statements, newest first. There is one for each month and currency in which you earned or were paid something. At most one of each currency is `open`.
   *
   * Scope: `statements:read`.
   *
   * @see operation `listStatements`
   */
  list(query?: ListStatementsQuery, options?: RequestOptions): Pager<Statement, StatementPage> {
    return this.client.list({ method: 'GET', path: '/v1/statements', query, options });
  }

  /**
   * Get a statement.
   *
   * Returns the statement. A published one never changes; corrections are adjustments in a later one. To the last digit, `opening_balance` + `net_amount` + `adjustment_amount` − `payout_amount` = `closing_balance`, and `gross_amount` is the sum of the `earnings` of its line items. `document` is the statement as a PDF, which is made once, within minutes after the publication.
   *
   * Scope: `statements:read`.
   *
   * @see operation `getStatement`
   */
  get(statementId: string, options?: ReadOptions): ApiCall<FullStatement> {
    return this.client.call({
      method: 'GET',
      path: `/v1/statements/${segment(statementId, 'statement_id')}`,
      options,
    });
  }

  /**
   * List line items.
   *
   * Returns a page of the line items of a statement, in an order that never changes. A statement that is `open` has none yet. To read millions of them, use an export: `/line-items.jsonl` or `/line-items.csv`.
   *
   * Scope: `statements:read`.
   *
   * @see operation `listLineItems`
   */
  listLineItems(
    statementId: string,
    query?: ListLineItemsQuery,
    options?: RequestOptions,
  ): Pager<LineItem, LineItemPage> {
    return this.client.list({
      method: 'GET',
      path: `/v1/statements/${segment(statementId, 'statement_id')}/line-items`,
      query,
      options,
    });
  }

  /**
   * Export line items as JSON lines.
   *
   * Returns all line items of a statement, one JSON object for each line, in the order of the list. If the download is interrupted, drop the last line unless it is complete, and continue with `after`, the `id` of the last line you have. The `line_item_count` of the statement says how many there are.
   *
   * Scope: `statements:read`.
   *
   * @see operation `exportLineItems`
   */
  exportLineItems(
    statementId: string,
    query?: ExportLineItemsQuery,
    options?: RequestOptions,
  ): LineStream<LineItem> {
    return this.client.lines(
      {
        method: 'GET',
        path: `/v1/statements/${segment(statementId, 'statement_id')}/line-items.jsonl`,
        query,
        options,
      },
      'id',
    );
  }

  /**
   * Export line items as CSV.
   *
   * Returns all line items of a statement as CSV, in the order of the list. The first line has the names of the fields. A title that a spreadsheet would take for a formula begins with an apostrophe. If the download is interrupted, drop the last line unless it is complete, and continue with `after`, the `id` of the last line you have: the names are not sent again, so the two parts fit together.
   *
   * Scope: `statements:read`.
   *
   * @see operation `exportLineItemsCsv`
   */
  exportLineItemsCsv(
    statementId: string,
    query?: ExportLineItemsCsvQuery,
    options?: RequestOptions,
  ): ApiCall<Response> {
    return this.client.raw({
      method: 'GET',
      path: `/v1/statements/${segment(statementId, 'statement_id')}/line-items.csv`,
      query,
      options,
    });
  }

  /**
   * Get the proof of a statement.
   *
   * Returns what you need to add up a published statement again without us: the digest, the number of rows and the sum of each of its files with URLs to download them, what your accounts had before and after it, and the entries of the ledger between the two. `examples/verify-statement.ts` checks all of it. With `line_item`, `source` has the rows of the report that the line item was made from. An open statement has no proof yet.
   *
   * Scope: `statements:read`.
   *
   * @see operation `getStatementProof`
   */
  getProof(
    statementId: string,
    query?: GetStatementProofQuery,
    options?: ReadOptions,
  ): ApiCall<StatementProof> {
    return this.client.call({
      method: 'GET',
      path: `/v1/statements/${segment(statementId, 'statement_id')}/proof`,
      query,
      options,
    });
  }

  /**
   * List the ledger entries of a statement.
   *
   * Returns a page of the entries of your accounts that a published statement counts, by account and version. Every entry has its cause, and the balance after it.
   *
   * Scope: `statements:read`.
   *
   * @see operation `listStatementLedgerEntries`
   */
  listLedgerEntries(
    statementId: string,
    query?: ListStatementLedgerEntriesQuery,
    options?: RequestOptions,
  ): Pager<StatementEntry, StatementEntryPage> {
    return this.client.list({
      method: 'GET',
      path: `/v1/statements/${segment(statementId, 'statement_id')}/ledger-entries`,
      query,
      options,
    });
  }
}
