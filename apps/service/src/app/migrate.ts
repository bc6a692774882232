import { join } from 'node:path';
import { uploadsPrefix } from '../assets/connectors/examine-file.ts';
import { acknowledgementsPrefix } from '../delivery/connectors/ddex/kept-messages.ts';
import { systemClock } from '../kernel/clock.ts';
import { type Environment, wrongEnvironment, otherEnvironment } from '../kernel/environment.ts';
import { Problem } from '../kernel/problem.ts';
import { migrate, readMigrations } from '../platform/db/migrate.ts';
import { bucketIsOf } from '../platform/storage/environment.ts';
import { ensureLifecycle, type Expiry } from '../platform/storage/lifecycle.ts';
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

/** Longer than an upload may take, and longer than its asset waits for it. Verified files are under another prefix. */
const uploadDays = 3;

/**
 * In live as long as the directory of messages, by which they could still be matched (ADR 0050). Partners read copies, which a
 * reset of their sandbox removes; the file itself must not stay much longer.
 */
const acknowledgementDays = { live: 731, sandbox: 30 } as const;

const expiriesIn = (environment: Environment): readonly Expiry[] => [
  { id: 'tonearm-uploads', prefix: uploadsPrefix, days: uploadDays },
  {
    id: 'tonearm-acknowledgements',
    prefix: acknowledgementsPrefix,
    days: acknowledgementDays[environment],
  },
];

async function setLifecycle(options: S3Options, environment: Environment): Promise<void> {
  const storage = openS3(options);
  try {
    if (await bucketIsOf(storage, otherEnvironment[environment])) {
      throw wrongEnvironment('a bucket', 'TONEARM_STORAGE_URL', environment);
    }
    if (await ensureLifecycle(options, expiriesIn(environment))) {
      console.log("set the bucket's lifecycle rules");
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    const reason = error instanceof Error ? error.name : 'unknown';
    throw new Problem(
      'invalid_state',
      `The database is up to date, but the bucket's lifecycle rules could not be set (${reason}). TONEARM_STORAGE_URL must lead to a bucket whose keys have s3:GetLifecycleConfiguration and s3:PutLifecycleConfiguration.`,
    );
  } finally {
    await storage.close();
  }
}
