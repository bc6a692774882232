/** The messages that stores were sent, and what they answered, kept as they were in our own storage. */

import type { OrgId } from '../../../kernel/ids.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import type { MessageId } from '../../domain/message.ts';

const urlSeconds = 300;

export const messageKey = (orgId: OrgId, id: MessageId): string => `ern/${orgId}/${id}.xml`;

/** The digest is in the name: a store may use one name for two files. */
export const acknowledgementKey = (storeId: string, sha256: string): string =>
  `acknowledgements/${storeId}/${sha256}.xml`;

/** Safe to repeat. */
export async function keepXml(
  storage: Storage,
  key: string,
  xml: string | Buffer,
  signal: AbortSignal,
): Promise<void> {
  const body = Buffer.from(xml);
  const contentType = 'application/xml';
  const terms = { contentType, sizeBytes: body.length, expiresInSeconds: urlSeconds };
  const { ok, status } = await fetch(await storage.presignPut(key, terms), {
    method: 'PUT',
    body,
    headers: { 'content-type': contentType },
    signal,
  });
  if (!ok) throw new Error(`the storage answered ${status} to PUT ${key}`);
}
