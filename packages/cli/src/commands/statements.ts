/** `statements list|get|export` */

import type { Statement } from '@tonearm/sdk';
import type { Command } from 'commander';
import { runs } from '../command.ts';
import type { Context } from '../context.ts';
import { usageFailure } from '../failure.ts';
import { type ListOptions, addListOptions, pageSize, printList, readList } from '../list.ts';
import { printFields } from '../output/fields.ts';
import { sparkline } from '../output/sparkline.ts';
import { paintStatus, statusText } from '../output/status.ts';
import { countText, microsOf, moneyText } from '../output/units.ts';
import { exportLineItems } from './export-line-items.ts';

const amount = (text: string): string => moneyText(microsOf(text));

/** A sparkline of the net amounts for each currency, the oldest month first. */
function printHistory({ output }: Context, statements: readonly Statement[]): void {
  const currencies = [...new Set(statements.map(({ currency }) => currency))];
  for (const currency of currencies) {
    const nets = statements
      .filter((statement) => statement.currency === currency)
      .toReversed()
      .map(({ net_amount: net }) => Number(microsOf(net)) / 1_000_000);
    if (nets.length > 1) output.line(`net ${currency}  ${sparkline(nets)}`);
  }
}

async function list(context: Context, options: ListOptions & { currency?: string }): Promise<void> {
  const { client, output, signal } = context;
  const { currency } = options;
  const query = { limit: pageSize(options), ...(currency !== undefined && { currency }) };
  const statements = await readList(client().statements.list(query, { signal }), options);
  if (statements.data.length > 1) printHistory(context, statements.data);
  printList(context, statements, {
    columns: [
      { title: 'Statement' },
      { title: 'Month' },
      { title: 'Net', align: 'right' },
      { title: 'Balance', align: 'right', leaveOut: 1 },
      { title: '' },
      { title: 'Status' },
    ],
    row: (statement) => [
      statement.id,
      statement.period_start.slice(0, 7),
      amount(statement.net_amount),
      amount(statement.closing_balance),
      statement.currency,
      {
        text: statusText(statement.status),
        paint: (text) => paintStatus(output.palette, statement.status, text),
      },
    ],
    ifEmpty: 'There is no statement yet.',
    next: ([first]) =>
      first === undefined ? [] : [`tonearm statements export ${first.id} --output items.csv`],
  });
}

async function get({ client, output, signal }: Context, id: string): Promise<void> {
  const statement = await client().statements.get(id, { signal });
  output.result(statement, () => {
    printFields(output, [
      ['Statement', statement.id],
      ['Period', `${statement.period_start} to ${statement.period_end}`],
      ['Status', statusText(statement.status)],
      ['Line items', countText(statement.line_item_count)],
    ]);
    output.line();
    const rows: [string, string][] = [
      ['Opening balance', statement.opening_balance],
      ['Gross', statement.gross_amount],
      ['Fee', statement.fee_amount],
      ['Tax', statement.tax_amount],
      ['Net', statement.net_amount],
      ['Adjustments', statement.adjustment_amount],
      ['Payouts', statement.payout_amount],
      ['Closing balance', statement.closing_balance],
    ];
    output.table(
      [{ title: '' }, { title: statement.currency, align: 'right' }],
      rows.map(([name, value]) => [name, amount(value)]),
    );
    output.next(
      `tonearm royalties breakdown --statement ${id} --by store`,
      `tonearm statements export ${id} --output items.csv`,
    );
  });
}

type ExportOptions = { readonly format?: string; readonly output?: string };

async function exportItems(context: Context, id: string, options: ExportOptions): Promise<void> {
  const format = options.format ?? (options.output?.endsWith('.jsonl') === true ? 'jsonl' : 'csv');
  if (format !== 'csv' && format !== 'jsonl') throw usageFailure('--format is csv or jsonl.');
  await exportLineItems(context, id, format, options.output);
}

export function addStatementCommands(program: Command): void {
  const statements = program.command('statements').description('show and export statements');
  runs<ListOptions & { currency?: string }>(
    addListOptions(statements.command('list').description('list statements, newest first')).option(
      '--currency <code>',
      'of this currency',
    ),
    (context, _, options) => list(context, options),
  );
  runs(
    statements.command('get').argument('<statement>').description('show a statement'),
    (context, [id = '']) => get(context, id),
  );
  runs<ExportOptions>(
    statements
      .command('export')
      .argument('<statement>')
      .option('--format <format>', 'csv or jsonl')
      .option('-o, --output <file>', 'a file; omitted: standard output')
      .description('download every line item; a download that broke continues'),
    (context, [id = ''], options) => exportItems(context, id, options),
  );
}
