/** Work that is not done in the proof `poison`: a text for each row and each invocation, for the result of a failed run. */

import { queryEngine } from '../../src/platform/engine/admin.ts';
import type { PoisonFixture } from './poison-fixture.ts';

export type Leftovers = Readonly<
  Record<'notReady' | 'overdue' | 'inOutbox' | 'inEngine', readonly string[]>
>;

const rowsAsJson = async ({ serviceWithEngine }: PoisonFixture, from: string): Promise<string[]> =>
  (
    await serviceWithEngine.service.query(`select row_to_json(each)::text as text from ${from}`)
  ).map(({ text }) => text);

export const findFilesNotReady = (fixture: PoisonFixture): Promise<string[]> =>
  rowsAsJson(fixture, `assets each where status <> 'ready' and content_type = 'audio/wav'`);

export async function findLeftovers(fixture: PoisonFixture): Promise<Leftovers> {
  const [notReady, overdue, inOutbox, invocations] = await Promise.all([
    findFilesNotReady(fixture),
    rowsAsJson(
      fixture,
      `timers each where state in ('waiting', 'firing') and due_at < now() - interval '5 seconds'`,
    ),
    rowsAsJson(fixture, 'outbox each'),
    queryEngine<Record<string, unknown>>(
      fixture.serviceWithEngine.urls.adminUrl,
      `select target, status, retry_count, last_failure, pinned_deployment_id, modified_at from sys_invocation
        where status not in ('completed', 'scheduled') and target_service_name <> 'canary'`,
    ),
  ]);
  return { notReady, overdue, inOutbox, inEngine: invocations.map((row) => JSON.stringify(row)) };
}
