/**
 * A full stack with endpoints of many organizations and one receiver behind all of them. The bench appends the events
 * in transactions of the worker's role, as workflows do; everything after that is real: relay, sequencer, engine and
 * worker.
 */

import type { OrgId } from '../apps/service/src/kernel/ids.ts';
import { toUuid } from '../apps/service/src/kernel/ids.ts';
import { appendEvents } from '../apps/service/src/platform/db/events.ts';
import { openFullStack } from '../apps/service/test/full-stack.ts';
import { runConcurrently } from '../apps/service/test/proofs/client.ts';
import { draft } from '../apps/service/test/test-service.ts';
import { until } from '../scripts/servers/server.ts';
import { openBenchReceiver } from './webhook-receiver.ts';

const settleMs = 240_000;
const eventsPerTransaction = 50;
const writers = 4;
const registrationsAtOnce = 4;

/** The data of an event without its mark. */
export const eventData = draft({ description: 'x'.repeat(400) });

/** Organizations with the same number of endpoints each, and the paths of these at the receiver. */
export type Audience = {
  readonly orgIds: readonly OrgId[];
  readonly paths: ReadonlyMap<OrgId, readonly string[]>;
  readonly endpointsEach: number;
};

export type WebhookFixture = Awaited<ReturnType<typeof webhookFixtureOn>>;

export const openWebhookFixture = async (port: number) =>
  webhookFixtureOn(await openFullStack(port));

/** On a stack that may also be used for something else. */
export async function webhookFixtureOn(stack: Awaited<ReturnType<typeof openFullStack>>) {
  const { service } = stack;
  const receiver = await openBenchReceiver();
  let nextMark = 0;
  let expected = 0;

  const givenOrganization = async (endpoints: number) => {
    const caller = await service.givenOrganization({ tier: 'enterprise', prefix: null });
    const paths = Array.from({ length: endpoints }, (_, i) => `/${caller.orgId}/${i}`);
    const waiting = [...paths];
    await runConcurrently(registrationsAtOnce, async () => {
      const path = waiting.pop();
      if (path === undefined) return false;
      const body = { url: `${receiver.origin}${path}`, event_type: '*' };
      const { json, text } = await caller.call('POST', '/v1/webhooks', body);
      if (json?.status !== 'verified') throw new Error(text);
      return true;
    });
    return { orgId: caller.orgId as OrgId, paths };
  };

  /** Appends one event per mark, in one transaction. */
  const announce = (orgId: OrgId, marks: readonly string[]): Promise<void> =>
    service.workerDb.transact({ orgId, actor: { type: 'workflow', id: 'bench' } }, async (tx) =>
      appendEvents(
        tx,
        marks.map((mark) => ({ type: 'release.created', data: { ...eventData, mark } })),
      ),
    );
  const newMarks = ({ endpointsEach }: Audience, count: number): string[] => {
    expected += count * endpointsEach;
    return Array.from({ length: count }, () => String(nextMark++));
  };
  const countPending = async ({ orgIds }: Audience): Promise<number> => {
    const [row] = await service.query(
      `select count(*)::int as pending from webhook_deliveries where org_id = any($1) and status = 'pending'`,
      [orgIds.map(toUuid)],
    );
    return row.pending as number;
  };
  /** Waits until every event has arrived and every webhook delivery is recorded as delivered. */
  const untilDelivered = async (audience: Audience): Promise<void> => {
    await until('all events have arrived', () => receiver.received() >= expected, settleMs);
    await until(
      'all deliveries are recorded',
      async () => (await countPending(audience)) === 0,
      settleMs,
    );
  };

  return {
    ...stack,
    receiver,
    newMarks,
    announce,
    untilDelivered,
    /** Stops waiting for the events that have not arrived. */
    skipMissing: () => void (expected = receiver.received()),
    givenAudience: async (organizations: number, endpointsEach: number): Promise<Audience> => {
      const paths = new Map<OrgId, readonly string[]>();
      while (paths.size < organizations) {
        const { orgId, paths: organizationPaths } = await givenOrganization(endpointsEach);
        paths.set(orgId, organizationPaths);
      }
      return { orgIds: [...paths.keys()], paths, endpointsEach };
    },
    /** Appends `eventsEach` events of every organization and waits until the last delivery is recorded. */
    deliver: async (audience: Audience, eventsEach: number): Promise<void> => {
      const batches = audience.orgIds.flatMap((orgId) => {
        const marks = newMarks(audience, eventsEach);
        return Array.from({ length: Math.ceil(eventsEach / eventsPerTransaction) }, () => ({
          orgId,
          marks: marks.splice(0, eventsPerTransaction),
        }));
      });
      await runConcurrently(writers, async () => {
        const batch = batches.shift();
        if (batch === undefined) return false;
        await announce(batch.orgId, batch.marks);
        return true;
      });
      await untilDelivered(audience);
    },
    close: async () => {
      await receiver.close();
      await stack.close();
    },
  };
}
