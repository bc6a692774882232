/** `webhooks create|list|ping|rotate-secret|recover|delete` */

import type { CreateWebhook, Webhook, WebhookWithSecret } from '@tonearm/sdk';
import type { Command } from 'commander';
import { listOption } from '../body.ts';
import { runs } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { Context } from '../context.ts';
import { Failure, usageFailure } from '../failure.ts';
import { type ListOptions, addListOptions, pageSize, printList, readList } from '../list.ts';
import { printFields } from '../output/fields.ts';
import { paintStatus, statusText } from '../output/status.ts';
import { durationMs } from '../output/units.ts';

const pingText = ({ last_ping: last }: Webhook): string | undefined => {
  if (last === null) return undefined;
  return `${last.status_code ?? last.failure ?? 'no answer'} in ${last.duration_ms} ms`;
};

function printWebhook({ output }: Context, webhook: Webhook | WebhookWithSecret): void {
  output.result(webhook, () => {
    printFields(output, [
      ['Webhook', webhook.id],
      ['URL', webhook.url],
      ['Events', webhook.event_type.join(', ')],
      ['Status', statusText(webhook.status)],
      ['Last ping', pingText(webhook)],
      ['Secret', 'secret' in webhook ? webhook.secret : `…${webhook.secret_hint}`],
    ]);
    if ('secret' in webhook) {
      output.line(output.palette.warning('! The secret is shown once: store it now.'));
    }
    if (webhook.status !== 'verified') output.next(`tonearm webhooks ping ${webhook.id}`);
  });
}

async function ping(context: Context, id: string): Promise<void> {
  const webhook = await context.client().webhooks.ping(id, { signal: context.signal });
  printWebhook(context, webhook);
  if (webhook.status === 'verified') return;
  const answer = pingText(webhook) ?? 'no answer';
  throw new Failure(
    'notDelivered',
    'not_verified',
    `The endpoint must answer 200 within 10 s: ${answer}.`,
  );
}

async function rotate(context: Context, id: string, grace?: string): Promise<void> {
  const graceMs = grace === undefined ? undefined : durationMs(grace);
  if (grace !== undefined && graceMs === undefined)
    throw usageFailure('--grace is a time such as 0s, 6h or 1d.');
  await confirm(
    context,
    `Rotate the secret of ${id}? Receivers need the new one within ${grace ?? '1d'}.`,
  );
  const body = graceMs === undefined ? {} : { grace_period_seconds: graceMs / 1_000 };
  printWebhook(
    context,
    await context.client().webhooks.rotateSecret(id, body, { signal: context.signal }),
  );
}

/** Rounds of 10,000 events, until nothing is left. */
async function recover(
  { client, output, signal }: Context,
  id: string,
  since: string,
): Promise<void> {
  const ms = durationMs(since);
  const from = ms === undefined ? since : new Date(Date.now() - ms).toISOString();
  let count = 0;
  for (let hasMore = true; hasMore;) {
    const round = await client().webhooks.redeliver(id, { since: from }, { signal });
    count += round.count;
    hasMore = round.has_more;
  }
  output.result({ count }, () => {
    output.line(`${count} undelivered events are sent again, in any order.`);
    output.next('tonearm events list --delivery-status undelivered');
  });
}

type CreateOptions = { readonly events: string[]; readonly description?: string };

async function create(
  context: Context,
  url: string,
  { events, description }: CreateOptions,
): Promise<void> {
  const body = { url, event_type: events, ...(description !== undefined && { description }) };
  printWebhook(
    context,
    await context.client().webhooks.create(body as CreateWebhook, { signal: context.signal }),
  );
}

async function list(context: Context, options: ListOptions): Promise<void> {
  const { client, output, signal } = context;
  const pager = client().webhooks.list({ limit: pageSize(options) }, { signal });
  printList(context, await readList(pager, options), {
    columns: [
      { title: 'Webhook' },
      { title: 'URL', shrinksTo: 16 },
      { title: 'Events', shrinksTo: 8, leaveOut: 1 },
      { title: 'Status' },
    ],
    row: (webhook) => [
      webhook.id,
      webhook.url,
      webhook.event_type.join(', '),
      {
        text: statusText(webhook.status),
        paint: (text) => paintStatus(output.palette, webhook.status, text),
      },
    ],
    ifEmpty: 'There is no webhook.',
    next: (items) =>
      items.length === 0 ? ['tonearm webhooks create https://example.com/hooks'] : [],
  });
}

export function addWebhookCommands(program: Command): void {
  const webhooks = program.command('webhooks').description('register receivers of events');
  runs<CreateOptions>(
    webhooks
      .command('create')
      .argument('<url>')
      .option('--events <types>', 'the types, with commas between them; * is all', listOption, [
        '*',
      ])
      .option('--description <text>', 'for you')
      .description('register a URL; it is pinged at once'),
    (context, [url = ''], options) => create(context, url, options),
  );
  runs<ListOptions>(
    addListOptions(webhooks.command('list').description('list webhooks')),
    (context, _, options) => list(context, options),
  );
  runs(
    webhooks.command('ping').argument('<webhook>').description('ping a webhook; 200 verifies it'),
    (context, [id = '']) => ping(context, id),
  );
  runs<{ grace?: string }>(
    webhooks
      .command('rotate-secret')
      .argument('<webhook>')
      .option('--grace <time>', 'how long the old secret still works, such as 0s or 1d')
      .description('make a new secret (asks first)'),
    (context, [id = ''], { grace }) => rotate(context, id, grace),
  );
  runs<{ since: string }>(
    webhooks
      .command('recover')
      .argument('<webhook>')
      .requiredOption('--since <time>', 'an instant, or how long ago, such as 6h')
      .description('send the undelivered events again'),
    (context, [id = ''], { since }) => recover(context, id, since),
  );
  runs(
    webhooks.command('delete').argument('<webhook>').description('delete a webhook (asks first)'),
    async (context, [id = '']) => {
      await confirm(context, `Delete ${id}? Its pending events are not sent any more.`);
      await context.client().webhooks.delete(id, { signal: context.signal });
      context.output.result({ id, deleted: true }, () => context.output.line(`${id} is deleted.`));
    },
  );
}
