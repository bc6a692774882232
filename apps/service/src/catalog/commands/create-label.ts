import { enforce } from '../../kernel/problem.ts';
import { type QuotaPolicy, refuseBeyond } from '../../kernel/quota.ts';
import { documentedTerritories } from '../../kernel/territory.ts';
import { findTerritoryAvailability, refuseTerritories } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Label, type LabelContent, refuseTakenLabel } from '../domain/label.ts';
import { enforceCatalogQuotas, findCatalogUsage } from '../store/catalog-usage.ts';
import { findConflictingLabels, insertLabel } from '../store/labels.ts';

export type NewLabel = Pick<LabelContent, 'name'> & Partial<LabelContent>;

export async function createLabel(tx: Tx, draft: NewLabel, quotas: QuotaPolicy): Promise<Label> {
  const codes = draft.defaultTerritories ?? null;
  const label: Label = {
    reference: null,
    metadata: {},
    pLineOwner: null,
    cLineOwner: null,
    ...draft,
    defaultTerritories: codes && documentedTerritories(codes),
    id: tx.newId('lbl'),
    isDefault: false,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  const [conflicts, availability, usage] = await Promise.all([
    findConflictingLabels(tx, label.id, label),
    findTerritoryAvailability(tx, codes ?? []),
    findCatalogUsage(tx),
  ]);
  enforce(
    (codes ? refuseTerritories(codes, availability, 'default_territories') : undefined) ??
      refuseTakenLabel(label, conflicts) ??
      refuseBeyond(quotas, 'labels', usage.labels + 1),
  );
  insertLabel(tx, label);
  enforceCatalogQuotas(tx, { labels: quotas.labels });
  return label;
}
