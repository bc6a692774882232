/**
 * Delivers releases to a store over real SFTP, updates them and takes them down, while worker, relay, Restate, PostgreSQL
 * and the SFTP server are killed in turn. The store reads batches at its own pace, refuses some, and answers in every
 * form.
 *
 * The bar: every message is read by the store once, no release has two batches that wait for an answer, every file has
 * the bytes of its asset, every message passes the schema and the checks of the store, and in the end the store's own book
 * agrees with our states. It fails when a repeated send makes a second batch, or when an update overtakes a delivery.
 */

import { hash, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Experiment, Lab } from '../../../../scripts/experiments/experiment.ts';
import type { SftpServer } from '../../../../scripts/servers/sftp.ts';
import { pollStore } from '../../src/delivery/messages.ts';
import { openIngress } from '../../src/platform/engine/ingress.ts';
import { connectStore, givenFile, schemaFolder } from '../ddex-given.ts';
import { openServiceWithEngine } from '../service-with-engine.ts';
import { startSftpServer } from '../sftp-fixture.ts';
import { completeDraft, type OrgClient, type TestService, trackCredits } from '../test-service.ts';
import { judgeDdex } from './ddex-judge.ts';
import {
  type DdexContext,
  type DdexRelease,
  type DdexScenario,
  drawScenario,
  runScenario,
} from './ddex-scenario.ts';
import { startStore } from './ddex-store.ts';
import { sumOf, untilSettled } from './deliveries-pending.ts';
import { hangMs } from './hang-limit.ts';
import { type KillableProcesses, startKillableProcesses } from './killable-processes.ts';
import { openQueries } from './lasting-queries.ts';
import { seededRandom } from './random.ts';

const sizes = {
  start: { deliveries: 8, kills: 5, fileBytes: 200_000 },
  small: { deliveries: 50, kills: 30, fileBytes: 1_000_000 },
  full: { deliveries: 200, kills: 120, fileBytes: 2_000_000 },
};
const firstPort = 28_480;
const sftpPort = 28_487;
const storeId = 'aurora';
const scenariosAtOnce = 10;
const kinds = ['worker', 'sftp', 'engine', 'relay', 'postgres'] as const;

export const experiment: Experiment = {
  compares: 'releases at a store over SFTP under kill -9, against the store’s own book',
  bar: (size) => ({
    deliveries: { equals: sizes[size].deliveries },
    kills: { atLeast: sizes[size].kills },
    kinds_killed: { equals: kinds.length },
    unfinished: { equals: 0 },
    lost_messages: { equals: 0 },
    doubled_messages: { equals: 0 },
    unknown_batches: { equals: 0 },
    overlaps: { equals: 0 },
    refused_by_checks: { equals: 0 },
    different_files: { equals: 0 },
    wrong_states: { equals: 0 },
    stuck: { equals: 0 },
  }),
  run: async (lab) => {
    const { deliveries, kills, fileBytes } = sizes[lab.size];
    const random = seededRandom();
    const server = await startSftpServer(sftpPort);
    const stack = await openServiceWithEngine(firstPort);
    const { service } = stack;
    await service.admin('stores', 'seed');
    const { folder } = await connectStore(service, server, storeId);
    const label = await service.givenOrganization();
    const releases = await givenReleases(service, label, deliveries, fileBytes);
    lab.say(`${releases.length} releases submitted`);
    const scenarios = releases.map((release) => drawScenario(random, release));
    const processes = await startKillableProcesses(stack, lab.fleet, firstPort, {
      DDEX_SCHEMA_DIR: schemaFolder,
    });
    const proofStore = startStore(folder, random);
    const polling = startPolling(stack.urls.ingressUrl);
    const { query, close } = openQueries(service);
    const { hasAnswerWaiting } = proofStore;
    const context = { processes, query, key: label.key, storeId, hasAnswerWaiting };
    const progress = { kills: 0, isDone: false };
    const injecting = injectKills(lab, processes, server, progress, kills);
    await runAll(lab, context, scenarios, progress, kills);
    progress.isDone = true;
    const killed = await injecting;
    const pending = await untilSettled(query, hangMs);
    await polling.stop();
    await proofStore.close();
    const ended = scenarios.filter(({ failure }) => failure === undefined);
    const verdict = await judgeDdex(query, folder, proofStore, ended);
    await processes.close();
    await close();
    await stack.close();
    await server.stop();
    return {
      deliveries: scenarios.length,
      updates: scenarios.reduce((sum, { updates }) => sum + updates, 0),
      takedowns: scenarios.filter(({ isTakenDown }) => isTakenDown).length,
      ...killed,
      ...verdict,
      unfinished: scenarios.length - ended.length,
      failures: scenarios.flatMap(({ failure }) => failure ?? []).slice(0, 3),
      stuck: sumOf(pending),
      pending,
      seed: random.seed,
    };
  },
};

