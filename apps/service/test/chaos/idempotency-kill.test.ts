/**
 * Two api processes, 50 keys × 20 concurrent retries, and kill -9 of either process again and again:
 * exactly 50 releases, every retry of a key in the end the same bytes (contract §8).
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../../../../scripts/servers/server.ts';
import { type ApiProcess, kill, startApi } from '../processes.ts';
import { draft, openWorld } from '../world.ts';

const keys = 50;
const retries = 20;
const killsMin = 8;
const deadlineMs = 120_000;

describe('idempotency under kill -9', () => {
  test(`${keys} keys × ${retries} retries over 2 processes make ${keys} releases`, async (t) => {
    const world = await openWorld();
    const label = await world.givenOrganization();
    const processes: ApiProcess[] = await Promise.all([0, 1].map(() => startApi(world.database)));
    const deadline = Date.now() + deadlineMs;
    const run = { kills: 0, failures: 0, isDone: false };

    /** One client: it retries, on either process, until it has an answer that is final. */
    const client = async (key: string, body: string): Promise<string> => {
      for (let attempt = 0; Date.now() < deadline; attempt++) {
        const { url } = processes[(attempt + key.charCodeAt(0)) % 2]!;
        const reply = await fetch(`${url}/v1/releases`, {
          method: 'POST',
          body,
          headers: {
            authorization: `Bearer ${label.key}`,
            'content-type': 'application/json',
            'idempotency-key': key,
          },
        })
          .then(async (response) => ({ status: response.status, text: await response.text() }))
          .catch(() => undefined);
        if (reply?.status === 201) return reply.text;
        if (reply === undefined) run.failures++;
        else assert.ok([409, 429, 503].includes(reply.status), `${reply.status} ${reply.text}`);
        await wait(Math.random() * 30);
      }
      throw new Error('no final answer in time');
    };
    const killing = async () => {
      for (let i = 0; !run.isDone; i++) {
        await wait(20 + Math.random() * 80);
        await kill(processes[i % 2]!);
        run.kills++;
        processes[i % 2] = await startApi(world.database);
      }
    };
    /** Each batch of keys waits for another kill, so that kills fall all over their execution. */
    const clients = async () => {
      const answers: string[][] = [];
      try {
        for (let i = 0; i < keys; i += 5) {
          await until(`kill ${i / 5}`, () => run.kills >= i / 5, deadlineMs);
          const batch = Array.from({ length: 5 }, (_, j) => {
            const key = randomUUID();
            const body = JSON.stringify(draft({ title: `Release ${i + j}` }));
            return Promise.all(Array.from({ length: retries }, () => client(key, body)));
          });
          answers.push(...(await Promise.all(batch)));
        }
        return answers;
      } finally {
        run.isDone = true;
      }
    };
    const [answers] = await Promise.all([clients(), killing()]);
    await Promise.all(processes.map(kill));

    t.diagnostic(`${run.kills} kills, ${run.failures} broken connections`);
    assert.ok(run.kills >= killsMin, `only ${run.kills} kills`);
    assert.ok(run.failures > 0, 'the kills must have hit something');
    assert.equal(answers.length, keys);
    for (const answer of answers) assert.equal(new Set(answer).size, 1, 'one key, one answer');
    const [counts] = await world.query(`
      select (select count(*)::int from releases) as releases,
             (select count(*)::int from release_revisions) as revisions,
             (select count(*)::int from idempotency_keys) as keys,
             (select count(*)::int from audit where action = 'release.create') as audited,
             (select count(distinct upc)::int from releases) as upcs`);
    assert.deepEqual(counts, {
      releases: keys,
      revisions: keys,
      keys,
      audited: keys,
      upcs: keys,
    });
    await world.close();
  });
});
