import type { OrgId } from '../../src/kernel/ids.ts';
import { appendEvents } from '../../src/platform/db/events.ts';
import type { OrgClient, TestService } from '../test-service.ts';

const eventsPerTransaction = 50;

/** Appends events of type `release.status.changed` in transactions of the worker's role. */
export async function appendBacklog(
  service: TestService,
  { orgId }: OrgClient,
  events: number,
): Promise<void> {
  const owner = { orgId: orgId as OrgId, actor: { type: 'workflow', id: 'proof' } } as const;
  for (let i = 0; i < events; i += eventsPerTransaction) {
    const batch = Array.from({ length: Math.min(eventsPerTransaction, events - i) }, (_, n) => ({
      type: 'release.status.changed',
      data: { n: i + n },
    }));
    await service.workerDb.transact(owner, async (tx) => appendEvents(tx, batch));
  }
}
