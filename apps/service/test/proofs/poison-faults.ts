/** The faults of the proof `poison`. Each is injected, waits for its alert, and is repaired. */

import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Lab } from '../../../../scripts/experiments/experiment.ts';
import { until } from '../../../../scripts/servers/server.ts';
import { queryEngine } from '../../src/platform/engine/admin.ts';
import { openIngress } from '../../src/platform/engine/ingress.ts';
import { upkeepWorkflow } from '../../src/platform/engine/upkeep.ts';
import { uploadAsset, toneWav } from '../asset-files.ts';
import type { PoisonFixture } from './poison-fixture.ts';

const alertWithinMs = 60_000;
/** The worker checks deployments every ten seconds and frees the invocations of one that was missing twice. */
const freedWithinMs = 120_000;
const audioMs = 5_000;
const requestEveryMs = 50;
/** Long enough that the worker can be killed during the examination. */
const longAudioMs = 20_000;
const roomLeftBytes = 500_000;

export function createFaults({ fleet, say }: Lab, fixture: PoisonFixture, files: number) {
  const { serviceWithEngine, partner, prometheus, pulse } = fixture;
  const { service, urls } = serviceWithEngine;
  const run = { sent: [] as string[], missed: [] as string[], diskWasFull: 0, requestsFailed: 0 };

  const sendFiles = async (ms = audioMs) => {
    const audioFiles = Array.from({ length: files }, (_, i) =>
      toneWav(ms, 300 + run.sent.length + i),
    );
    run.sent.push(
      ...(await Promise.all(audioFiles.map((audioFile) => uploadAsset(partner, audioFile)))),
    );
  };
  const expectAlert = async (name: string, limitMs = alertWithinMs) => {
    const hasFired = await prometheus.awaitAlert(name, limitMs);
    say(hasFired ? `${name} after ${prometheus.secondsToFire[name]} s` : `${name} has not fired`);
    if (!hasFired) run.missed.push(name);
  };
  const countRunningExaminations = async () => {
    const [row] = await queryEngine<{ n: number }>(
      urls.adminUrl,
      `select count(*) as n from sys_invocation
        where target_service_name = 'assets' and status = 'running'`,
    );
    return row?.n ?? 0;
  };
  const killWorkerDuringExamination = async () => {
    await sendFiles(longAudioMs);
    await until(
      'files are examined',
      async () => (await countRunningExaminations()) >= 2,
      alertWithinMs,
      20,
    );
    pulse.markWorkerKilled();
    await fixture.killWorker();
  };

  return {
    run,
    /** Revokes UPDATE on `assets`: the worker cannot record the result of an examination. */
    poisonHandlers: async () => {
      pulse.setFault('handlers poisoned, Redis away');
      await service.query('revoke update on assets from tonearm_worker');
      await sendFiles();
      await expectAlert('HandlersGivingUp', 2 * alertWithinMs);
      await service.query('grant update on assets to tonearm_worker');
    },
    /** Kills Redis and sends requests meanwhile, all of which must succeed. */
    removeRedis: async () => {
      await fleet.redis?.kill();
      const requesting = new AbortController();
      const requests = (async () => {
        while (!requesting.signal.aborted) {
          const headers = { authorization: `Bearer ${fixture.api.key}` };
          const { status } = await fetch(`${fixture.api.url}/v1/releases?limit=1`, { headers });
          if (status !== 200) run.requestsFailed++;
          await wait(requestEveryMs);
        }
      })();
      await expectAlert('RateLimiterAlone');
      await fleet.redis?.start();
      requesting.abort();
      await requests;
    },
    /**
     * Kills the worker during an examination and starts the same version at another port; kills it again and starts the
     * next version at that port.
     */
    killAndMove: async () => {
      pulse.setFault('worker killed, moved, replaced');
      await killWorkerDuringExamination();
      await expectAlert('WorkerAway');
      await fixture.startAtOtherPort();
      pulse.markWorkerBack();
      // Before this worker is killed too: its count of freed invocations must be scraped first.
      await expectAlert('DeploymentGone', freedWithinMs);
      await killWorkerDuringExamination();
      await fixture.startNextVersion();
      pulse.markWorkerBack();
    },
    removeStorage: async () => {
      pulse.setFault('S3 away');
      fixture.s3Proxy.block();
      await sendFiles();
      // Only two files of an organization are examined at once, so these wait for the long ones.
      await expectAlert('StorageFailing', 3 * alertWithinMs);
      fixture.s3Proxy.unblock();
    },
    fillDisk: async () => {
      pulse.setFault('disk full, a clock 40 days ahead');
      const ballast = join(fixture.disk.folder, 'ballast');
      const { bavail, bsize } = statfsSync(fixture.disk.folder);
      writeFileSync(ballast, Buffer.alloc(bavail * bsize - roomLeftBytes));
      const logLength = fixture.log().length;
      const isFull = () => fixture.log().slice(logLength).includes('ENOSPC');
      await sendFiles();
      await expectAlert('ScratchDiskFull');
      await until('a file did not fit on the disk', isFull).then(
        () => run.diskWasFull++,
        () => undefined,
      );
      rmSync(ballast);
    },
    startAhead: async () => {
      const stop = await fixture.startWithClockAhead();
      await expectAlert('ClockWrong');
      await stop();
    },
    /**
     * Runs a round of upkeep as the worker's role, which cannot pass a time to the database. Returns how many rows of
     * history are lost.
     */
    runUpkeep: async () => {
      const upkeep = { ...upkeepWorkflow(service.workerDb, []), service: 'upkeep_once' };
      await serviceWithEngine.serve([upkeep], 'ahead');
      const before = await countHistory(fixture);
      const ingress = openIngress(urls.ingressUrl);
      await ingress.call({ service: upkeep.service, key: 'partitions', handler: 'run' }, 30_000);
      await ingress.close();
      return Math.max(0, before - (await countHistory(fixture)));
    },
  };
}

async function countHistory({ serviceWithEngine: { service } }: PoisonFixture): Promise<number> {
  const [{ rows }] = await service.query(`
    select (select count(*) from events)::int + (select count(*) from audit)::int
         + (select count(*) from idempotency_keys)::int + (select count(*) from webhook_attempts)::int as rows`);
  return rows;
}
