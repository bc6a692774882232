/** `events list|get|resend` */

import type { ListEventsQuery } from '@tonearm/sdk';
import type { Command } from 'commander';
import { runs } from '../command.ts';
import type { Context } from '../context.ts';
import { type ListOptions, addListOptions, pageSize, printList, readList } from '../list.ts';
import { printFields } from '../output/fields.ts';
import { statusText } from '../output/status.ts';
import { timeText } from '../output/units.ts';

type EventFilters = {
  readonly type?: string;
  readonly deliveryStatus?: string;
  readonly after?: string;
};

async function list(context: Context, options: ListOptions & EventFilters): Promise<void> {
  const query = {
    limit: pageSize(options),
    type: options.type,
    delivery_status: options.deliveryStatus,
    after: options.after,
  } as unknown as ListEventsQuery;
  const pager = context.client().events.list(query, { signal: context.signal });
  printList(context, await readList(pager, options), {
    columns: [
      { title: 'Event' },
      { title: 'No', align: 'right', leaveOut: 1 },
      { title: 'Type', shrinksTo: 12 },
      { title: 'At', leaveOut: 2 },
    ],
    row: (event) => [event.id, String(event.sequence), event.type, timeText(event.created_at)],
    ifEmpty: 'There is no event in the last 30 days.',
    next: () => ['tonearm listen --forward-to localhost:3000/hooks'],
  });
}

async function get({ client, output, signal }: Context, id: string): Promise<void> {
  const event = await client().events.get(id, { signal });
  output.result(event, () => {
    printFields(output, [
      ['Event', event.id],
      ['Type', event.type],
      ['Number', event.sequence],
      ['At', event.created_at],
    ]);
    output.line();
    if (event.attempts.length === 0) output.line('It was sent to no webhook.');
    else {
      output.table(
        [
          { title: 'Webhook' },
          { title: 'Attempt', align: 'right' },
          { title: 'Answer' },
          { title: 'ms', align: 'right' },
        ],
        event.attempts.map((attempt) => [
          attempt.webhook_id,
          String(attempt.number),
          String(attempt.status_code ?? attempt.failure ?? ''),
          String(attempt.duration_ms),
        ]),
      );
      for (const { webhook_id: webhook, delivery_status: status } of event.webhooks) {
        output.line(`${webhook}: ${statusText(status)}`);
      }
    }
    output.next(`tonearm events resend ${event.id}`);
  });
}

async function resend(
  { client, output, signal }: Context,
  id: string,
  webhook?: string,
): Promise<void> {
  const body = webhook === undefined ? {} : { webhook_id: webhook };
  const { count } = await client().events.redeliver(id, body, { signal });
  output.result({ count }, () => {
    output.line(`${id} is sent again to ${count} ${count === 1 ? 'webhook' : 'webhooks'}.`);
    output.next(`tonearm events get ${id}`);
  });
}

export function addEventCommands(program: Command): void {
  const events = program.command('events').description('show events and send them again');
  runs<ListOptions & EventFilters>(
    addListOptions(events.command('list').description('list events, newest first'))
      .option('--type <type>', 'such as delivery.completed')
      .option('--delivery-status <status>', 'pending, delivered or undelivered')
      .option('--after <sequence>', 'oldest first, after this number'),
    (context, _, options) => list(context, options),
  );
  runs(
    events.command('get').argument('<event>').description('show an event with every attempt'),
    (context, [id = '']) => get(context, id),
  );
  runs<{ webhook?: string }>(
    events
      .command('resend')
      .argument('<event>')
      .option('--webhook <webhook>', 'only to this webhook')
      .description('send an event to its webhooks again'),
    (context, [id = ''], { webhook }) => resend(context, id, webhook),
  );
}
