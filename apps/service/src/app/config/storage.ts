/** Where files are stored: settings that the api, the worker and migrate share. */

import type { Environment } from '../../kernel/environment.ts';
import type { StorageConfig } from '../../platform/storage/open-storage.ts';
import { httpUrl, notEmpty, optionally, wholeNumber } from './parsers.ts';
import { complain, type Parse, type ReadSetting } from './settings.ts';

export const storageUrlSetting = 'TONEARM_STORAGE_URL';
const accessKeyIdSetting = 'TONEARM_S3_ACCESS_KEY_ID';
const secretAccessKeySetting = 'TONEARM_S3_SECRET_ACCESS_KEY';

/**
 * `s3://BUCKET?region=…[&endpoint=https://…]`, with the keys in the settings or those of the machine's role. In the
 * sandbox also `file:///FOLDER?port=…`: the api serves the files of that folder on that port.
 */
const storageUrl =
  (environment: Environment | undefined): Parse<StorageConfig> =>
  (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.protocol === 's3:' && url.host !== '') {
      const endpoint = optionally(httpUrl)(url.searchParams.get('endpoint') ?? '');
      const region = url.searchParams.get('region') ?? 'us-east-1';
      return { kind: 's3', bucket: url.host, region, endpoint, credentials: undefined };
    }
    if (url?.protocol === 'file:' && environment === 'sandbox') {
      const port = wholeNumber(1, 65_535)(url.searchParams.get('port') ?? '');
      return { kind: 'disk', folder: decodeURIComponent(url.pathname), port };
    }
    return complain('must read s3://bucket?region=…[&endpoint=…]');
  };

export function readStorage(
  read: ReadSetting,
  environment: Environment | undefined,
): StorageConfig | undefined {
  const storage = read(storageUrlSetting, storageUrl(environment));
  const accessKeyId = read(accessKeyIdSetting, optionally(notEmpty), '');
  const secretAccessKey = read(secretAccessKeySetting, optionally(notEmpty), '');
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    read(
      secretAccessKeySetting,
      () => complain(`and ${accessKeyIdSetting} must be set together`),
      '',
    );
  }
  const hasKeys = accessKeyId !== undefined && secretAccessKey !== undefined;
  if (storage?.kind !== 's3' || !hasKeys) return storage;
  return { ...storage, credentials: { accessKeyId, secretAccessKey } };
}
