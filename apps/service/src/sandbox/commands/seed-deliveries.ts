/**
 * Deliveries of the fictional catalogue, and what their stores and the partner do with them. Every step first reads the
 * status of each store delivery: repeated, it finds nothing to do.
 */

import { editRelease, findReleaseByReference, presentRelease } from '../../catalog/face.ts';
import {
  answerForStore,
  createDelivery,
  type DeliveryId,
  type DeliveryWithStores,
  findDeliveryIdByReference,
  listStoreDeliveries,
  presentDelivery,
  type StoreDelivery,
  takeDownDelivery,
  updateStores,
} from '../../delivery/face.ts';
import { findOrganization, isLicensedFor } from '../../identity/face.ts';
import { productCodeOf } from '../../kernel/product-code.ts';
import { worldwide } from '../../kernel/territory.ts';
import { findStores } from '../../network/face.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { SimulatedReply } from '../domain/reaction.ts';
import type { SeedDelivery } from '../domain/seed-delivery-plan.ts';
import { translateReply } from './simulate-store.ts';

const appendSeedAudit = (
  tx: Tx,
  action: string,
  { before, after }: { readonly before?: DeliveryWithStores; readonly after: DeliveryWithStores },
): void =>
  appendAudit(tx, {
    action,
    auditedId: after.delivery.id,
    before: before && presentDelivery(before.delivery, before.storeDeliveries),
    after: presentDelivery(after.delivery, after.storeDeliveries),
  });

export async function seedDelivery(tx: Tx, plan: SeedDelivery): Promise<void> {
  const [known, release, stores] = await Promise.all([
    findDeliveryIdByReference(tx, plan.reference),
    findReleaseByReference(tx, plan.release),
    findLicensedStores(tx, plan.stores),
  ]);
  // No delivery if the network lacks these stores, or the organization is licensed for none of them.
  if (known !== undefined || release === undefined || stores.length === 0) return;
  const created = await createDelivery(tx, {
    releaseId: release.id,
    stores,
    territoryCodes: [worldwide],
    reference: plan.reference,
    metadata: { origin: 'seed' },
  });
  appendSeedAudit(tx, 'delivery.create', { after: created });
}

async function findLicensedStores(tx: Tx, storeIds: readonly string[]): Promise<readonly string[]> {
  const [stores, organization] = await Promise.all([
    findStores(tx, storeIds),
    findOrganization(tx, tx.orgId),
  ]);
  const licensed = organization?.licensedTerritories ?? [];
  return stores
    .filter(({ territoryCodes }) => territoryCodes.some((code) => isLicensedFor(licensed, code)))
    .map(({ storeId }) => storeId);
}

type SeededDelivery = {
  readonly id: DeliveryId;
  readonly storeDeliveries: readonly StoreDelivery[];
};

async function findSeededDelivery(tx: Tx, reference: string): Promise<SeededDelivery | undefined> {
  const id = await findDeliveryIdByReference(tx, reference);
  return id && { id, storeDeliveries: await listStoreDeliveries(tx, tx.orgId, id) };
}

/** The stores' replies to the first message. */
export async function answerDelivery(tx: Tx, plan: SeedDelivery): Promise<void> {
  const delivery = await findSeededDelivery(tx, plan.reference);
  if (delivery === undefined) return;
  const awaited = delivery.storeDeliveries.filter(({ status }) => status === 'in_progress');
  await answerAll(tx, plan, delivery.id, awaited, plan.answers);
}

export type ChangeName = 'earlier' | 'latest';

/** Stores reject the update that they were sent, or flag or remove the release they have. */
export async function answerChange(tx: Tx, plan: SeedDelivery, name: ChangeName): Promise<void> {
  const delivery = await findSeededDelivery(tx, plan.reference);
  if (delivery === undefined) return;
  const { answers } = plan[name];
  const awaited = delivery.storeDeliveries.filter(({ status, storeId, update }) => {
    const isToUpdate = answers[storeId]?.says === 'no';
    return status === 'delivered' && isToUpdate === (update?.status === 'pending');
  });
  await answerAll(tx, plan, delivery.id, awaited, answers);
}

async function answerAll(
  tx: Tx,
  plan: SeedDelivery,
  id: DeliveryId,
  awaited: readonly StoreDelivery[],
  answers: Readonly<Record<string, SimulatedReply>>,
): Promise<void> {
  const [release, stores] = await Promise.all([
    findReleaseByReference(tx, plan.release),
    findStores(tx, Object.keys(answers)),
  ]);
  if (release === undefined) return;
  for (const { storeId, capabilities } of stores) {
    const message = awaited.find((each) => each.storeId === storeId)?.message;
    const reply = answers[storeId];
    if (reply === undefined || message?.state !== 'sent') continue;
    const { confirmation } = capabilities;
    const productCode = productCodeOf(release);
    const context = { kind: message.kind, storeId, productCode, confirmation };
    const content = translateReply(reply, context);
    if (content === undefined) continue;
    appendSeedAudit(tx, 'sandbox.answer', await answerForStore(tx, id, { storeId, content }));
  }
}

/** Requests a takedown of what was delivered, or an update of it with another genre. */
export async function changeDelivery(tx: Tx, plan: SeedDelivery, name: ChangeName): Promise<void> {
  const delivery = await findSeededDelivery(tx, plan.reference);
  if (delivery === undefined) return;
  const { takedowns, newGenre } = plan[name];
  const delivered = delivery.storeDeliveries.filter(({ status }) => status === 'delivered');
  const stores = delivered
    .map(({ storeId }) => storeId)
    .filter((storeId) => takedowns.includes(storeId));
  if (stores.length > 0) {
    const reason = 'The license of a sample has ended.';
    const taken = await takeDownDelivery(tx, delivery.id, { stores, reason });
    appendSeedAudit(tx, 'delivery.takedown', taken);
  }
  const isUpdated = delivered.some(({ update }) => update !== null);
  if (newGenre !== null && delivered.length > 0 && !isUpdated) {
    await updateGenre(tx, plan, delivery.id, newGenre);
  }
}

async function updateGenre(
  tx: Tx,
  plan: SeedDelivery,
  id: DeliveryId,
  genre: string,
): Promise<void> {
  const release = await findReleaseByReference(tx, plan.release);
  if (release === undefined) return;
  const edited = await editRelease(tx, {
    id: release.id,
    edit: { genre },
    status: undefined,
    isExpected: () => true,
  });
  appendAudit(tx, {
    action: 'release.update',
    auditedId: release.id,
    before: presentRelease(edited.before),
    after: presentRelease(edited.after),
  });
  const updated = await updateStores(tx, id, { stores: undefined, territoryCodes: undefined });
  appendSeedAudit(tx, 'delivery.update', updated);
}
