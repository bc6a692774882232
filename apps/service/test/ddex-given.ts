/** A store that speaks DDEX, connected as an operator would, and releases whose files are real. */

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/servers/server.ts';
import type { SftpServer } from '../../../scripts/servers/sftp.ts';
import { toUuid } from '../src/kernel/ids.ts';
import { sftpSettings } from './sftp-fixture.ts';
import type { OrgClient, TestService } from './test-service.ts';

export const schemaFolder = join(root, '../shared/ddex/xsd');

/** Returns the folder of the store on this machine, and its settings. */
export async function connectStore(
  service: TestService,
  server: SftpServer,
  storeId: string,
  settings: object = {},
) {
  const folder = join(server.access.root, storeId);
  mkdirSync(folder);
  const { host, port, user, hostKey, privateKey } = sftpSettings(server, storeId);
  const settingsFile = join(server.access.root, 'settings.json');
  const secretFile = join(server.access.root, 'secret');
  const connection = {
    sender: { dpid: 'PADPIDA2026010101T', name: 'Tonearm' },
    recipients: [{ dpid: 'PADPIDA2026020202S', name: 'Aurora Music' }],
    is_test: true,
    transport: { kind: 'sftp', host, port, user, host_key: hostKey, folder: storeId },
    ...settings,
  };
  writeFileSync(settingsFile, JSON.stringify(connection));
  writeFileSync(secretFile, privateKey, { mode: 0o600 });
  const files = ['--file', settingsFile, '--secret-file', secretFile];
  await service.admin('stores', 'connect', '--store', storeId, ...files);
  return { folder, connection };
}

/** An asset with these bytes in the storage. */
export async function givenFile(
  service: TestService,
  owner: OrgClient,
  type: 'audio' | 'artwork',
  bytes: Buffer,
) {
  const id = await service.givenAsset(owner, type);
  const key = `test/${id}`;
  const terms = { contentType: 'application/octet-stream', sizeBytes: bytes.length };
  const url = await service.storage.presignPut(key, { ...terms, expiresInSeconds: 60 });
  const headers = { 'content-type': terms.contentType };
  const { status } = await fetch(url, { method: 'PUT', body: bytes, headers });
  assert.equal(status, 200);
  await service.query(
    'update assets set object_key = $2, sha256 = $3, size_bytes = $4 where id = $1',
    [toUuid(id), key, hash('sha256', bytes), bytes.length],
  );
  return id;
}
