/** Uploads that are cut: at every part, in every way, and from every kind of source. */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { UploadError, type UploadOptions, type UploadProgress } from '../src/index.ts';
import { type Fault, givenStorage } from './fake-storage.ts';

const partSize = 1000;
const file = randomBytes(4 * partSize + 321);
const partCount = 5;
const blob = new Blob([file], { type: 'audio/wav' });
const options: UploadOptions = { type: 'audio', fileName: 'song.wav', waitUntilReady: false };

const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new Blob([new Uint8Array(bytes)]).stream();

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 333) yield bytes.subarray(start, start + 333);
}

for (const cut of [1, 2, 3, 4, 5]) {
  test(`an upload that is cut for good at part ${cut} is resumed, and only what is missing is sent`, async (t) => {
    let isAway = true;
    const faultOf = (part: number): Fault => (isAway && part === cut ? 400 : 'none');
    const storage = await givenStorage(t, { partSize, faultOf });
    const failure = await storage.tonearm.assets.upload(blob, { ...options, concurrency: 1 }).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(failure instanceof UploadError);
    assert.equal(failure.resume.parts.length, cut - 1);
    isAway = false;
    const before = storage.puts.length;
    const resume = JSON.parse(JSON.stringify(failure.resume)) as typeof failure.resume;
    const asset = await storage.tonearm.assets.upload(blob, { ...options, resume });
    assert.equal(asset.status, 'processing');
    assert.equal(storage.puts.length - before, partCount - (cut - 1));
    assert.ok(storage.stored().equals(file));
  });
}

test('PUTs that fail are repeated: hung up, lost answer, 503, each at every part', async (t) => {
  const faults: readonly Fault[] = ['hang up', 'lost answer', 503];
  const storage = await givenStorage(t, {
    partSize,
    faultOf: (_, before) => faults[before] ?? 'none',
  });
  await storage.tonearm.assets.upload(blob, options);
  assert.equal(storage.puts.length, 4 * partCount);
  assert.ok(storage.stored().equals(file));
});

test('parts are sent several at once, and no more than that', async (t) => {
  const storage = await givenStorage(t, { partSize: 100 });
  await storage.tonearm.assets.upload(blob, { ...options, concurrency: 3 });
  assert.equal(storage.atOnceMax(), 3);
  assert.equal(storage.puts.length, 44);
  assert.ok(storage.stored().equals(file));
});

test('expired URLs are replaced', async (t) => {
  const storage = await givenStorage(t, { partSize });
  await storage.tonearm.assets.upload(blob, { ...options, onCreated: () => storage.expireUrls() });
  assert.ok(storage.stored().equals(file));
});

test('what the storage does not have after all is sent again', async (t) => {
  const storage = await givenStorage(t, { partSize });
  const parts = [1, 2, 3].map((part_number) => ({ part_number, etag: '"stale"' }));
  await storage.tonearm.assets.create({
    type: 'audio',
    file_name: 'song.wav',
    content_type: 'audio/wav',
    size_bytes: file.length,
  });
  storage.parts.set(1, file.subarray(0, partSize));
  const resume = { assetId: 'ast_1', parts };
  await storage.tonearm.assets.upload(blob, { ...options, resume });
  assert.deepEqual(
    storage.puts.toSorted((one, other) => one - other),
    [1, 2, 3, 4, 5],
  );
  assert.ok(storage.stored().equals(file));
});

test('an upload is resumed only with a file of the same size', async (t) => {
  const storage = await givenStorage(t, { partSize });
  await storage.tonearm.assets.upload(blob, options);
  const other = new Blob([file.subarray(1)]);
  await assert.rejects(
    storage.tonearm.assets.upload(other, { ...options, resume: 'ast_1' }),
    /for a file of 4321 bytes, not 4320/,
  );
});

test('every kind of source arrives as it is', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-upload-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'song.wav');
  writeFileSync(path, file);
  const bytes = new Uint8Array(file);
  const sources = [path, blob, bytes, bytes.buffer, streamOf(file), chunksOf(file)];
  for (const source of sources) {
    const storage = await givenStorage(t, { partSize });
    await storage.tonearm.assets.upload(source, options);
    assert.ok(storage.stored().equals(file));
  }
  for (const source of [streamOf(file), chunksOf(file)]) {
    const storage = await givenStorage(t, { partSize });
    await storage.tonearm.assets.upload(source, { ...options, size: file.length });
    assert.ok(storage.stored().equals(file));
    const whole = await givenStorage(t, {});
    await whole.tonearm.assets.upload(path, options);
    assert.ok(whole.stored().equals(file));
  }
});

test('a stream goes on from its beginning when it is resumed', async (t) => {
  let isAway = true;
  const faultOf = (part: number): Fault => (isAway && part === 3 ? 400 : 'none');
  const storage = await givenStorage(t, { partSize, faultOf });
  const given = { ...options, size: file.length, concurrency: 2 };
  const failure = await storage.tonearm.assets.upload(chunksOf(file), given).then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(failure instanceof UploadError);
  isAway = false;
  await storage.tonearm.assets.upload(chunksOf(file), { ...given, resume: failure.resume });
  assert.ok(storage.stored().equals(file));
});

test('a stream that is shorter than its size is refused', async (t) => {
  const storage = await givenStorage(t, { partSize });
  const upload = storage.tonearm.assets.upload(chunksOf(file), { ...options, size: 5000 });
  await assert.rejects(upload, /ended after 4321 of 5000 bytes/);
});

test('progress grows to the size of the file, also within a part, and can be resumed from', async (t) => {
  const large = new Blob([randomBytes(700_000)]);
  const storage = await givenStorage(t, { faultOf: (_, before) => (before === 0 ? 503 : 'none') });
  const seen: UploadProgress[] = [];
  const onProgress = (progress: UploadProgress) => seen.push(progress);
  await storage.tonearm.assets.upload(large, { ...options, contentType: 'audio/wav', onProgress });
  assert.ok(
    seen.some(({ sentBytes }) => sentBytes > 0 && sentBytes < 700_000),
    'within the part',
  );
  assert.ok(
    seen.every(({ totalBytes, sentBytes }) => totalBytes === 700_000 && sentBytes <= 700_000),
  );
  assert.deepEqual(seen.at(-1)?.phase, 'examining');
  assert.equal(seen.at(-1)?.sentBytes, 700_000);
  assert.equal(seen.at(-1)?.resume.assetId, 'ast_1');
  const put = storage.received.find(({ method }) => method === 'PUT');
  assert.equal(put?.headers['content-length'], '700000', 'the storage must know the size');
});

test('a signal ends an upload', async (t) => {
  const storage = await givenStorage(t, { partSize });
  const controller = new AbortController();
  const onProgress = ({ sentBytes }: UploadProgress) => {
    if (sentBytes > 0) controller.abort(new Error('enough'));
  };
  const given = { ...options, onProgress, signal: controller.signal, concurrency: 1 };
  await assert.rejects(storage.tonearm.assets.upload(blob, given), /^Error: enough$/);
  assert.ok(storage.puts.length < partCount);
});

test('a name that says nothing about its type is refused before anything is sent', async (t) => {
  const storage = await givenStorage(t, { partSize });
  const upload = storage.tonearm.assets.upload(new Blob(['x']), { ...options, fileName: 'song' });
  await assert.rejects(upload, /song: say contentType/);
  assert.equal(storage.received.length, 0);
});
