/** One release at the store: it is delivered, corrected if it is refused, updated, and perhaps taken down. */

import { setTimeout as wait } from 'node:timers/promises';
import { type Id, toUuid, toWire } from '../../src/kernel/ids.ts';
import { hangMs } from './hang-limit.ts';
import type { KillableProcesses } from './killable-processes.ts';
import type { Query } from './lasting-queries.ts';
import type { Random } from './random.ts';

export type DdexRelease = {
  readonly id: string;
  readonly code: string;
  /** Digests of its files. */
  readonly digests: readonly string[];
};

export type DdexScenario = {
  readonly release: DdexRelease;
  readonly updates: number;
  /** What an update or a takedown waits for: the answer to the message before, its manifest at the store, or nothing. */
  readonly waitsFor: 'answer' | 'manifest' | 'nothing';
  readonly isTakenDown: boolean;
  deliveryId: string;
  title: string;
  failure: string | undefined;
};

export const drawScenario = (random: Random, release: DdexRelease): DdexScenario => ({
  release,
  updates: random.below(3),
  waitsFor: random.pick(['answer', 'manifest', 'nothing'] as const),
  isTakenDown: random.below(3) === 0,
  deliveryId: '',
  title: '',
  failure: undefined,
});

export type DdexContext = {
  readonly processes: KillableProcesses;
  readonly query: Query;
  readonly key: string;
  readonly storeId: string;
  /** The store has written an answer to the message that the service has not taken yet. */
  readonly hasAnswerWaiting: (messageId: string) => boolean;
};

export async function runScenario(context: DdexContext, scenario: DdexScenario): Promise<void> {
  try {
    await deliver(context, scenario);
    for (let update = 1; update <= scenario.updates; update++) {
      await correct(context, scenario, `Update ${update}`);
      await request(context, `/v1/deliveries/${scenario.deliveryId}/update`, {});
      if (scenario.waitsFor === 'answer') await untilAccepted(context, scenario);
      if (scenario.waitsFor === 'manifest') await untilSent(context, scenario);
    }
    if (scenario.isTakenDown) {
      await request(context, `/v1/deliveries/${scenario.deliveryId}/takedown`, {});
      await untilAnswered(context, scenario, ['taken_down']);
    } else await untilAccepted(context, scenario);
  } catch (error) {
    scenario.failure = error instanceof Error ? error.message : String(error);
  }
}

async function deliver(context: DdexContext, scenario: DdexScenario): Promise<void> {
  const body = {
    release_id: scenario.release.id,
    stores: [context.storeId],
    territory_codes: ['WORLDWIDE'],
  };
  const delivery = await request(context, '/v1/deliveries', body);
  scenario.deliveryId = String(delivery['id']);
  await untilAccepted(context, scenario);
}

/** A refused message is corrected and sent again; the store refuses a release once. */
async function untilAccepted(context: DdexContext, scenario: DdexScenario): Promise<void> {
  for (;;) {
    const status = await untilAnswered(context, scenario, [
      'delivered',
      'rejected',
      'update rejected',
    ]);
    if (status === 'delivered') return;
    await correct(context, scenario, 'Corrected');
    const action = status === 'rejected' ? 'resubmit' : 'update';
    await request(context, `/v1/deliveries/${scenario.deliveryId}/${action}`, {});
  }
}

async function correct(context: DdexContext, scenario: DdexScenario, title: string): Promise<void> {
  const path = `/v1/releases/${scenario.release.id}`;
  scenario.title = title;
  await request(context, path, { title }, 'PATCH');
}

async function request(
  { processes, key }: DdexContext,
  path: string,
  body: object,
  method: 'POST' | 'PATCH' = 'POST',
): Promise<Record<string, unknown>> {
  const { status, text } = await processes.send({ method, path, body, key });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

const pollMs = 300;

/** The newest message, once no answer waits to be applied. */
type Newest = {
  readonly message_id: string;
  readonly status: string;
  readonly message_state: string;
  readonly batch: string | null;
};

async function until(
  { query }: DdexContext,
  { deliveryId }: DdexScenario,
  isReached: (newest: Newest) => boolean,
): Promise<Newest> {
  const deadline = Date.now() + hangMs;
  for (;;) {
    const [row] = await query<Newest>(
      `select case when delivery_stores.update ->> 'status' = 'rejected' then 'update rejected' else status end as status,
              message_id, message_state, store_batches.state as batch
         from delivery_stores left join store_batches using (org_id, message_id)
        where delivery_stores.delivery_id = $1
          and not exists (select from store_answers where store_answers.delivery_id = $1)`,
      [toUuid(deliveryId as Id<'dlv'>)],
    );
    if (row !== undefined && isReached(row)) return row;
    if (Date.now() > deadline)
      throw new Error(`${deliveryId} does not end: ${JSON.stringify(row ?? 'unapplied answers')}`);
    await wait(pollMs);
  }
}

const isSent = ({ message_state }: Newest): boolean => message_state === 'sent';

const untilSent = (context: DdexContext, scenario: DdexScenario): Promise<Newest> =>
  until(context, scenario, isSent);

/**
 * Until the newest message is sent and answered, the answer is applied, and the status is one of these. A batch is
 * acknowledged in one transaction, and its answer recorded in the next: the file is gone after both.
 */
async function untilAnswered(
  context: DdexContext,
  scenario: DdexScenario,
  statuses: readonly string[],
): Promise<string> {
  const { status } = await until(
    context,
    scenario,
    (newest) =>
      isSent(newest) &&
      newest.batch === 'acknowledged' &&
      statuses.includes(newest.status) &&
      !context.hasAnswerWaiting(toWire('msg', newest.message_id)),
  );
  return status;
}
