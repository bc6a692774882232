/**
 * Counts and digests of one organization's rows, table by table, for tests that compare them before and after a
 * reset.
 */

import { type Id, toUuid } from '../src/kernel/ids.ts';
import type { TestService } from './test-service.ts';

export type Rows = Readonly<Record<string, { readonly count: number; readonly digest: string }>>;

export async function rowsOf(service: TestService, orgId: string): Promise<Rows> {
  const tables: { name: string }[] = await service.query(`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attname = 'org_id' order by 1`);
  const found: Record<string, { count: number; digest: string }> = {};
  for (const { name } of tables) {
    const [row] = await service.query(
      `select count(*)::int as count, md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as digest
         from ${name} t where org_id = $1`,
      [toUuid(orgId as Id<'org'>)],
    );
    if (row.count > 0) found[name] = row;
  }
  return found;
}
