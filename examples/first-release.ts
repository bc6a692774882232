/**
 * Creates a release, uploads audio and artwork, submits it and delivers it to three stores, over HTTP, with Node only:
 *
 *   export TONEARM_API_KEY=ta_test_…
 *   node examples/first-release.ts                   ends with the delivery, after about 10 seconds
 *   node examples/first-release.ts --submit-only     ends after the review, and prints the id of the release alone
 *
 * Set `TONEARM_URL` to use another sandbox than the local one.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { chordWave, coverPng } from './make-files.ts';

const url = process.env['TONEARM_URL'] ?? 'http://127.0.0.1:8420';
const key = process.env['TONEARM_API_KEY'] ?? '';
const submitOnly = process.argv.includes('--submit-only');
const waitMaxMs = 180_000;

/** With --submit-only, standard output has the release's id alone, so that a shell can save it. */
const say = (line: string) => (submitOnly ? process.stderr : process.stdout).write(`${line}\n`);

function stop(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

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
  if (!response.ok) stop(`${method} ${path}: ${JSON.stringify(json.error, null, 2)}`);
  return json;
}

/** Reads until `isDone`, for at most three minutes. Says what it waits for when that takes longer than 2 seconds. */
async function waitFor<T>(what: string, read: () => Promise<T>, isDone: (value: T) => boolean) {
  const begun = performance.now();
  for (let hasSaid = false; ; await wait(300)) {
    const value = await read();
    if (isDone(value)) return value;
    const waitedMs = performance.now() - begun;
    if (waitedMs > waitMaxMs) {
      stop(
        `Gave up after ${waitMaxMs / 1000} s: ${what} has not happened.\n${JSON.stringify(value, null, 2)}`,
      );
    }
    if (waitedMs > 2_000 && !hasSaid) {
      say(`waiting    for ${what}`);
      hasSaid = true;
    }
  }
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
  if (!sent.ok) stop(`PUT of ${fileName}: ${sent.status} ${await sent.text()}`);
  await call('POST', `/assets/${asset.id}/complete`, {});
  const examined = await waitFor(
    `the examination of ${fileName}${type === 'audio' ? ' (it needs ffmpeg)' : ''}`,
    () => call('GET', `/assets/${asset.id}`),
    ({ status }) => status === 'ready' || status === 'failed',
  );
  if (examined.status === 'failed') stop(`${fileName}: ${examined.failure_reason}`);
  return examined;
}

if (key === '') stop('Set TONEARM_API_KEY to the test key that `npm run dev` printed.');

// The release date is two months after the sandbox clock's time, which may differ from this machine's.
const clock = await call('GET', '/sandbox/clock');
if (clock.mode === 'manual') {
  stop(`The sandbox clock is manual, so the review and the stores would wait for ever. Let it run, then start again:

  curl -s -X PATCH ${url}/v1/sandbox/clock -H "Authorization: Bearer $TONEARM_API_KEY" --json '{"mode":"running"}'`);
}
const release = await call('POST', '/releases', {
  title: 'Night Drive',
  artists: [{ name: 'Aurora Díaz', role: 'main' }],
  release_date: new Date(Date.parse(clock.now) + 60 * 86_400_000).toISOString().slice(0, 10),
  language: 'zxx', // no vocals
  ai_use: { artwork: 'none' },
});
say(`release    ${release.id}  UPC ${release.upc}`);

const [audio, artwork] = await Promise.all([
  upload('audio', 'night-drive.wav', 'audio/wav', chordWave()),
  upload('artwork', 'cover.png', 'image/png', coverPng()),
]);
say(`audio      ${audio.id}  ${audio.technical.codec}, ${audio.technical.duration_ms / 1000} s`);
say(`artwork    ${artwork.id}  ${artwork.technical.width} × ${artwork.technical.height}`);

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
say(`track      ${track.id}  ISRC ${track.isrc}`);
await call('PATCH', `/releases/${release.id}`, { artwork_asset_id: artwork.id });

const { findings } = await call('POST', `/releases/${release.id}/validate`, {});
for (const { severity, pointer, message } of findings) say(`${severity}    ${pointer}  ${message}`);
const fixable = findings.filter((finding: { patch: unknown }) => finding.patch !== null);
if (fixable.length > 0) {
  await call('POST', `/releases/${release.id}/fixes`, {
    finding_ids: fixable.map((finding: { id: string }) => finding.id),
  });
}
say(`fixed      ${fixable.length} of ${findings.length} findings`);

const { submission_id: submission } = await call('POST', `/releases/${release.id}/submit`, {});
const reviewed = await waitFor(
  `the review of ${submission}`,
  () => call('GET', `/releases/${release.id}`),
  ({ submission: latest }) => latest.review_status !== 'pending',
);
say(`submitted  ${submission}  ${reviewed.submission.review_status}`);
if (submitOnly) {
  process.stdout.write(`${release.id}\n`);
  process.exit();
}

const delivery = await call('POST', '/deliveries', {
  release_id: release.id,
  stores: ['aurora', 'cascade', 'indigo'],
  territory_codes: ['WORLDWIDE'],
});

// The stores review the release and publish it on its release date. Advancing the sandbox clock saves the two months.
await call('POST', '/sandbox/clock/advance', { to: `${release.release_date}T12:00:00Z` });
await waitFor(
  `the sandbox clock to reach ${release.release_date}`,
  () => call('GET', '/sandbox/clock'),
  ({ status }) => status === 'idle',
);
const done = await call('GET', `/deliveries/${delivery.id}`);
say(`delivery   ${done.id}  ${done.status}`);
for (const { store_id: store, status, live_at: since, store_url: address } of done.stores) {
  say(`           ${store.padEnd(10)} ${status} since ${since}  ${address}`);
}
