/** One organization has 200 requests at once that wait for one lock: each holds a connection, or waits for one. */

import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { toUuid, type Id } from '../../src/kernel/ids.ts';
import { databaseUrl, type OrgClient, type TestService } from '../test-service.ts';
import { openClient } from './client.ts';

const requestsAtOnce = 200;

/** Runs `work` meanwhile; returns its result, and how many requests were refused and how many waited. */
export async function besideLock<T>(
  service: TestService,
  url: string,
  { caller, releaseId }: { readonly caller: OrgClient; readonly releaseId: string },
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly refused: number; readonly served: number }> {
  const locker = new pg.Client(databaseUrl(service.database));
  await locker.connect();
  await locker.query('begin');
  await locker.query('select 1 from releases where id = $1 for update', [
    toUuid(releaseId as Id<'rel'>),
  ]);
  const client = openClient(url, requestsAtOnce);
  const state = { isOver: false };
  let [refused, served] = [0, 0];
  const flood = Array.from({ length: requestsAtOnce }, async (_, i) => {
    while (!state.isOver) {
      const { status, headers } = await client.send({
        method: 'PATCH',
        path: `/v1/releases/${releaseId}`,
        key: caller.key,
        body: { title: `Title ${i}` },
      });
      if (status === 200) served++;
      else refused++;
      await wait(1_000 * Number(headers['retry-after'] ?? 1));
    }
  });
  try {
    return { result: await work(), refused, served };
  } finally {
    state.isOver = true;
    await locker.query('commit');
    await locker.end();
    await Promise.allSettled(flood);
    await client.close();
  }
}
