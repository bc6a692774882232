/**
 * Deliveries of the fictional catalogue, and what their stores say. Every move looks first where a store stands:
 * done again, it finds nothing to do.
 */

import { editRelease, findReleaseByReference } from '../../catalog/face.ts';
import {
  answerForStore,
  createDelivery,
  type DeliveryId,
  findDeliveryIdByReference,
  listStoreDeliveries,
  type StoreDelivery,
  takeDownDelivery,
  updateStores,
} from '../../delivery/face.ts';
import { findOrganization, isLicensedFor } from '../../identity/face.ts';
import { worldwide } from '../../kernel/territory.ts';
import { findStores } from '../../network/face.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { SimulatedReply } from '../domain/reaction.ts';
import type { SeedDelivery } from '../domain/seed-delivery-plan.ts';
import { translateReply } from './simulate-store.ts';

const appendSeedAudit = (tx: Tx, action: string, subject: string): void =>
  appendAudit(tx, { action, auditedId: subject, requestId: undefined });

export async function seedDelivery(tx: Tx, plan: SeedDelivery): Promise<void> {
  const [known, release, stores] = await Promise.all([
    findDeliveryIdByReference(tx, plan.reference),
    findReleaseByReference(tx, plan.release),
    reachableStores(tx, plan.stores),
  ]);
  // A network without these stores, or a licence that leaves none of them: then there is no such delivery.
  if (known !== undefined || release === undefined || stores.length === 0) return;
  const { delivery } = await createDelivery(tx, {
    releaseId: release.id,
    stores,
    territoryCodes: [worldwide],
    reference: plan.reference,
    metadata: { origin: 'seed' },
  });
  appendSeedAudit(tx, 'delivery.create', delivery.id);
}

async function reachableStores(tx: Tx, wanted: readonly string[]): Promise<readonly string[]> {
  const [stores, account] = await Promise.all([
    findStores(tx, wanted),
    findOrganization(tx, tx.orgId),
  ]);
  const licence = account?.licensedTerritories ?? [];
  return stores
    .filter(({ territoryCodes }) => territoryCodes.some((code) => isLicensedFor(licence, code)))
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

/** What stores say to what they were sent first. */
export async function answerDelivery(tx: Tx, plan: SeedDelivery): Promise<void> {
  const standing = await findSeededDelivery(tx, plan.reference);
  if (standing === undefined) return;
  const awaited = standing.storeDeliveries.filter(({ status }) => status === 'in_progress');
  await answerAll(tx, plan, standing.id, awaited, plan.answers);
}

const yes: SimulatedReply = { says: 'yes' };

/** What stores say to being asked to remove it. */
export async function answerTakedown(tx: Tx, plan: SeedDelivery): Promise<void> {
  const standing = await findSeededDelivery(tx, plan.reference);
  if (standing === undefined) return;
  const awaited = standing.storeDeliveries.filter(({ status }) => status === 'takedown_requested');
  const answers = Object.fromEntries(plan.removedFromStores.map((storeId) => [storeId, yes]));
  await answerAll(tx, plan, standing.id, awaited, answers);
}

async function answerAll(
  tx: Tx,
  plan: SeedDelivery,
  id: DeliveryId,
  awaited: readonly StoreDelivery[],
  answers: Readonly<Record<string, SimulatedReply>>,
): Promise<void> {
  const release = await findReleaseByReference(tx, plan.release);
  if (release === undefined) return;
  for (const { storeId, message } of awaited) {
    const word = answers[storeId];
    if (word === undefined || message.state !== 'sent') continue;
    const spoken = { kind: message.kind, storeId, upc: release.upc };
    await answerForStore(tx, id, storeId, translateReply(word, spoken));
    appendSeedAudit(tx, 'sandbox.answer', id);
  }
}

/** What comes after it was delivered: it is taken down again, or sent with something changed. */
export async function changeDelivery(tx: Tx, plan: SeedDelivery): Promise<void> {
  const standing = await findSeededDelivery(tx, plan.reference);
  if (standing === undefined) return;
  const delivered = standing.storeDeliveries.filter(({ status }) => status === 'delivered');
  const unwanted = delivered
    .map(({ storeId }) => storeId)
    .filter((storeId) => plan.takedownRequestedStores.includes(storeId));
  if (unwanted.length > 0) {
    const reason = 'The licence of a sample has ended.';
    await takeDownDelivery(tx, standing.id, { stores: unwanted, reason });
    appendSeedAudit(tx, 'delivery.takedown', standing.id);
  }
  const isUpdated = delivered.some(({ pendingRevision }) => pendingRevision !== null);
  if (plan.newGenre !== null && delivered.length > 0 && !isUpdated) {
    await update(tx, plan, standing.id, plan.newGenre);
  }
}

async function update(tx: Tx, plan: SeedDelivery, id: DeliveryId, genre: string): Promise<void> {
  const release = await findReleaseByReference(tx, plan.release);
  if (release === undefined) return;
  await editRelease(tx, {
    id: release.id,
    edit: { genre },
    status: undefined,
    isExpected: () => true,
  });
  appendSeedAudit(tx, 'release.update', release.id);
  await updateStores(tx, id, undefined);
  appendSeedAudit(tx, 'delivery.update', id);
}