async function givenReleases(
  service: TestService,
  label: OrgClient,
  count: number,
  fileBytes: number,
): Promise<readonly DdexRelease[]> {
  const releases: DdexRelease[] = [];
  for (let i = 0; i < count; i++) {
    const digests: string[] = [];
    const file = (type: 'audio' | 'artwork') => {
      const bytes = randomBytes(fileBytes);
      digests.push(hash('sha256', bytes));
      return givenFile(service, label, type, bytes);
    };
    const { json: release } = await label.call('POST', '/v1/releases', completeDraft());
    const artwork = { artwork_asset_id: await file('artwork') };
    await label.call('PATCH', `/v1/releases/${release.id}`, artwork);
    for (const number of [1, 2]) {
      await label.call('POST', '/v1/tracks', {
        release_id: release.id,
        title: `Track ${number}`,
        isrc: `QZDDX26${String(2 * i + number).padStart(5, '0')}`,
        audio_asset_id: await file('audio'),
        ...trackCredits,
      });
    }
    const { status, text } = await label.call('POST', `/v1/releases/${release.id}/submit`);
    if (status !== 200) throw new Error(`not submitted: ${text}`);
    releases.push({ id: release.id, code: release.upc, digests });
  }
  return releases;
}

/** As the worker's schedule does each minute; a proof does not wait for minutes. */
function startPolling(ingressUrl: string) {
  const ingress = openIngress(ingressUrl);
  const state = { isStopped: false };
  const polling = (async () => {
    for (let number = 0; !state.isStopped; number++) {
      await ingress.send(`proof-poll-${number}`, pollStore(storeId)).catch(() => undefined);
      await wait(700);
    }
  })();
  return {
    stop: async () => {
      state.isStopped = true;
      await polling;
      await ingress.close();
    },
  };
}

type Progress = { kills: number; isDone: boolean };

/** Later scenarios begin after their share of the kills, so that every kill has work to interrupt. */
async function runAll(
  { say }: Lab,
  context: DdexContext,
  scenarios: readonly DdexScenario[],
  progress: Progress,
  kills: number,
): Promise<void> {
  const left = scenarios.entries();
  let ended = 0;
  const work = async () => {
    for (const [i, scenario] of left) {
      while (progress.kills < Math.floor((i * kills) / scenarios.length) - 2) await wait(100);
      await runScenario(context, scenario);
      ended++;
      if (ended % 10 === 0) say(`${ended} deliveries ended, ${progress.kills} kills`);
    }
  };
  await Promise.all(Array.from({ length: scenariosAtOnce }, work));
}

async function injectKills(
  { say }: Lab,
  { killAndRestart }: KillableProcesses,
  server: SftpServer,
  progress: Progress,
  kills: number,
) {
  const killed: Record<string, number> = {};
  while (progress.kills < kills && !progress.isDone) {
    await wait(400 + Math.random() * 1_200);
    const name = kinds[progress.kills % kinds.length] ?? 'worker';
    if (name === 'sftp') {
      await server.kill();
      await server.start();
    } else await killAndRestart[name]?.();
    killed[name] = (killed[name] ?? 0) + 1;
    progress.kills++;
    if (progress.kills % 10 === 0) say(`${progress.kills} kills`);
  }
  return { kills: progress.kills, kinds_killed: Object.keys(killed).length, killed };
}
