/**
 * Compares, for contract §8, what retries of one idempotency key create with one release and one response per key.
 * Fifty retries of each key go to four api processes at once, while the processes (in full size also PostgreSQL, fsync
 * on) are killed repeatedly.
 *
 * The bar: as many releases, events and audit rows as keys, no differing response among the retries of a key, no
 * unexpected status, and the planned kills. It fails when a retry creates a second release, changes the response, or
 * gets a status other than 201, 409, 429 and 503.
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
/** After these a client may retry: the key is in use, the rate limit is reached, the database is away. */
const retryableStatuses = new Set([409, 429, 503]);

type Instance = { process: ApiProcess; client: Client };

export const experiment: Experiment = {
  compares:
    'retries of a key on 4 api processes under kill -9, against one release and one response per key',
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
    const partners = await service.givenOrganizations(organizations);
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

    /** Retries, each time at another process, until the response is final. */
    const sendUntilFinal = async (
      partner: OrgClient,
      key: string,
      body: object,
    ): Promise<string> => {
      for (let attempt = Math.floor(Math.random() * processesCount); ; attempt++) {
        run.requests++;
        const reply = await instances[attempt % processesCount]!.client.send({
          method: 'POST',
          path: '/v1/releases',
          key: partner.key,
          body,
          headers: { 'idempotency-key': key },
        }).catch(() => undefined);
        if (reply?.status === 201) return finalBytes(reply);
        if (reply === undefined) run.broken++;
        else if (!retryableStatuses.has(reply.status)) run.unexpected++;
        await wait(20 + Math.random() * 100);
      }
    };
    const killUntilDone = async () => {
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
    /** Each batch of keys waits for its share of the kills, so that kills happen during the whole run. */
    const sendAllKeys = async () => {
      const responses: Set<string>[] = [];
      try {
        while (responses.length < keys) {
          const killsDue = Math.ceil((killsMin * responses.length) / keys);
          await until(`kill ${killsDue}`, () => run.kills >= killsDue);
          const batch = Array.from({ length: keysAtOnce }, async (_, i) => {
            const partner = partners[i % organizations]!;
            const key = randomUUID();
            const body = draft({ title: `Release ${responses.length + i}` });
            const retries = Array.from({ length: retriesPerKey }, () =>
              sendUntilFinal(partner, key, body),
            );
            return new Set(await Promise.all(retries));
          });
          responses.push(...(await Promise.all(batch)));
          if (responses.length % 50 === 0) say(`${responses.length} keys, ${run.kills} kills`);
        }
        await until('the last kill', () => run.kills >= killsMin);
        return responses;
      } finally {
        run.isDone = true;
      }
    };
    const [responses] = await Promise.all([sendAllKeys(), killUntilDone()]);
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
      differing_replays: responses.reduce((sum, distinct) => sum + distinct.size - 1, 0),
    };
  },
};

/** The parts of a response that a replay must repeat. */
const finalBytes = ({ headers, text }: ClientResponse): string =>
  [headers['etag'], headers['location'], text].join('\n');
