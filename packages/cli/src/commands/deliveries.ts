/** `deliveries list|get|watch|resubmit|takedown|timeline` */

import type { ChangedDelivery, Delivery, ListDeliveriesQuery } from '@tonearm/sdk';
import type { Command } from 'commander';
import { listOption } from '../body.ts';
import { runs } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { Context } from '../context.ts';
import { type ListOptions, addListOptions, pageSize, printList, readList } from '../list.ts';
import { paintStatus, statusText, symbolOf } from '../output/status.ts';
import { timeText } from '../output/units.ts';
import { parseTimeout, usualTimeoutMs } from './deliver.ts';
import { printDelivery } from './delivery-view.ts';
import { watchDelivery } from './watch-delivery.ts';

/** One symbol for each store: `✔✔◐✖`. */
const storesText = ({ stores }: Delivery): string =>
  stores.map(({ status }) => symbolOf(status)).join('');

async function list(context: Context, options: ListOptions & ListDeliveriesQuery): Promise<void> {
  const { client, output, signal } = context;
  const { status, release_id: _, limit: __, ...rest } = options;
  const release = (rest as { release?: string }).release;
  const query = { status, release_id: release, limit: pageSize(options) } as ListDeliveriesQuery;
  const deliveries = await readList(client().deliveries.list(query, { signal }), options);
  printList(context, deliveries, {
    columns: [
      { title: 'Delivery' },
      { title: 'Release', leaveOut: 2 },
      { title: 'Stores', shrinksTo: 8 },
      { title: 'Created', leaveOut: 1 },
      { title: 'Status' },
    ],
    row: (delivery) => [
      delivery.id,
      delivery.release_id,
      storesText(delivery),
      timeText(delivery.created_at).slice(0, 10),
      {
        text: statusText(delivery.status),
        paint: (text) => paintStatus(output.palette, delivery.status, text),
      },
    ],
    ifEmpty: 'There is no delivery.',
    next: (items) => (items.length === 0 ? ['tonearm deliver rel_… --stores all --watch'] : []),
  });
}

function printChanged({ output }: Context, delivery: ChangedDelivery): void {
  printDelivery(output, delivery);
  for (const { store_id: store, reason } of delivery.skipped)
    output.note(`${store} was left out: ${reason}`);
}

type StoresOption = {
  readonly stores?: string[];
  readonly force?: boolean;
  readonly reason?: string;
};

const chosen = ({ stores }: StoresOption) => (stores === undefined ? {} : { stores });

async function takeDown(context: Context, id: string, options: StoresOption): Promise<void> {
  const where = options.stores === undefined ? 'every store' : options.stores.join(', ');
  await confirm(context, `Take ${id} down at ${where}?`);
  const { reason } = options;
  const body = { ...chosen(options), ...(reason !== undefined && { reason }) };
  printChanged(
    context,
    await context.client().deliveries.takedown(id, body, { signal: context.signal }),
  );
}

async function showTimeline(context: Context, id: string, options: ListOptions): Promise<void> {
  const pager = context
    .client()
    .deliveries.listTimeline(id, { limit: pageSize(options) }, { signal: context.signal });
  printList(context, await readList(pager, options), {
    columns: [
      { title: 'At' },
      { title: 'Store', shrinksTo: 8 },
      { title: 'What' },
      { title: 'Revision', align: 'right', leaveOut: 1 },
    ],
    row: (entry) => [
      timeText(entry.at),
      entry.store_id ?? '',
      entry.type.replaceAll('_', ' '),
      String(entry.revision),
    ],
    ifEmpty: 'Nothing has happened yet.',
  });
}

export function addDeliveryCommands(program: Command): void {
  const deliveries = program
    .command('deliveries')
    .description('follow, correct and take down deliveries');
  runs<ListOptions & ListDeliveriesQuery>(
    addListOptions(deliveries.command('list').description('list deliveries, newest first'))
      .option(
        '--status <status>',
        'in_progress, delivered, rejected, action_required or taken_down',
      )
      .option('--release <release>', 'of this release'),
    (context, _, options) => list(context, options),
  );
  runs(
    deliveries.command('get').argument('<delivery>').description('show a delivery, store by store'),
    async ({ client, output, signal }, [id = '']) =>
      printDelivery(output, await client().deliveries.get(id, { signal })),
  );
  runs<{ timeout: number }>(
    deliveries
      .command('watch')
      .argument('<delivery>')
      .option('--timeout <time>', 'how long to wait', parseTimeout, usualTimeoutMs)
      .description('wait until every store has answered'),
    (context, [id = ''], { timeout }) => watchDelivery(context, id, timeout),
  );
  runs<StoresOption>(
    deliveries
      .command('resubmit')
      .argument('<delivery>')
      .option('--stores <ids>', 'only these', listOption)
      .option('--force', 'also without a change of the release')
      .description('send the corrected release to the stores that refused it'),
    async (context, [id = ''], options) => {
      const body = { ...chosen(options), ...(options.force === true && { force: true }) };
      printChanged(
        context,
        await context.client().deliveries.resubmit(id, body, { signal: context.signal }),
      );
    },
  );
  runs<StoresOption>(
    deliveries
      .command('takedown')
      .argument('<delivery>')
      .option('--stores <ids>', 'only these', listOption)
      .option('--reason <text>', 'for the timeline')
      .description('remove the release from stores (asks first)'),
    (context, [id = ''], options) => takeDown(context, id, options),
  );
  runs<ListOptions>(
    addListOptions(
      deliveries
        .command('timeline')
        .argument('<delivery>')
        .description('show what happened, newest first'),
    ),
    (context, [id = ''], options) => showTimeline(context, id, options),
  );
}
