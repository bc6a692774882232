/**
 * Contract §8 under kill -9: clients retry each key on all of four api processes at once, while the
 * processes (and in full PostgreSQL itself, fsync on) are killed again and again. Every key makes one
 * release, one event and one audit row, and every retry ends with the same bytes.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Experiment } from '../../../../scripts/experiments/experiment.ts';
import { until } from '../../../../scripts/servers/server.ts';
import { type ApiProcess, kill, startApi } from '../processes.ts';
import { type OrgClient, draft, openTestService } from '../test-service.ts';
import { type Client, openClient, type ClientResponse } from './client.ts';

const sizes = {
  start: { keys: 80, killsMin: 12, killsPerDatabaseKill: Number.POSITIVE_INFINITY },
  small: { keys: 200, killsMin: 30, killsPerDatabaseKill: Number.POSITIVE_INFINITY },
  full: { keys: 1_000, killsMin: 300, killsPerDatabaseKill: 15 },
};
const retriesPerKey = 50;
const keysAtOnce = 10;
const processesCount = 4;
const organizations = 10;
/** What a retrying client may be told meanwhile: in use, slow down, the database is away. */
const temporary = new Set([409, 429, 503]);

type Instance = { process: ApiProcess; client: Client };

export const experiment: Experiment = {
  compares:
    'retries of a key on 4 api processes under kill -9, against one release and one answer per key',
  bar: (size) => {
    const { keys, killsMin } = sizes[size];
    return {
      kills: { atLeast: killsMin },
      ...(size === 'full' && { database_kills: { atLeast: 15 } }),
      broken_connections: { atLeast: 1 },
      releases: { equals: keys },
      events: { equals: keys },
      audit_rows: { equals: keys },
      differing_replays: { equals: 0 },
      unexpected_answers: { equals: 0 },
    };
  },
  run: async ({ size, fleet, say }) => {
    const { keys, killsMin, killsPerDatabaseKill } = sizes[size];
    const service = await openTestService();
    const labels = await service.givenOrganizations(organizations);
    const start = async (): Promise<Instance> => {
      const process = await startApi(service.database);
      return { process, client: openClient(process.url) };
    };
    const instances = await Promise.all(Array.from({ length: processesCount }, start));
    const run = {
      kills: 0,
      databaseKills: 0,
      broken: 0,
      requests: 0,
      unexpected: 0,
      isDone: false,
    };

    /** Retries, each time on another process, until the answer is final. */
    const client = async (label: OrgClient, key: string, body: object): Promise<string> => {
      for (let attempt = Math.floor(Math.random() * processesCount); ; attempt++) {
        run.requests++;
        const reply = await instances[attempt % processesCount]!.client.send({
          method: 'POST',
          path: '/v1/releases',
          key: label.key,
          body,
          headers: { 'idempotency-key': key },
        }).catch(() => undefined);
        if (reply?.status === 201) return finalBytes(reply);
        if (reply === undefined) run.broken++;
        else if (!temporary.has(reply.status)) run.unexpected++;
        await wait(20 + Math.random() * 100);
      }
    };
    const killing = async () => {
      for (let i = 0; !run.isDone; i++) {
        await wait(Math.random() * 100);
        if (i % killsPerDatabaseKill === killsPerDatabaseKill - 1) {
          await fleet.postgres.kill();
          run.databaseKills++;
          await fleet.postgres.start();
          continue;
        }
        const victim = instances[i % processesCount]!;
        await kill(victim.process);
        run.kills++;
        await victim.client.close();
        Object.assign(victim, await start());
      }
    };
    /** A batch waits for its share of kills, so that they fall all over the run. */
    const sending = async () => {
      const answers: Set<string>[] = [];
      try {
        while (answers.length < keys) {
          const due = Math.ceil((killsMin * answers.length) / keys);
          await until(`kill ${due}`, () => run.kills >= due, 60_000);
          const batch = Array.from({ length: keysAtOnce }, async (_, i) => {
            const label = labels[i % organizations]!;
            const key = randomUUID();
            const body = draft({ title: `Release ${answers.length + i}` });
            const retries = Array.from({ length: retriesPerKey }, () => client(label, key, body));
            return new Set(await Promise.all(retries));
          });
          answers.push(...(await Promise.all(batch)));
          if (answers.length % 50 === 0) say(`${answers.length} keys, ${run.kills} kills`);
        }
        await until('the last kill', () => run.kills >= killsMin, 60_000);
        return answers;
      } finally {
        run.isDone = true;
      }
    };
    const [answers] = await Promise.all([sending(), killing()]);
    await Promise.all(instances.map(({ process }) => kill(process)));
    const [counts] = await service.query(`
      select (select count(*)::int from releases) as releases,
             (select count(*)::int from events where type = 'release.created') as events,
             (select count(*)::int from audit where action = 'release.create') as audit_rows,
             (select count(distinct upc)::int from releases) as distinct_upcs`);
    await service.close();
    return {
      keys,
      retries_per_key: retriesPerKey,
      api_processes: processesCount,
      requests: run.requests,
      kills: run.kills,
      database_kills: run.databaseKills,
      broken_connections: run.broken,
      unexpected_answers: run.unexpected,
      ...counts,
      differing_replays: answers.reduce((sum, distinct) => sum + distinct.size - 1, 0),
    };
  },
};

/** What a replay must repeat. */
const finalBytes = ({ headers, text }: ClientResponse): string =>
  [headers['etag'], headers['location'], text].join('\n');
