/** `royalties breakdown|status` */

import type { SummarizeRoyaltiesQuery } from '@tonearm/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { listOption } from '../body.ts';
import { runs } from '../command.ts';
import type { Context } from '../context.ts';
import { type ListOptions, addListOptions, pageSize, printList, readList } from '../list.ts';
import { bar, sparkline } from '../output/sparkline.ts';
import type { Cell, Column } from '../output/table.ts';
import { countText, moneyText } from '../output/units.ts';
import { type RoyaltyRow, apiGroup, monthAcross, monthsOf, royaltyRows } from './royalty-rows.ts';

const monthsMax = 24;
const barColumns = 14;
/** Sums of a hundred thousand groups do not fit a terminal; the files of a statement have every row. */
const rowsRead = 5_000;

function parseGroups(text: string): string[] {
  const groups = listOption(text).map(apiGroup);
  if (groups.length < 1 || groups.length > 3)
    throw new InvalidArgumentError('Name one to three groups.');
  return groups;
}

type BreakdownOptions = {
  readonly by: string[];
  readonly statement?: string;
  readonly store?: string;
  readonly territory?: string;
  readonly release?: string;
  readonly from?: string;
  readonly to?: string;
  readonly rows: string;
};

const queryOf = (options: BreakdownOptions) =>
  ({
    group_by: options.by.join(','),
    statement_id: options.statement,
    store_id: options.store,
    territory: options.territory,
    release_id: options.release,
    period_start: options.from,
    period_end: options.to,
    limit: 100,
  }) as SummarizeRoyaltiesQuery;

const asNumber = (micros: bigint): number => Number(micros) / 1_000_000;

function tableOf(rows: readonly RoyaltyRow[], groups: readonly string[]) {
  const across = monthAcross(groups);
  const months = monthsOf(rows, monthsMax);
  const mostByCurrency = new Map<string, number>();
  for (const { currency, net } of rows) {
    mostByCurrency.set(currency, Math.max(mostByCurrency.get(currency) ?? 0, asNumber(net)));
  }
  const first = months[0] ?? '';
  const last = months.at(-1) ?? '';
  const columns: Column[] = [
    ...groups
      .filter((group) => group !== across)
      .map((group) => ({ title: group.replaceAll('_', ' '), shrinksTo: 8 })),
    { title: 'plays', align: 'right', leaveOut: 2 },
    { title: 'gross', align: 'right', leaveOut: 3 },
    { title: 'net', align: 'right' },
    { title: '' },
    { title: across === undefined ? '' : `${first} – ${last}`, leaveOut: 1 },
  ];
  const picture = (row: RoyaltyRow): string => {
    if (across === undefined) {
      return bar(asNumber(row.net) / (mostByCurrency.get(row.currency) ?? 1), barColumns);
    }
    return sparkline(
      months.map((month) => {
        const micros = row.months.get(month);
        return micros === undefined ? undefined : asNumber(micros);
      }),
    );
  };
  const cells = rows.map((row): Cell[] => [
    ...row.groups.map((value) => (value === '' ? '(none)' : value)),
    countText(row.plays),
    moneyText(row.gross),
    moneyText(row.net),
    row.currency,
    picture(row),
  ]);
  return { columns, cells };
}

function totalsOf(rows: readonly RoyaltyRow[]): string {
  const totals = new Map<string, bigint>();
  for (const { currency, net } of rows) totals.set(currency, (totals.get(currency) ?? 0n) + net);
  return [...totals].map(([currency, net]) => `${moneyText(net)} ${currency}`).join(', ');
}

async function breakDown(context: Context, options: BreakdownOptions): Promise<void> {
  const { client, output, signal } = context;
  const pager = client().royalties.summarize(queryOf(options), { signal });
  const summaries = await readList(pager, { limit: rowsRead });
  output.result(summaries, () => {
    const rows = royaltyRows(summaries.data, options.by);
    if (rows.length === 0) {
      output.line('No published statement has royalties for this.');
      output.next('tonearm royalties status', 'tonearm statements list');
      return;
    }
    const shown = rows.slice(0, Number(options.rows));
    const { columns, cells } = tableOf(shown, options.by);
    output.table(columns, cells);
    const more = rows.length - shown.length;
    output.line();
    output.line(
      `Net of ${rows.length === 1 ? 'one row' : `all ${rows.length} rows`}: ${totalsOf(rows)}.`,
    );
    if (more > 0)
      output.line(
        output.palette.faint(`${more} rows are not shown; --rows ${rows.length} shows them.`),
      );
    if (summaries.has_more) {
      output.line(
        output.palette.warning(
          `! Only the first ${rowsRead} sums were read: choose a narrower filter.`,
        ),
      );
    }
    if (monthAcross(options.by) !== undefined)
      output.line(output.palette.faint('· no royalties reported in that month'));
    output.next(
      'tonearm royalties status   (what stores have not reported yet)',
      'tonearm statements list',
    );
  });
}

async function showStatus(
  context: Context,
  options: ListOptions & { store?: string },
): Promise<void> {
  const { client, signal } = context;
  const { store } = options;
  const query = { limit: pageSize(options), ...(store !== undefined && { store_id: store }) };
  const pager = client().royalties.listReportingStatus(query, { signal });
  printList(context, await readList(pager, options), {
    columns: [{ title: 'Month' }, { title: 'Store' }, { title: 'State' }, { title: 'Expected by' }],
    row: (status) => [
      status.usage_month,
      status.store_id,
      status.state.replaceAll('_', ' '),
      status.expected_by,
    ],
    ifEmpty: 'No store has had a release of yours yet.',
  });
}

export function addRoyaltyCommands(program: Command): void {
  const royalties = program.command('royalties').description('show what was earned');
  runs<BreakdownOptions>(
    royalties
      .command('breakdown')
      .option(
        '--by <groups>',
        'up to three of store, territory, release, track, label, month, accounting_month, use_type',
        parseGroups,
        ['store', 'usage_month'],
      )
      .option('--statement <statement>', 'of this statement')
      .option('--store <store>', 'of this store')
      .option('--territory <code>', 'of this territory')
      .option('--release <release>', 'of this release')
      .option('--from <date>', 'from this day on')
      .option('--to <date>', 'until this day')
      .option('--rows <count>', 'how many rows at most', '20')
      .description('sum the royalties of published statements'),
    (context, _, options) => breakDown(context, options),
  );
  runs<ListOptions & { store?: string }>(
    addListOptions(
      royalties.command('status').description('show which stores have reported which months'),
    ).option('--store <store>', 'of this store'),
    (context, _, options) => showStatus(context, options),
  );
}
