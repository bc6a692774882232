/**
 * Compares the final status and the measured facts of each file of a corpus (valid, broken and hostile files) with what
 * its specimen expects. Every file goes through the API: created, uploaded to its presigned URL, completed, examined by
 * a worker, while worker and engine are killed repeatedly.
 *
 * The bar: no wrong or unsettled asset, exactly one event each, no leftovers in storage, the planned kills, at least
 * one of them during an examination, no worker that ended without a kill, and at most 512 MiB of memory. It fails when
 * an examination is lost or repeated after a kill, a file is judged wrongly, or a file exhausts the worker.
 */

import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Experiment, Lab } from '../../../../scripts/experiments/experiment.ts';
import { until } from '../../../../scripts/servers/server.ts';
import { uploadKey } from '../../src/assets/connectors/examine-file.ts';
import type { AssetId } from '../../src/assets/domain/asset.ts';
import type { OrgId } from '../../src/kernel/ids.ts';
import { kill, type RoleProcess, startRelay, startWorker } from '../processes.ts';
import { openServiceWithEngine } from '../service-with-engine.ts';
import type { OrgClient, Reply, TestService } from '../test-service.ts';
import { runConcurrently } from './client.ts';
import { makeCorpus, type Specimen } from './corpus/corpus.ts';
import { watchMemory } from './memory-watch.ts';

const firstPort = 25_080;
const uploaders = 6;
const settleLimitMs = 240_000;
/** `nth`: every second file in the smallest size, beginning at random with the first or the second. */
const sizes = {
  start: { nth: 2, rounds: 1, workerKills: 6, engineKills: 3 },
  small: { nth: 1, rounds: 1, workerKills: 6, engineKills: 3 },
  full: { nth: 1, rounds: 5, workerKills: 40, engineKills: 20 },
};
const memoryMibMax = 512;

type SentFile = { readonly id: string; readonly specimen: Specimen };
type ServiceWithEngine = Awaited<ReturnType<typeof openServiceWithEngine>>;

export const experiment: Experiment = {
  compares: 'the final state of each file of a corpus under kills, against the expected state',
  bar: (size) => ({
    files: { atLeast: 60 },
    wrong: { equals: 0 },
    unsettled: { equals: 0 },
    not_announced_once: { equals: 0 },
    left_in_uploads: { equals: 0 },
    not_kept_once: { equals: 0 },
    worker_kills: { atLeast: sizes[size].workerKills },
    engine_kills: { atLeast: sizes[size].engineKills },
    killed_in_mid_processing: { atLeast: 1 },
    died_of_itself: { equals: 0 },
    peak_mib: { atMost: memoryMibMax },
  }),
  run: async (lab) => {
    const folder = mkdtempSync(join(tmpdir(), 'tonearm-corpus-'));
    const { nth, rounds } = sizes[lab.size];
    const first = randomInt(nth);
    const specimens = (await makeCorpus(folder)).filter((_, i) => i % nth === first);
    lab.say(`${specimens.length} files made`);
    const serviceWithEngine = await openServiceWithEngine(firstPort);
    const partner = await serviceWithEngine.service.givenOrganization();
    const processes = await startProcesses(serviceWithEngine);
    const memory = watchMemory(() => processes.worker.child.pid);

    const sent: SentFile[] = [];
    const killing = killInTurn(lab, serviceWithEngine, processes, () => sent.length > 0);
    for (let round = 0; round < rounds; round++) {
      sent.push(...(await sendAll(serviceWithEngine.service, partner, specimens)));
      lab.say(`${sent.length} files sent`);
    }
    const kills = await killing;
    lab.say(
      `${kills.worker_kills + kills.engine_kills} kills; waiting for the remaining examinations`,
    );
    const unsettled = await untilSettled(serviceWithEngine.service, sent.length);
    const figures = await judge(serviceWithEngine.service, partner, sent);
    const peaks = await memory();
    await Promise.all([kill(processes.relay), kill(processes.worker)]);
    await serviceWithEngine.close();
    rmSync(folder, { recursive: true, force: true });
    return {
      files: sent.length,
      distinct_files: specimens.length,
      ...figures,
      unsettled,
      ...kills,
      died_of_itself: processes.deaths,
      peak_mib: Math.max(...Object.values(peaks)),
      peak_mib_by_program: peaks,
    };
  },
};

async function startProcesses({ service, urls, identityKey }: ServiceWithEngine) {
  const port = firstPort + 5 + Number(process.env['TONEARM_PORT_OFFSET'] ?? 0);
  const env = {
    TONEARM_ENGINE_IDENTITY_KEYS: identityKey,
    // The engine calls the worker at the URL it registered, so a restarted worker needs the same port.
    TONEARM_WORKER_PORT: String(port),
  };
  const processes = {
    relay: await startRelay(service.database, urls),
    worker: await startWorker(service.database, urls, env),
    deaths: 0,
    /** Kills the worker and starts another. A worker that has ended before the kill is counted as a death. */
    replaceWorker: async () => {
      if (hasEnded(processes.worker)) processes.deaths++;
      await kill(processes.worker);
      processes.worker = await startWorker(service.database, urls, env);
    },
  };
  return processes;
}

