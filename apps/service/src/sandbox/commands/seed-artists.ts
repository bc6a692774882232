/** Artists and labels of the fictional catalogue. Existing ones are not changed. */

import {
  createArtist,
  createLabel,
  listArtists,
  listLabels,
  presentLabel,
  presentRegisteredArtist,
} from '../../catalog/face.ts';
import { sandboxQuotas } from '../../identity/face.ts';
import { allStores } from '../../network/face.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type SeedArtist, seedArtists } from '../domain/seed-artists.ts';

const first = { limit: 1, after: undefined };

export async function ensureSeedLabel(tx: Tx, name: string): Promise<void> {
  const { items } = await listLabels(tx, tx.orgId, { name }, first);
  if (items.length > 0) return;
  const label = await createLabel(
    tx,
    { name, pLineOwner: name, cLineOwner: name, metadata: { origin: 'seed' } },
    sandboxQuotas,
  );
  const after = presentLabel(label);
  appendAudit(tx, { action: 'label.create', auditedId: label.id, before: undefined, after });
}

/** The entries, with the artists behind those whose names are in the plan. */
export async function withSeedArtists<Entry extends { readonly name: string }>(
  tx: Tx,
  entries: readonly Entry[],
): Promise<readonly (Entry & { readonly artistId?: string })[]> {
  const named: (Entry & { readonly artistId?: string })[] = [];
  for (const entry of entries) {
    const plan = seedArtists.find(({ name }) => name === entry.name);
    named.push(plan === undefined ? entry : { ...entry, artistId: await ensureArtist(tx, plan) });
  }
  return named;
}

async function ensureArtist(tx: Tx, plan: SeedArtist): Promise<string> {
  const { reference, name, localizedNames = {} } = plan;
  const [known] = (await listArtists(tx, tx.orgId, { reference }, first)).items;
  if (known !== undefined) return known.id;
  const storeProfiles = await profilesOf(tx, plan);
  const metadata = { origin: 'seed' };
  const artist = await createArtist(
    tx,
    { reference, name, localizedNames, storeProfiles, metadata },
    sandboxQuotas,
  );
  const after = presentRegisteredArtist(artist);
  appendAudit(tx, { action: 'artist.create', auditedId: artist.id, before: undefined, after });
  return artist.id;
}

/** At the stores whose rules ask for a profile. */
async function profilesOf(
  tx: Tx,
  { reference, pages }: SeedArtist,
): Promise<Readonly<Record<string, string>>> {
  if (pages === 'unset') return {};
  const stores = (await allStores(tx)).filter(({ rulePack }) => rulePack !== 'base');
  return Object.fromEntries(
    stores.map(({ storeId }) => [storeId, pages === 'new' ? 'new' : `${storeId}-${reference}`]),
  );
}
