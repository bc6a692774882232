/** The runs of `prove money`: each command is repeated until it has succeeded once. */

import { type Id, toUuid, toWire } from '../../src/kernel/ids.ts';
import type { Json } from '../delivery-fixture.ts';
import type { MoneyOffice } from './money-operator.ts';
import type { MoneyStack } from './money-stack.ts';

const statusOf = async ({ query }: MoneyStack, id: string): Promise<Json> =>
  (await query('select * from royalty_runs where id = $1', [toUuid(id as Id<'run'>)]))[0];

/** Until the calculation has ended. */
export async function calculate(
  { stack }: MoneyOffice,
  month: string,
  rateSet: string,
): Promise<Id<'run'>> {
  const { id } = await stack.admin(
    ['runs', 'create', '--month', month, '--fx-set', rateSet],
    async () => {
      const [row] = await stack.query(
        `select id from royalty_runs where closed_at is null and status <> 'discarded'`,
      );
      return row && { id: toWire('run', row.id) };
    },
  );
  await stack.waitFor(
    `the run of ${month} is calculated`,
    async () => (await statusOf(stack, id))?.status === 'review',
  );
  return id;
}

export async function discard({ stack }: MoneyOffice, id: string): Promise<void> {
  await stack.admin(['runs', 'discard', '--run', id], async () => {
    const run = await statusOf(stack, id);
    return run.status === 'discarded' ? run : undefined;
  });
  await stack.waitFor(
    `${id} is removed`,
    async () => (await statusOf(stack, id)).removed_at !== null,
  );
}

export async function approveAndClose({ stack }: MoneyOffice, id: string): Promise<void> {
  await stack.admin(['runs', 'approve', '--run', id], async () => {
    const run = await statusOf(stack, id);
    return run.status === 'approved' ? run : undefined;
  });
  await stack.admin(['runs', 'close', '--run', id], async () => {
    const run = await statusOf(stack, id);
    return run.closing_at === null ? undefined : run;
  });
  await stack.waitFor(
    `${id} is closed`,
    async () => (await statusOf(stack, id)).status === 'closed',
  );
}

/** Whether the run is blocked because a rate is missing, and cannot be approved. */
export async function isBlocked({ stack }: MoneyOffice, id: string): Promise<boolean> {
  const { review } = await statusOf(stack, id);
  const isNamed = (review.problems as string[]).some((text) => text.includes('has no rate'));
  const refusal = await stack.admin(['runs', 'approve', '--run', id]).then(
    () => undefined,
    (error: unknown) => error,
  );
  return isNamed && refusal !== undefined;
}
