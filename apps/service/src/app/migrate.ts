import { join } from 'node:path';
import { uploadsPrefix } from '../assets/connectors/examine-file.ts';
import { systemClock } from '../kernel/clock.ts';
import { type Environment, wrongEnvironment, otherEnvironment } from '../kernel/environment.ts';
import { Problem } from '../kernel/problem.ts';
import { migrate, readMigrations } from '../platform/db/migrate.ts';
import { bucketIsOf } from '../platform/storage/environment.ts';
import { ensureLifecycle } from '../platform/storage/lifecycle.ts';
import { openS3, type S3Options } from '../platform/storage/s3-storage.ts';
import type { MigrateConfig } from './config/migrate.ts';

export const migrationsFolder = join(import.meta.dirname, '..', '..', 'migrations');

export async function runMigrate(config: MigrateConfig): Promise<void> {
  const { environment, ownerDatabaseUrl, storage } = config;
  const migrations = await readMigrations(migrationsFolder);
  const applied = await migrate(ownerDatabaseUrl, environment, migrations, systemClock.now());
  console.log(applied.length === 0 ? 'nothing to migrate' : `applied ${applied.join(', ')}`);
  if (storage?.kind === 's3') await setLifecycle(storage, environment);
}

async function setLifecycle(options: S3Options, environment: Environment): Promise<void> {
  const storage = openS3(options);
  try {
    if (await bucketIsOf(storage, otherEnvironment[environment])) {
      throw wrongEnvironment('a bucket', 'TONEARM_STORAGE_URL', environment);
    }
    if (await ensureLifecycle(options, uploadsPrefix)) {
      console.log("set the bucket's lifecycle rule");
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    const reason = error instanceof Error ? error.name : 'unknown';
    throw new Problem(
      'invalid_state',
      `The database is up to date, but the bucket's lifecycle rule could not be set (${reason}). TONEARM_STORAGE_URL must lead to a bucket whose keys have s3:GetLifecycleConfiguration and s3:PutLifecycleConfiguration.`,
    );
  } finally {
    await storage.close();
  }
}
