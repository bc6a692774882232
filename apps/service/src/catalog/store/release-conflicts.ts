/** Releases that have a code or a reference that another one is about to get. */

import { type ReleaseId, toUuid } from '../../kernel/ids.ts';
import type { Ean } from '../../kernel/product-code.ts';
import type { Upc } from '../../kernel/upc.ts';
import { defineColumns, idColumn, plain, type Row } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { ConflictingRelease } from '../domain/release.ts';

const conflictsMax = 1_000;

const conflicting = defineColumns<ConflictingRelease>({
  id: idColumn('rel'),
  status: plain(),
  upc: plain(),
  ean: plain(),
  label: plain(),
  releaseDate: plain(),
  reference: plain(),
});

type ConflictQuery = {
  readonly upc: { readonly is: Upc } | 'own' | 'any';
  /** Of the request; null or undefined if it has none. */
  readonly ean: Ean | null | undefined;
  readonly reference: string | null | undefined;
};

/**
 * Other releases with the same UPC or EAN that are not drafts, or with the same reference. `own` compares the codes that
 * the release already has, so that this query leaves in the same round trip as the one that reads the release; `any`
 * compares no UPC. A UPC is an EAN without its leading 0; another digit there makes a candidate that
 * `refuseDuplicate` drops.
 */
export async function findConflictingReleases(
  tx: Tx,
  id: ReleaseId,
  { upc, ean, reference }: ConflictQuery,
): Promise<ConflictingRelease[]> {
  const [orgId, releaseId] = [toUuid(tx.orgId), toUuid(id)];
  const sentUpc = typeof upc === 'string' ? null : upc.is;
  const sent = sql`select ${sentUpc}::text as upc, ${ean ?? null}::text as ean`;
  const own = sql`select upc, ean from releases where org_id = ${orgId} and id = ${releaseId}`;
  const codes = upc === 'own' ? sql`${sent} union all ${own}` : sent;
  const hasCodes = upc !== 'any' || (ean ?? null) !== null;
  const isSame = sql`(upc = any (array(select unnest(array[upc, substr(ean, 2)]) from (${codes}) named))
                      or ean = any (array(select unnest(array[ean, '0' || upc]) from (${codes}) named)))`;
  // Only what is compared is in the text: a comparison with null costs nothing, so PostgreSQL would plan the statement for
  // its values at every execution, which takes longer than to execute it.
  const [first, ...others] = [
    ...(hasCodes ? [sql`(${isSame} and status <> 'draft')`] : []),
    ...((reference ?? null) === null ? [] : [sql`reference = ${reference}`]),
  ];
  if (first === undefined) return [];
  const rows = await tx.query<Row>(sql`
    select ${conflicting.names}
      from releases
     where org_id = ${orgId}
       and id <> ${releaseId}
       and (${others.reduce((either, other) => sql`${either} or ${other}`, first)})
     limit ${conflictsMax}
  `);
  return rows.map(conflicting.read);
}
