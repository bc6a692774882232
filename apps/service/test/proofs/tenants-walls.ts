/** The two walls between organizations, and how the proof `tenants` removes each. */

import pg from 'pg';
import { StatementBatch } from '../../src/platform/db/statement-batch.ts';
import type { TestService } from '../test-service.ts';

/** Removes the organization from the conditions of all statements before the driver sends them. */
export function removableConditions() {
  type Query = typeof pg.Client.prototype.query;
  // `Reflect.apply` below calls it with its client.
  // oxlint-disable-next-line typescript/unbound-method
  const { query } = pg.Client.prototype;
  let count = 0;
  const open = (text: string) =>
    text.replaceAll(
      /\b(?:\w+\.)?org_id = (\$\d+)/g,
      (_, value) => (count++, `(${value}::uuid is not null)`),
    );
  const opened = function (this: pg.Client, ...args: unknown[]) {
    const [config] = args;
    if (config instanceof StatementBatch) {
      for (const statement of config.statements) {
        const text = open(statement.text);
        if (text === statement.text) continue;
        Object.assign(statement, { text, name: `open_${statement.name}` });
      }
    } else if (typeof config === 'object' && config !== null && 'text' in config) {
      const { text, name } = config as { text: string; name: string };
      args[0] = { ...config, text: open(text), name: `open_${name}` };
    }
    return Reflect.apply(query, this, args);
  };
  return {
    count: () => count,
    remove: () => void (pg.Client.prototype.query = opened as Query),
    restore: () => void (pg.Client.prototype.query = query),
  };
}

/** Disables row-level security on every table that has it. */
export async function openTables(service: TestService): Promise<void> {
  const tables = await service.query(
    `select oid::regclass::text as name from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace`,
  );
  if (tables.length < 5) throw new Error(`only ${tables.length} tables with row-level security`);
  for (const { name } of tables)
    await service.query(`alter table ${name} disable row level security`);
}
