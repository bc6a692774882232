/** For tests of `--dry-run`: what it answers, and that it leaves every row of the database as it was. */

import assert from 'node:assert/strict';
import type { Json } from './delivery-fixture.ts';
import type { TestService } from './test-service.ts';

type Service = Pick<TestService, 'admin' | 'query'>;

/** A digest of the rows of each table. */
async function digestsOf({ query }: Service): Promise<Json> {
  const [{ digests }] = await query(
    `select string_agg(format('select %L as name, md5(string_agg(r::text, %L order by r::text)) as rows from %I r',
                              relname, '', relname), ' union all ') as digests
       from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`,
  );
  // Rows that were rolled back leave a page in a table without rows.
  const tables = (await query(digests)).filter(({ rows }) => rows !== null);
  return Object.fromEntries(tables.map(({ name, rows }) => [name, rows]));
}

/** New ids differ from run to run. */
const withoutIds = (answer: Json): Json =>
  JSON.parse(JSON.stringify(answer).replaceAll(/([a-z]{2,3}_)[0-9a-z]{26}/g, '$1…'));

const tried = (answer: Json): readonly Json[] => answer.organizations ?? [answer];

/**
 * Tries the command, then runs it. The trial answers what the run answers, names the tables whose rows the run changes, and
 * leaves the database as it was.
 */
export async function tryThenRun(service: Service, ...argv: string[]): Promise<Json> {
  const before = await digestsOf(service);
  const trial: Json = await service.admin(...argv, '--dry-run');
  assert.deepEqual(await digestsOf(service), before, 'a dry run changes nothing');
  const answer: Json = await service.admin(...argv);
  const [dry, real] = [tried(trial), tried(answer)].map((each) => each.map(withoutIds));
  assert.ok(dry?.every((each) => each.dry_run === true));
  assert.deepEqual(
    dry?.map((each) => each.answer),
    real,
  );
  const after = await digestsOf(service);
  const isChanged = (table: string) => after[table] !== before[table];
  const named = tried(trial).flatMap(({ changes }) => changes.rows.map((row: Json) => row.table));
  // A partition is named by its table. The rows of a table that a run writes again as they were have not changed.
  const unnamed = Object.keys(after)
    .filter(isChanged)
    .filter((table) => !named.some((name) => table === name || table.startsWith(`${name}_`)));
  assert.deepEqual(unnamed, [], 'every table that the run changes');
  assert.ok(named.includes('audit'));
  assert.ok(tried(trial).every(({ changes }) => changes.audit.length > 0));
  return answer;
}
