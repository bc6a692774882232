/**
 * Creates a release, uploads audio and artwork, submits it and delivers it to three stores, over HTTP, with Node only:
 *
 *   KEY=ta_test_… node examples/first-release.ts
 *
 * It generates the audio and the artwork itself. Set `TONEARM_URL` to use another sandbox than the local one.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { deflateSync, crc32 } from 'node:zlib';

const url = process.env['TONEARM_URL'] ?? 'http://127.0.0.1:8420';
const key = process.env['KEY'] ?? '';

// oxlint-disable-next-line typescript/no-explicit-any -- an example reads the fields that the API reference documents
async function call(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json = JSON.parse(await response.text());
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(json.error, null, 2)}`);
  return json;
}

/** Creates an asset, uploads its file to the presigned URL, and waits until the file is examined. */
async function upload(type: string, fileName: string, contentType: string, bytes: Buffer) {
  const asset = await call('POST', '/assets', {
    type,
    file_name: fileName,
    content_type: contentType,
    size_bytes: bytes.length,
  });
  const { url: address, headers } = asset.upload;
  const sent = await fetch(address, { method: 'PUT', headers, body: new Uint8Array(bytes) });
  if (!sent.ok) throw new Error(`the upload was answered ${sent.status}`);
  await call('POST', `/assets/${asset.id}/complete`, {});
  for (;;) {
    const now = await call('GET', `/assets/${asset.id}`);
    if (now.status === 'failed') throw new Error(now.failure_reason);
    if (now.status === 'ready') return now;
    await wait(300);
  }
}

/** A chord of forty seconds as a WAVE file: 16 bit, stereo, 44.1 kHz. */
function chordWave(seconds = 40, rate = 44_100): Buffer {
  const bytes = Buffer.alloc(44 + seconds * rate * 4);
  bytes.write('RIFF    WAVEfmt ', 'latin1');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  [16, 0x20001, rate, rate * 4, 0x100004].forEach((word, i) =>
    bytes.writeUInt32LE(word, 16 + i * 4),
  );
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(bytes.length - 44, 40);
  for (let i = 0; i < seconds * rate; i++) {
    const tone = (hertz: number) => Math.sin((2 * Math.PI * hertz * i) / rate);
    const sample = Math.round(5_000 * (tone(220) + tone(277.2) + tone(329.6)));
    bytes.writeInt16LE(sample, 44 + i * 4);
    bytes.writeInt16LE(sample, 46 + i * 4);
  }
  return bytes;
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A blue gradient as a PNG of 3000 × 3000 pixels. */
function cover(size = 3_000): Buffer {
  const row = (y: number) =>
    Buffer.concat([Buffer.of(0), Buffer.alloc(size * 3, Buffer.of(20, 24, 60 + (y * 80) / size))]);
  const rows = Buffer.concat(Array.from({ length: size }, (_, y) => row(y)));
  const header = Buffer.from([
    0,
    0,
    size >> 8,
    size & 255,
    0,
    0,
    size >> 8,
    size & 255,
    8,
    2,
    0,
    0,
    0,
  ]);
  const chunks = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.of()),
  ];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}

// The release date is two months after the sandbox clock's time, which may differ from this machine's.
const { now: sandboxNow } = await call('GET', '/sandbox/clock');
const release = await call('POST', '/releases', {
  title: 'Night Drive',
  artists: [{ name: 'Aurora Díaz', role: 'main' }],
  release_date: new Date(Date.parse(sandboxNow) + 60 * 86_400_000).toISOString().slice(0, 10),
  language: 'zxx', // no vocals
  ai_use: { artwork: 'none' },
});
console.log(`release    ${release.id}  UPC ${release.upc}`);

const [audio, artwork] = await Promise.all([
  upload('audio', 'night-drive.wav', 'audio/wav', chordWave()),
  upload('artwork', 'cover.png', 'image/png', cover()),
]);
console.log(
  `audio      ${audio.id}  ${audio.technical.codec}, ${audio.technical.duration_ms / 1000} s`,
);
console.log(`artwork    ${artwork.id}  ${artwork.technical.width} × ${artwork.technical.height}`);

const track = await call('POST', '/tracks', {
  release_id: release.id,
  title: 'Night Drive',
  audio_asset_id: audio.id,
  contributors: [
    { name: 'Aurora Díaz', roles: ['musician', 'composer'], instruments: ['synthesizer'] },
    { name: 'Mette Krogh', roles: ['producer', 'mastering_engineer'] },
  ],
  ai_use: { recording: 'none', composition: 'none' },
});
console.log(`track      ${track.id}  ISRC ${track.isrc}`);
await call('PATCH', `/releases/${release.id}`, { artwork_asset_id: artwork.id });

const { findings } = await call('POST', `/releases/${release.id}/validate`, {});
for (const { severity, pointer, message } of findings)
  console.log(`${severity}    ${pointer}  ${message}`);
const fixable = findings.filter((finding: { patch: unknown }) => finding.patch !== null);
if (fixable.length > 0) {
  await call('POST', `/releases/${release.id}/fixes`, {
    finding_ids: fixable.map((finding: { id: string }) => finding.id),
  });
}
console.log(`fixed      ${fixable.length} of ${findings.length} findings`);

const { submission_id: submission } = await call('POST', `/releases/${release.id}/submit`, {});
for (;;) {
  const now = await call('GET', `/releases/${release.id}`);
  if (now.submission.review_status !== 'pending') {
    console.log(`submitted  ${submission}  ${now.submission.review_status}`);
    break;
  }
  await wait(300);
}

const delivery = await call('POST', '/deliveries', {
  release_id: release.id,
  stores: ['aurora', 'cascade', 'indigo'],
  territory_codes: ['WORLDWIDE'],
});

// The stores review the release and publish it on its release date. Advancing the sandbox clock saves the two months.
await call('POST', '/sandbox/clock/advance', { to: `${release.release_date}T12:00:00Z` });
while ((await call('GET', '/sandbox/clock')).status === 'advancing') await wait(300);
const done = await call('GET', `/deliveries/${delivery.id}`);
console.log(`delivery   ${done.id}  ${done.status}`);
for (const { store_id: store, status, live_at: since, store_url: address } of done.stores) {
  console.log(`           ${store.padEnd(10)} ${status} since ${since}  ${address}`);
}
