/** `deliver rel_… --stores all --watch` */

import { ApiError, type Delivery } from '@tonearm/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { listOption } from '../body.ts';
import { runs } from '../command.ts';
import type { Context } from '../context.ts';
import { usageFailure } from '../failure.ts';
import { durationMs } from '../output/units.ts';
import { printDelivery } from './delivery-view.ts';
import { watchDelivery } from './watch-delivery.ts';

type DeliverOptions = {
  readonly stores: string[];
  readonly territories: string[];
  readonly watch?: boolean;
  readonly timeout: number;
  readonly reference?: string;
};

export function parseTimeout(text: string): number {
  const ms = durationMs(text);
  if (ms === undefined || ms === 0)
    throw new InvalidArgumentError('Use for example 90s, 10m, 6h or 3d.');
  return ms;
}

export const usualTimeoutMs = 600_000;

async function activeStores({ client, signal }: Context): Promise<string[]> {
  const stores = await client().stores.list({ limit: 100 }, { signal }).toArray();
  return stores.filter(({ status }) => status === 'active').map((store) => store.store_id);
}

/** The stores that the refusal names, if it is about stores only. */
function refusedStores(error: unknown, stores: readonly string[]): readonly string[] {
  if (!(error instanceof ApiError) || error.details.length === 0) return [];
  const named = error.details.map(({ field }) => /^stores\[(\d+)\]/.exec(field)?.[1]);
  return named.flatMap((index) => (index === undefined ? [] : (stores[Number(index)] ?? [])));
}

/** With `all`, a store that cannot take the release, for example because of its territories, is left out and named. */
async function createDelivery(
  context: Context,
  release: string,
  options: DeliverOptions,
): Promise<Delivery> {
  const { client, output, signal } = context;
  const isAll = options.stores.includes('all');
  const stores = isAll ? await activeStores(context) : options.stores;
  const send = (chosen: readonly string[]) =>
    client().deliveries.create(
      {
        release_id: release,
        stores: [...chosen],
        territory_codes: options.territories,
        ...(options.reference !== undefined && { reference: options.reference }),
      },
      { signal },
    );
  try {
    return await send(stores);
  } catch (error) {
    const refused = isAll ? refusedStores(error, stores) : [];
    const others = stores.filter((store) => !refused.includes(store));
    if (refused.length === 0 || others.length === 0) throw error;
    output.note(`Left out, because they cannot take this release: ${refused.join(', ')}.`);
    return send(others);
  }
}

async function deliver(context: Context, release: string, options: DeliverOptions): Promise<void> {
  if (options.stores.length === 0)
    throw usageFailure('--stores names no store.', 'tonearm stores list');
  const delivery = await createDelivery(context, release, options);
  if (options.watch === true) await watchDelivery(context, delivery.id, options.timeout);
  else printDelivery(context.output, delivery);
}

export const addDeliverCommand = (program: Command): Command =>
  runs<DeliverOptions>(
    program
      .command('deliver')
      .argument('<release>')
      .description('deliver a submitted release to stores')
      .requiredOption('--stores <ids>', 'all, or ids with commas between them', listOption)
      .option('--territories <codes>', 'WORLDWIDE, or codes with commas between them', listOption, [
        'WORLDWIDE',
      ])
      .option('--reference <text>', 'your own reference')
      .option('-w, --watch', 'wait until every store has answered')
      .option('--timeout <time>', 'how long to wait', parseTimeout, usualTimeoutMs),
    (context, [release = ''], options) => deliver(context, release, options),
  );
