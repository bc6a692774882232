import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createKeyring } from '../crypto/keyring.ts';
import { createDiskServer } from './disk-server.ts';
import { openDisk } from './disk-storage.ts';
import type { Storage } from './storage.ts';
import { download, upload, uploadWithDigest } from './transfer.ts';

const folder = mkdtempSync(join(tmpdir(), 'tonearm-transfer-'));
const { signal } = new AbortController();
const [from, to] = [join(folder, 'from'), join(folder, 'to')];
let storage: Storage;
let close = () => {};

before(async () => {
  const keyring = createKeyring([{ id: 'test', secret: Buffer.alloc(32, 7) }]);
  const options = { folder: join(folder, 'storage'), keyring, clock: { now: () => new Date() } };
  const server = createDiskServer(openDisk({ ...options, url: '' })).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  storage = openDisk({ ...options, url });
  close = () => {
    server.close();
    server.closeAllConnections();
  };
});
after(() => {
  close();
  rmSync(folder, { recursive: true, force: true });
});

describe('whole files', () => {
  test('a file comes back byte for byte, with its size and digest; again under the same key', async () => {
    const content = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => i % 251));
    writeFileSync(from, content);
    const expected = {
      key: 'parts/one',
      sizeBytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    };
    assert.deepEqual(await uploadWithDigest(storage, from, 'parts/one', signal), expected);
    assert.deepEqual(await uploadWithDigest(storage, from, 'parts/one', signal), expected);
    await download(storage, 'parts/one', to, signal);
    assert.ok(readFileSync(to).equals(content));
  });

  test('a missing file and an aborted transfer are errors', async () => {
    await assert.rejects(download(storage, 'parts/none', to, signal));
    await assert.rejects(upload(storage, from, 'parts/two', AbortSignal.abort()));
    await assert.rejects(download(storage, 'parts/one', to, AbortSignal.abort()));
    assert.equal(await storage.find('parts/two'), undefined);
  });

  test('an answer of the storage that is not a success is an error', async () => {
    const wrong: Storage = {
      ...storage,
      presignPut: (key, terms) =>
        storage.presignPut(key, { ...terms, sizeBytes: terms.sizeBytes + 1 }),
    };
    await assert.rejects(
      upload(wrong, from, 'parts/three', signal),
      /the storage answered 4\d\d to PUT parts\/three/,
    );
  });
});
