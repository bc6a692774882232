/** `stores list|territories` */

import type { Command } from 'commander';
import { runs } from '../command.ts';
import { type ListOptions, addListOptions, pageSize, printList, readList } from '../list.ts';
import { paintStatus, statusText } from '../output/status.ts';

export function addStoreCommands(program: Command): void {
  const stores = program.command('stores').description('show stores and territories');
  runs<ListOptions & { territory?: string }>(
    addListOptions(stores.command('list').description('list the stores')).option(
      '--territory <code>',
      'that sell in this territory',
    ),
    async (context, _, options) => {
      const { client, output, signal } = context;
      const { territory } = options;
      const query = {
        limit: pageSize(options),
        ...(territory !== undefined && { territory_code: territory }),
      };
      printList(context, await readList(client().stores.list(query, { signal }), options), {
        columns: [
          { title: 'Store' },
          { title: 'Name', shrinksTo: 8 },
          { title: 'Territories', align: 'right' },
          { title: 'Uses', shrinksTo: 10, leaveOut: 1 },
          { title: 'Status' },
        ],
        row: (store) => [
          store.store_id,
          store.name,
          String(store.territory_codes.length),
          store.capabilities.use_types.join(', '),
          {
            text: statusText(store.status),
            paint: (text) => paintStatus(output.palette, store.status, text),
          },
        ],
        ifEmpty: 'There is no store.',
        next: () => ['tonearm deliver rel_… --stores all --watch'],
      });
    },
  );
  runs(
    stores
      .command('territories')
      .description('list the territories with the stores that sell there'),
    async (context) => {
      const { data } = await context.client().stores.listTerritories({ signal: context.signal });
      printList(
        context,
        { data: [...data], has_more: false },
        {
          columns: [
            { title: 'Code' },
            { title: 'Name', shrinksTo: 12 },
            { title: 'Stores', shrinksTo: 10 },
          ],
          row: (territory) => [
            territory.territory_code,
            territory.name,
            territory.stores.join(', '),
          ],
          ifEmpty: 'There is no territory.',
        },
      );
    },
  );
}
