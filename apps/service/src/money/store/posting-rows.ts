/** Postings as the arguments of the functions that post them (migration 0025), which number the entries and add them up. */

import { type OrgId, toUuid } from '../../kernel/ids.ts';
import { formatMicros } from '../../kernel/money.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Sql, sql } from '../../platform/db/sql.ts';
import { type Entry, type Posting, requireBalanced } from '../domain/ledger.ts';

/** Who posts, and when by business time. */
export type Origin = Pick<Tx, 'actor' | 'now' | 'newId'>;

/** A posting of a run, which posts for many organizations. */
export type RunPosting = Posting & { readonly orgId: OrgId };

/** Throws for a posting that is not balanced, here and below. */
export function postToLedger(posting: Posting, origin: Origin): Sql {
  requireBalanced(posting);
  return sql`
    select post_to_ledger(${toUuid(origin.newId('ltx'))}, ${posting.key}, ${originOf(origin)}, ${columnsOf(posting.entries)})
  `;
}

/** No organization may occur twice. */
export function postToLedgers(postings: readonly RunPosting[], origin: Origin): Sql {
  const numbers: number[] = [];
  const entries: Entry[] = [];
  for (const [i, posting] of postings.entries()) {
    requireBalanced(posting);
    for (const entry of posting.entries) {
      numbers.push(i + 1);
      entries.push(entry);
    }
  }
  return sql`
    select post_to_ledgers(
      ${arrayOf(postings, ({ orgId }) => toUuid(orgId))}::uuid[],
      ${arrayOf(postings, () => toUuid(origin.newId('ltx')))}::uuid[],
      ${postings.map(({ key }) => key)}::text[], ${originOf(origin)},
      ${arrayOf(numbers, String)}::int[], ${columnsOf(entries)})
  `;
}

const originOf = ({ now, actor }: Origin): Sql =>
  sql`${now}::timestamptz, ${actor.type}, ${actor.id}`;

const columnsOf = (entries: readonly Entry[]): Sql => sql`
  ${arrayOf(entries, ({ currency }) => currency)}::text[],
  ${arrayOf(entries, ({ account }) => account)}::text[],
  ${arrayOf(entries, ({ amount }) => formatMicros(amount))}::numeric[]`;

/** An array of PostgreSQL as text. Ids, codes and numbers need no quotes; the driver would quote each of them. */
const arrayOf = <T>(items: readonly T[], textOf: (item: T) => string): string =>
  `{${items.map(textOf).join(',')}}`;
