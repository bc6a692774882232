/**
 * Files from a partner's disk to `ready`: created, uploaded, completed and examined by a worker, as a share of
 * the bare deeds those need: a PUT to the same S3 server, a SHA-256, ffprobe, and a decode to the end, each
 * file by itself, two at a time. The service also reads each file back, keeps a copy and announces it.
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
    const lab = await openServiceWithEngine(enginePort);
    const { service } = lab;
    const partner = await service.givenOrganization();
    const env = { TONEARM_ENGINE_IDENTITY_KEYS: lab.identityKey };
    const worker = await startWorker(service.database, lab.urls, env);
    const relay = await startRelay(service.database, lab.urls);
    const folder = mkdtempSync(join(tmpdir(), 'tonearm-bench-'));
    const song = toneWav(durationMs);
    say(`files of ${Math.round(song.bytes.length / 1e6)} MB`);
    const counts = { failed: 0 };
    const contenders = [
      { name: 'service', measure: () => throughService(service, partner, song, files, counts) },
      { name: 'bare', measure: () => bare(service, song, files, folder) },
    ];
    for (const { measure } of contenders) await measure();
    const results = await interleave(rounds, contenders.map(perThousand), say);
    await Promise.all([kill(relay), kill(worker)]);
    await lab.close();
    rmSync(folder, { recursive: true, force: true });
    const share = shareOf(results, 'service', 'bare');
    return {
      rounds,
      files_per_block: files,
      megabytes_per_file: Math.round(song.bytes.length / 1e6),
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

/** Progress is shown in whole numbers. */
const perThousand = ({ name, measure }: { name: string; measure: () => Promise<number> }) => ({
  name,
  measure: async () => 1_000 * (await measure()),
});

/** No two files alike: a store, or a cache, could know the second. */
function numbered(file: UploadFile, i: number): UploadFile {
  const bytes = Buffer.from(file.bytes);
  bytes.writeUInt32LE(i, 44);
  return { ...file, bytes };
}

async function throughService(
  service: TestService,
  partner: OrgClient,
  song: UploadFile,
  files: number,
  counts: { failed: number },
): Promise<number> {
  const begun = performance.now();
  const ids: string[] = [];
  let next = 0;
  await runConcurrently(uploaders, async () => {
    const i = next++;
    if (i >= files) return false;
    ids.push(await uploadAsset(partner, numbered(song, i)));
    return true;
  });
  const open = async () =>
    (await service.query(`select count(*)::int as n from assets where status = 'processing'`))[0].n;
  await until('all are examined', async () => (await open()) === 0, 300_000);
  const seconds = (performance.now() - begun) / 1_000;
  const kept = await service.query(
    `select object_key, status from assets where object_key is not null`,
  );
  counts.failed += files - kept.length;
  // Their room is needed for the next block.
  for (const { object_key } of kept) await service.storage.remove(object_key);
  await service.query(`delete from assets`);
  return files / seconds;
}

async function bare(
  service: TestService,
  song: UploadFile,
  files: number,
  folder: string,
): Promise<number> {
  const begun = performance.now();
  let next = 0;
  await runConcurrently(concurrency, async () => {
    const i = next++;
    if (i >= files) return false;
    const { bytes, contentType } = numbered(song, i);
    const url = await service.storage.presignPut(`bare/${i}`, {
      contentType,
      sizeBytes: bytes.length,
      expiresInSeconds: 600,
    });
    const headers = { 'content-type': contentType };
    const answer = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(bytes) });
    if (!answer.ok) throw new Error(`the store answered ${answer.status}`);
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
