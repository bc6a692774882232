/**
 * Compares the outbox rows that one relay hands to the engine per second with bare sends of the same messages over the
 * same kind of connections. All messages are delayed by an hour, so that only the sending is measured.
 *
 * The bar: a share of 0.7. It fails when reading, sending or deleting outbox rows becomes slower.
 */

import { Pool } from 'undici';
import { kill, startRelay, startWorker } from '../apps/service/test/processes.ts';
import { openServiceWithEngine } from '../apps/service/test/service-with-engine.ts';
import type { TestService } from '../apps/service/test/test-service.ts';
import type { Experiment } from '../scripts/experiments/experiment.ts';
import { until } from '../scripts/servers/server.ts';
import { interleave, median, shareOf } from './blocks.ts';

const sizes = { start: { rounds: 1, rows: 200 }, full: { rounds: 9, rows: 8_000 } };
const connections = 64;
const delayMs = 3_600_000;
const enginePort = 24_080;

export const experiment: Experiment = {
  compares:
    'outbox rows handed over per second by one relay, against bare sends to the same engine',
  bar: (size) => ({ share: { atLeast: size === 'full' ? 0.7 : 0 } }),
  run: async ({ size, say }) => {
    const { rounds, rows } = sizes[size === 'start' ? 'start' : 'full'];
    const stack = await openServiceWithEngine(enginePort);
    const { service, urls } = stack;
    const env = { TONEARM_ENGINE_IDENTITY_KEYS: stack.identityKey };
    const worker = await startWorker(service.database, urls, env);
    const relay = await startRelay(service.database, urls);
    const pool = new Pool(urls.ingressUrl, { connections });
    let block = 0;
    const contenders = [
      { name: 'relay', measure: () => measureRelay(service, rows) },
      { name: 'bare', measure: () => bareSends(pool, rows, block++) },
    ];
    for (const { measure } of contenders) await measure();
    const results = await interleave(rounds, contenders, say);
    await Promise.all([kill(relay), kill(worker), pool.destroy()]);
    await stack.close();
    const share = shareOf(results, 'relay', 'bare');
    return {
      rounds,
      rows_per_block: rows,
      share: share.median,
      spread: share,
      per_second: {
        relay: Math.round(median(results['relay'] ?? [])),
        bare: Math.round(median(results['bare'] ?? [])),
      },
    };
  },
};

/** Rows per second, from the commit of the rows to an empty outbox. */
async function measureRelay(service: TestService, rows: number): Promise<number> {
  await service.query(
    `insert into outbox (id, service, key, handler, send_at)
     select uuidv7(), 'canary', n::text, 'ping', now() + $2::int * interval '1 millisecond'
       from generate_series(1, $1::int) n`,
    [rows, delayMs],
  );
  const begun = performance.now();
  const isEmpty = async () => (await service.query('select 1 from outbox limit 1')).length === 0;
  await until('the outbox is empty', isEmpty, 120_000);
  return rows / ((performance.now() - begun) / 1_000);
}

async function bareSends(pool: Pool, rows: number, block: number): Promise<number> {
  const begun = performance.now();
  let next = 0;
  const loop = async () => {
    for (let i = next++; i < rows; i = next++) {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: `/restate/send/canary/${i}/ping?delay=${delayMs}ms`,
        headers: { 'idempotency-key': `bare-${block}-${i}` },
      });
      await body.dump();
      if (statusCode >= 300) throw new Error(`the engine answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  return rows / ((performance.now() - begun) / 1_000);
}
