/** A delivery's stores are sent the release as it is now: those that refused it, or those that have it. */
import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Load, Step, StorePart } from '../domain/store-part.ts';
import { requested } from '../domain/timeline.ts';
import { lookAtDelivery } from '../messages.ts';
import { registerMessages } from '../store/messages.ts';
import { partsOf } from '../store/parts.ts';
import { changeDelivery } from './change-delivery.ts';
import type { Comparison } from './compare-revisions.ts';
import type { Consigned } from './consign.ts';
import type { WholeDelivery } from './create-delivery.ts';

type Anew = {
  readonly type: 'resubmission' | 'update';
  readonly delivery: Delivery;
  readonly parts: readonly StorePart[];
  readonly consigned: Consigned;
  readonly compared: ReadonlyMap<number, Comparison>;
  readonly move: (part: StorePart, now: Date, load: Load) => Step | undefined;
};

export async function sendAnew(
  tx: Tx,
  { type, delivery, parts, consigned, compared, move }: Anew,
): Promise<WholeDelivery> {
  const { revision } = consigned.snapshot.release;
  const change = changeDelivery(tx, delivery);
  change.set({ revision, dispatches: 0 });
  for (const [since, group] of Map.groupBy(parts, (part) => part.revision)) {
    change.tell(
      requested(type, {
        stores: group.map(({ storeId }) => storeId),
        revision,
        actor: tx.actor,
        changed_since: since,
        changes: compared.get(since)?.changes,
      }),
    );
  }
  const moved: StorePart[] = [];
  for (const part of parts) {
    const territoryCodes = consigned.territoriesOf.get(part.storeId) ?? part.territoryCodes;
    const step = move(part, tx.now, { revision, territoryCodes, messageId: tx.newId('msg') });
    if (step === undefined) continue;
    change.take(part, step);
    moved.push(step.part);
  }
  registerMessages(tx, delivery.id, moved);
  const next = await change.write();
  enqueueDurably(tx, lookAtDelivery(tx.orgId, delivery.id, 'dispatch'));
  return { delivery: next, parts: await partsOf(tx, tx.orgId, delivery.id) };
}
