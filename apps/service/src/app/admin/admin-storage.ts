/** The object store, for commands that read or write files. */

import { systemClock } from '../../kernel/clock.ts';
import { createKeyring } from '../../platform/crypto/keyring.ts';
import { openStorage } from '../../platform/storage/open-storage.ts';
import { openS3 } from '../../platform/storage/s3-storage.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import type { AdminConfig } from '../config/admin.ts';
import { UsageError } from './flag.ts';

export function openAdminStorage({ storage, keys }: AdminConfig): Storage {
  if (storage === undefined) {
    throw new UsageError('TONEARM_STORAGE_URL is not set: the files of reports are there.');
  }
  if (storage.kind === 's3') return openS3(storage);
  if (keys === undefined) throw new UsageError('TONEARM_KEYS is not set.');
  return openStorage(storage, { keyring: createKeyring(keys), clock: systemClock });
}
