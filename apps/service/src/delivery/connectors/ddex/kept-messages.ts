/**
 * The messages that stores were sent, and what they answered, kept as they were in our own storage:
 *
 *   ern/{org}/{message}.xml                what was sent
 *   ern/{org}/{message}/{sha256}.xml       what came back, if it is about this release only; partners read it
 *   acknowledgements/{store}/{sha256}.xml  every file that came back, also one that matches no message
 *
 * What is below `ern/` lives as long as its delivery. Files of `acknowledgements/` may be about many organizations; the
 * bucket removes them after two years (ADR 0050).
 */

import type { OrgId } from '../../../kernel/ids.ts';
import { removeFirstBelow } from '../../../platform/storage/remove-below.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import type { MessageId } from '../../domain/message.ts';

const urlSeconds = 300;

const ernFolder = (orgId: OrgId): string => `ern/${orgId}/`;

export const messageKey = (orgId: OrgId, id: MessageId): string => `${ernFolder(orgId)}${id}.xml`;

/** An acknowledgement, beside the message that it is about. */
export const answerKey = (orgId: OrgId, id: MessageId, sha256: string): string =>
  `${ernFolder(orgId)}${id}/${sha256}.xml`;

export const acknowledgementsPrefix = 'acknowledgements/';

/** The digest is in the name: a store may use one name for two files. */
export const acknowledgementKey = (storeId: string, sha256: string): string =>
  `${acknowledgementsPrefix}${storeId}/${sha256}.xml`;

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

/** What is kept of an organization's messages, a part at a time. Returns whether there may be more. Safe to repeat. */
export const removeKeptMessages = (storage: Storage, orgId: OrgId): Promise<boolean> =>
  removeFirstBelow(storage, ernFolder(orgId));
