/** Both storages have the same behaviour: a real S3 server, and a folder of this machine. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { createKeyring } from '../src/platform/crypto/keyring.ts';
import { createDiskServer } from '../src/platform/storage/disk-server.ts';
import { openDisk } from '../src/platform/storage/disk-storage.ts';
import { IncompleteUpload, rangeBytesMax, type Storage } from '../src/platform/storage/storage.ts';
import { openTestStorage } from './test-storage.ts';

type Opened = { readonly storage: Storage; readonly close: () => Promise<void> };

async function openS3(): Promise<Opened> {
  const storage = openTestStorage();
  return { storage, close: () => storage.close() };
}

/** The clock of the local storage; a test moves it to let a URL expire. */
let diskNow = new Date();

async function openLocal(): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-disk-'));
  const keyring = createKeyring([{ id: 'test', secret: Buffer.alloc(32, 7) }]);
  const options = { folder, keyring, clock: { now: () => diskNow } };
  const diskStorage = openDisk({ ...options, url: '' });
  const server = createDiskServer(diskStorage).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  };
  return { storage: openDisk({ ...options, url }), close };
}

const megabyte = 1024 * 1024;
const put = (url: string, body: Buffer, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'PUT', body: new Uint8Array(body), headers });

for (const [name, open] of [
  ['an S3 server', openS3],
  ['the local disk', openLocal],
] as const) {
  describe(`storage on ${name}`, () => {
    let opened: Opened;
    let storage: Storage;
    before(async () => {
      opened = await open();
      storage = opened.storage;
    });
    after(() => opened.close());

    const terms = { contentType: 'audio/wav', sizeBytes: 5, expiresInSeconds: 3_600 };
    const wave = { 'content-type': 'audio/wav' };
    const keyOf = (what: string) => `test/${name.replaceAll(' ', '-')}/${what}`;
    const bytesOf = async (key: string) => buffer(await storage.read(key));

    test('a signed PUT accepts only the size and the type it was signed for', async () => {
      const key = keyOf('one');
      const url = await storage.presignPut(key, terms);
      assert.doesNotMatch(
        url,
        /checksum/i,
        'with a checksum in the URL, S3, R2 and MinIO refuse every upload',
      );
      assert.equal((await put(url, Buffer.from('hello!'), wave)).status, 403, 'too long');
      assert.equal((await put(url, Buffer.from('hell'), wave)).status, 403, 'too short');
      assert.equal(
        (await put(url, Buffer.from('hello'), { 'content-type': 'text/html' })).status,
        403,
      );
      assert.equal(await storage.find(key), undefined, 'nothing was stored');
      assert.equal((await put(url, Buffer.from('hello'), wave)).status, 200);
      assert.deepEqual(await storage.find(key), { sizeBytes: 5 });
      assert.equal((await bytesOf(key)).toString(), 'hello');
    });

    test('a changed URL is refused', async () => {
      const url = await storage.presignPut(keyOf('two'), terms);
      const other = url.replace('/two', '/three');
      const forged = url.replace(
        /(signature=)(.)/i,
        (_, parameter, first) => `${parameter}${first === 'a' ? 'b' : 'a'}`,
      );
      for (const changed of [other, forged]) {
        assert.equal((await put(changed, Buffer.from('hello'), wave)).status, 403);
      }
      assert.equal(await storage.find(keyOf('two')), undefined);
      assert.equal(await storage.find(keyOf('three')), undefined);
      assert.equal((await fetch(url)).status, 403, 'a PUT URL cannot read');
    });

    test('a signed GET returns the file with its original name', async () => {
      const key = keyOf('read');
      await put(await storage.presignPut(key, terms), Buffer.from('hello'), wave);
      const response = await fetch(await storage.presignGet(key, 'Ünïcode 1.wav', 60));
      assert.equal(await response.text(), 'hello');
      assert.match(response.headers.get('content-disposition') ?? '', /%C3%9Cn%C3%AFcode%201\.wav/);
    });

    test('a range of a file is read exactly; one that the file does not have is refused', async () => {
      const key = keyOf('ranges');
      const bytes = Buffer.alloc(3 * megabyte, 'abcdefg');
      const sizeBytes = bytes.length;
      await put(await storage.presignPut(key, { ...terms, sizeBytes }), bytes, wave);
      for (const [start, end] of [
        [0, 1],
        [0, sizeBytes],
        [1_000_001, 2_500_000],
        [sizeBytes - 1, sizeBytes],
      ] as const) {
        const range = await storage.readRange(key, start, end);
        assert.ok(range.equals(bytes.subarray(start, end)), `${start} to ${end}`);
      }
      await assert.rejects(storage.readRange(key, sizeBytes - 1, sizeBytes + 1), /sent 1 of 2/);
      await assert.rejects(storage.readRange(key, sizeBytes, sizeBytes + 1));
      await assert.rejects(storage.readRange(keyOf('missing'), 0, 1));
      for (const [start, end] of [
        [5, 5],
        [5, 4],
        [-1, 4],
        [0, rangeBytesMax + 1],
        [0, 1.5],
      ] as const)
        await assert.rejects(storage.readRange(key, start, end), RangeError);
    });

    test('parts are joined once all are uploaded; parts with other ETags are refused', async () => {
      const key = keyOf('large');
      const uploadId = await storage.openMultipart(key, 'audio/wav');
      assert.deepEqual(await storage.listParts(key, uploadId), []);
      const chunks = [Buffer.alloc(5 * megabyte, 1), Buffer.alloc(megabyte, 2)];
      const etags = await Promise.all(
        chunks.map(async (chunk, i) => {
          const url = await storage.presignPart(key, {
            uploadId,
            partNumber: i + 1,
            sizeBytes: chunk.length,
            expiresInSeconds: 60,
          });
          assert.equal((await put(url, Buffer.alloc(chunk.length + 1))).status, 403);
          return (await put(url, chunk)).headers.get('etag') ?? '';
        }),
      );
      const parts = etags.map((etag, i) => ({ partNumber: i + 1, etag }));
      assert.deepEqual(
        await storage.listParts(key, uploadId),
        parts.map((part, i) => ({ ...part, sizeBytes: chunks[i]?.length })),
      );
      const wrong = parts.map((part) => ({ ...part, etag: `"${'0'.repeat(32)}"` }));
      await assert.rejects(storage.finishMultipart(key, uploadId, wrong), IncompleteUpload);
      await storage.finishMultipart(key, uploadId, parts);
      await storage.finishMultipart(key, uploadId, parts);
      assert.equal(await storage.listParts(key, uploadId), undefined, 'it is finished');
      const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
      assert.equal(sha256(await bytesOf(key)), sha256(Buffer.concat(chunks)));
    });

    test('an abandoned upload leaves no file, and can be abandoned twice', async () => {
      const key = keyOf('abandoned');
      const uploadId = await storage.openMultipart(key, 'audio/wav');
      const part = { uploadId, partNumber: 1, sizeBytes: 5, expiresInSeconds: 60 };
      const url = await storage.presignPart(key, part);
      const { headers } = await put(url, Buffer.from('hello'));
      await storage.abandonMultipart(key, uploadId);
      await storage.abandonMultipart(key, uploadId);
      assert.equal(await storage.listParts(key, uploadId), undefined);
      const parts = [{ partNumber: 1, etag: headers.get('etag') ?? '' }];
      await assert.rejects(storage.finishMultipart(key, uploadId, parts));
      assert.equal(await storage.find(key), undefined);
    });

    test('keys below a folder are listed with those of its folders, in order, up to a limit', async () => {
      const names = ['below/b', 'below/a/2.tsv', 'below/a/1', 'belowe'];
      for (const each of names) {
        const textTerms = { contentType: 'text/plain', sizeBytes: 1, expiresInSeconds: 60 };
        const url = await storage.presignPut(keyOf(each), textTerms);
        await put(url, Buffer.from('x'), { 'content-type': 'text/plain' });
      }
      const expected = ['below/a/1', 'below/a/2.tsv', 'below/b'].map(keyOf);
      assert.deepEqual(await storage.listBelow(keyOf('below/'), 10), expected);
      assert.deepEqual(await storage.listBelow(keyOf('below/'), 2), expected.slice(0, 2));
      assert.deepEqual(await storage.listBelow(keyOf('nothing/'), 2), []);
    });

    test('files are copied, listed and removed', async () => {
      const key = keyOf('source');
      await put(await storage.presignPut(key, terms), Buffer.from('hello'), wave);
      await storage.copy(key, keyOf('copies/a'));
      await storage.copy(key, keyOf('copies/b'));
      assert.deepEqual((await storage.list(keyOf('copies/'))).toSorted(), [
        keyOf('copies/a'),
        keyOf('copies/b'),
      ]);
      await storage.remove(keyOf('copies/a'));
      await storage.remove(keyOf('copies/a'));
      assert.deepEqual(await storage.list(keyOf('copies/')), [keyOf('copies/b')]);
      assert.equal((await bytesOf(keyOf('copies/b'))).toString(), 'hello');
    });
  });
}

test('a URL of the local disk expires', async () => {
  const { storage, close } = await openLocal();
  const url = await storage.presignPut('test/late', {
    contentType: 'audio/wav',
    sizeBytes: 5,
    expiresInSeconds: 60,
  });
  diskNow = new Date(diskNow.getTime() + 61_000);
  const response = await put(url, Buffer.from('hello'), { 'content-type': 'audio/wav' });
  assert.equal(response.status, 403);
  await close();
});