const hasEnded = ({ child }: RoleProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

async function sendAll(
  service: TestService,
  partner: OrgClient,
  specimens: readonly Specimen[],
): Promise<readonly SentFile[]> {
  const sent: SentFile[] = [];
  const left = specimens.values();
  await runConcurrently(uploaders, async () => {
    const { value: specimen } = left.next();
    if (specimen === undefined) return false;
    sent.push({ specimen, id: await send(service, partner, specimen) });
    return true;
  });
  return sent;
}

async function send(
  service: TestService,
  { orgId, call }: OrgClient,
  specimen: Specimen,
): Promise<string> {
  const { type, fileName, contentType, bytes, declared } = specimen;
  const { json } = await call('POST', '/v1/assets', {
    type,
    file_name: fileName,
    content_type: contentType,
    size_bytes: declared?.sizeBytes ?? bytes.length,
    ...(declared?.sha256 !== undefined && { sha256: declared.sha256 }),
  });
  const id: string = json.id;
  // The presigned URL accepts only the declared size. Another size needs a URL signed here, as if S3 had lost bytes.
  const url =
    declared?.sizeBytes === undefined
      ? json.upload.url
      : await service.storage.presignPut(uploadKey(orgId as OrgId, id as AssetId), {
          contentType,
          sizeBytes: bytes.length,
          expiresInSeconds: 60,
        });
  const headers = { 'content-type': contentType };
  const put = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(bytes) });
  await put.arrayBuffer();
  const completed = await call('POST', `/v1/assets/${id}/complete`);
  if (put.status !== 200 || completed.status !== 200) {
    throw new Error(`${specimen.name}: PUT ${put.status}, complete ${completed.text}`);
  }
  return id;
}

async function killInTurn(
  { size, say }: Lab,
  { engine, service }: ServiceWithEngine,
  processes: Awaited<ReturnType<typeof startProcesses>>,
  hasBegun: () => boolean,
) {
  const { workerKills, engineKills } = sizes[size];
  const done = { worker_kills: 0, engine_kills: 0, killed_in_mid_processing: 0 };
  await until('files are being processed', async () => (await processing(service)) > 0);
  while (done.worker_kills < workerKills || done.engine_kills < engineKills) {
    await wait(400 + Math.random() * 1_500);
    if (hasBegun() && (await processing(service)) > 0) done.killed_in_mid_processing++;
    if (done.worker_kills < workerKills) {
      await processes.replaceWorker();
      done.worker_kills++;
    }
    if (done.worker_kills % 2 === 0 && done.engine_kills < engineKills) {
      await engine.kill();
      await engine.start();
      done.engine_kills++;
    }
  }
  say(`killed: ${JSON.stringify(done)}`);
  return done;
}

async function processing(service: TestService): Promise<number> {
  const [row] = await service.query(
    `select count(*)::int as n from assets where status = 'processing'`,
  );
  return row.n;
}

/** Returns how many assets are not settled at the time limit. */
async function untilSettled(service: TestService, expected: number): Promise<number> {
  const settled = async () => {
    const [row] = await service.query(
      `select count(*)::int as n from assets where status in ('ready', 'failed')`,
    );
    return row.n as number;
  };
  await until('all are settled', async () => (await settled()) >= expected, settleLimitMs).catch(
    () => undefined,
  );
  // The worker deletes an asset's leftovers after it has settled the asset.
  await until(
    'leftovers are deleted',
    async () =>
      (await service.query(`select 1 from timers where state <> 'fired' and handler = 'process'`))
        .length === 0,
    60_000,
  ).catch(() => undefined);
  return expected - (await settled());
}

async function judge(service: TestService, { orgId, call }: OrgClient, sent: readonly SentFile[]) {
  const counts = { wrong: 0, not_announced_once: 0, left_in_uploads: 0, not_kept_once: 0 };
  const samples: string[] = [];
  const eventTypes = await eventTypesByAsset(service);
  const recordMismatch = (kind: keyof typeof counts, what: string) => {
    counts[kind]++;
    if (samples.length < 10) samples.push(`${kind}: ${what}`);
  };
  for (const { id, specimen } of sent) {
    const { json } = await call('GET', `/v1/assets/${id}`);
    if (!isAsExpected(json, specimen))
      recordMismatch('wrong', `${specimen.name}: ${JSON.stringify(json)}`);
    if (eventTypes.get(id) !== `asset.${json.status}`)
      recordMismatch('not_announced_once', specimen.name);
    const key = uploadKey(orgId as OrgId, id as AssetId);
    if ((await service.storage.find(key)) !== undefined)
      recordMismatch('left_in_uploads', specimen.name);
    const kept = await service.storage.list(`assets/${orgId}/${id}/`);
    if (kept.length !== (json.status === 'ready' ? 1 : 0))
      recordMismatch('not_kept_once', specimen.name);
  }
  return { ...counts, samples };
}

/** For each asset the types of its events, joined with spaces. */
async function eventTypesByAsset(service: TestService): Promise<ReadonlyMap<string, string>> {
  const rows = await service.query(
    `select data ->> 'id' as id, string_agg(type, ' ') as types from events
      where type like 'asset.%' group by 1`,
  );
  return new Map(rows.map(({ id, types }) => [id, types]));
}

function isAsExpected(asset: Reply['json'], { expected }: Specimen): boolean {
  if (asset.status !== expected.status) return false;
  if (expected.status === 'failed') {
    return asset.failure_code === expected.code && asset.failure_reason.length > 0;
  }
  return Object.entries(expected.technical).every(
    ([name, value]) => asset.technical[name] === value,
  );
}
