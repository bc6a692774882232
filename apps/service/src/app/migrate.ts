import { join } from 'node:path';
import { systemClock } from '../kernel/clock.ts';
import { migrate, readMigrations } from '../platform/db/migrate.ts';
import type { MigrateConfig } from './config.ts';

export const migrationsFolder = join(import.meta.dirname, '..', '..', 'migrations');

export async function runMigrate({ environment, ownerDatabaseUrl }: MigrateConfig): Promise<void> {
  const migrations = await readMigrations(migrationsFolder);
  const applied = await migrate(ownerDatabaseUrl, environment, migrations, systemClock.now());
  console.log(applied.length === 0 ? 'nothing to migrate' : `applied ${applied.join(', ')}`);
}
