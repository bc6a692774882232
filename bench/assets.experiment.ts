/**
 * Compares the files per second from creation to `ready` (created, uploaded, completed, examined by a worker) with the
 * bare operations they need: a PUT to the same S3 server, a SHA-256, ffprobe and a full decode, two files at a time.
 * The service also reads each file back, stores a copy and announces it.
 *
 * The bar: a share of 0.6, and no file fails. It fails when the upload or the examination becomes slower.
 */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type UploadFile, uploadAsset, toneWav } from '../apps/service/test/asset-files.ts';
import { kill, startRelay, startWorker } from '../apps/service/test/processes.ts';
import { runConcurrently } from '../apps/service/test/proofs/client.ts';
import { openServiceWithEngine } from '../apps/service/test/service-with-engine.ts';
import type { OrgClient, TestService } from '../apps/service/test/test-service.ts';
import type { Experiment } from '../scripts/experiments/experiment.ts';
import { until } from '../scripts/servers/server.ts';
import { interleave, median, shareOf } from './blocks.ts';

/** Five blocks of twenty files each: a hundred in all. */
const sizes = {
  start: { rounds: 1, files: 4, durationMs: 5_000 },
  full: { rounds: 5, files: 20, durationMs: 170_000 },
};
const concurrency = 2;
const uploaders = 3;
const enginePort = 27_080;
const run = promisify(execFile);

export const experiment: Experiment = {
  compares:
    'WAV files of 30 MB uploaded and examined per second, against bare S3 PUT, sha256, ffprobe and decode',
  bar: (size) => ({ share: { atLeast: size === 'full' ? 0.6 : 0 }, failed: { equals: 0 } }),
  run: async ({ size, say }) => {
    const { rounds, files, durationMs } = sizes[size === 'start' ? 'start' : 'full'];
    const stack = await openServiceWithEngine(enginePort);
    const { service } = stack;
    const partner = await service.givenOrganization();
    const env = { TONEARM_ENGINE_IDENTITY_KEYS: stack.identityKey };
    const worker = await startWorker(service.database, stack.urls, env);
    const relay = await startRelay(service.database, stack.urls);
    const folder = mkdtempSync(join(tmpdir(), 'tonearm-bench-'));
    const audioFile = toneWav(durationMs);
    say(`files of ${Math.round(audioFile.bytes.length / 1e6)} MB`);
    const counts = { failed: 0 };
    const contenders = [
      {
        name: 'service',
        measure: () => measureService(service, partner, audioFile, files, counts),
      },
      { name: 'bare', measure: () => measureBare(service, audioFile, files, folder) },
    ];
    for (const { measure } of contenders) await measure();
    const results = await interleave(rounds, contenders.map(perThousand), say);
    await Promise.all([kill(relay), kill(worker)]);
    await stack.close();
    rmSync(folder, { recursive: true, force: true });
    const share = shareOf(results, 'service', 'bare');
    return {
      rounds,
      files_per_block: files,
      megabytes_per_file: Math.round(audioFile.bytes.length / 1e6),
      failed: counts.failed,
      share: share.median,
      spread: share,
      files_per_second: {
        service: median(results['service'] ?? []) / 1_000,
        bare: median(results['bare'] ?? []) / 1_000,
      },
    };
  },
};

/** Files per thousand seconds, because progress lines round to whole numbers. */
const perThousand = ({ name, measure }: { name: string; measure: () => Promise<number> }) => ({
  name,
  measure: async () => 1_000 * (await measure()),
});

/** Makes every file different, so that no cache can answer for the second one. */
function withNumber(file: UploadFile, i: number): UploadFile {
  const bytes = Buffer.from(file.bytes);
  bytes.writeUInt32LE(i, 44);
  return { ...file, bytes };
}

async function measureService(
  service: TestService,
  partner: OrgClient,
  audioFile: UploadFile,
  files: number,
  counts: { failed: number },
): Promise<number> {
  const begun = performance.now();
  const ids: string[] = [];
  let next = 0;
  await runConcurrently(uploaders, async () => {
    const i = next++;
    if (i >= files) return false;
    ids.push(await uploadAsset(partner, withNumber(audioFile, i)));
    return true;
  });
  const countProcessing = async () =>
    (await service.query(`select count(*)::int as n from assets where status = 'processing'`))[0].n;
  await until('all files are examined', async () => (await countProcessing()) === 0, 300_000);
  const seconds = (performance.now() - begun) / 1_000;
  const readyAssets = await service.query(
    `select object_key, status from assets where object_key is not null`,
  );
  counts.failed += files - readyAssets.length;
  // The S3 server keeps objects in memory, which the next block needs.
  for (const { object_key } of readyAssets) await service.storage.remove(object_key);
  await service.query(`delete from assets`);
  return files / seconds;
}

async function measureBare(
  service: TestService,
  audioFile: UploadFile,
  files: number,
  folder: string,
): Promise<number> {
  const begun = performance.now();
  let next = 0;
  await runConcurrently(concurrency, async () => {
    const i = next++;
    if (i >= files) return false;
    const { bytes, contentType } = withNumber(audioFile, i);
    const url = await service.storage.presignPut(`bare/${i}`, {
      contentType,
      sizeBytes: bytes.length,
      expiresInSeconds: 600,
    });
    const headers = { 'content-type': contentType };
    const response = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(bytes) });
    if (!response.ok) throw new Error(`the S3 server answered ${response.status}`);
    const path = join(folder, `${i}.wav`);
    await writeFile(path, bytes);
    createHash('sha256').update(bytes).digest('hex');
    await run('ffprobe', ['-v', 'error', '-show_streams', '-of', 'json', path]);
    await run('ffmpeg', ['-nostdin', '-v', 'error', '-xerror', '-i', path, '-f', 'null', '-']);
    return true;
  });
  const seconds = (performance.now() - begun) / 1_000;
  for (let i = 0; i < files; i++) await service.storage.remove(`bare/${i}`);
  return files / seconds;
}
