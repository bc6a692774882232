import { openS3 } from '../src/platform/storage/s3-storage.ts';
import type { Storage } from '../src/platform/storage/storage.ts';

/** How the S3 server of this run is reached: `scripts/servers/s3.ts` started it. */
export const s3Environment = (): Record<string, string> => ({
  TONEARM_STORAGE_URL: process.env['TONEARM_TEST_S3'] ?? '',
  TONEARM_S3_ACCESS_KEY_ID: process.env['TONEARM_TEST_S3_KEY_ID'] ?? '',
  TONEARM_S3_SECRET_ACCESS_KEY: process.env['TONEARM_TEST_S3_SECRET'] ?? '',
});

export function openTestStorage(): Storage {
  const env = s3Environment();
  const url = new URL(env['TONEARM_STORAGE_URL'] ?? '');
  return openS3({
    bucket: url.host,
    region: url.searchParams.get('region') ?? '',
    endpoint: url.searchParams.get('endpoint') ?? undefined,
    credentials: {
      accessKeyId: env['TONEARM_S3_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: env['TONEARM_S3_SECRET_ACCESS_KEY'] ?? '',
    },
  });
}
