/** `payouts list` and `balance` */

import type { Command } from 'commander';
import { runs } from '../command.ts';
import { type ListOptions, addListOptions, pageSize, printList, readList } from '../list.ts';
import { paintStatus, statusText } from '../output/status.ts';
import { microsOf, moneyText } from '../output/units.ts';

const amount = (text: string): string => moneyText(microsOf(text));

export function addPayoutCommands(program: Command): void {
  const payouts = program.command('payouts').description('show payouts');
  runs<ListOptions>(
    addListOptions(payouts.command('list').description('list payouts, newest first')),
    async (context, _, options) => {
      const { client, output, signal } = context;
      const pager = client().payouts.list({ limit: pageSize(options) }, { signal });
      printList(context, await readList(pager, options), {
        columns: [
          { title: 'Payout' },
          { title: 'Amount', align: 'right' },
          { title: '' },
          { title: 'To', leaveOut: 1 },
          { title: 'Arrives', leaveOut: 2 },
          { title: 'Status' },
          { title: '', shrinksTo: 8 },
        ],
        row: (payout) => [
          payout.id,
          amount(payout.amount),
          payout.currency,
          `…${payout.destination.last_four}`,
          payout.arrives_on ?? '',
          {
            text: statusText(payout.status),
            paint: (text) => paintStatus(output.palette, payout.status, text),
          },
          payout.holds.map(({ reason }) => reason.replaceAll('_', ' ')).join(', '),
        ],
        ifEmpty: 'There is no payout yet.',
        next: () => ['tonearm balance'],
      });
    },
  );
  runs(
    program.command('balance').description('show what can be paid out, by currency'),
    async (context) => {
      const { data } = await context.client().balance.get({ signal: context.signal });
      printList(
        context,
        { data: [...data], has_more: false },
        {
          columns: [
            { title: '' },
            { title: 'Available', align: 'right' },
            { title: 'Pending', align: 'right', leaveOut: 1 },
            { title: 'Reserved', align: 'right' },
            { title: 'Held', align: 'right' },
            { title: 'Minimum', align: 'right', leaveOut: 2 },
          ],
          row: (each) => [
            each.currency,
            amount(each.available),
            amount(each.pending),
            amount(each.reserved),
            amount(each.held),
            amount(each.minimum),
          ],
          ifEmpty: 'There is no balance yet.',
        },
      );
    },
  );
}
