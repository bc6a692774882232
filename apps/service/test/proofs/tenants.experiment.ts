/**
 * Compares the responses to two organizations with each other's data. Both send random requests to every route, with
 * ids of both organizations; each response is searched for everything that belongs to the other. This is repeated with
 * one wall removed at a time. A wall is the organization in every statement's condition, or row-level security.
 *
 * The bar: no foreign read or write with both walls or with either one, and every route requested; with both walls
 * removed at least one foreign read and write is found, which shows that the search works. It fails when one statement
 * or one table lacks its wall.
 */

import type { Experiment } from '../../../../scripts/experiments/experiment.ts';
import { type OrgId, toUuid } from '../../src/kernel/ids.ts';
import { openTestService, type Reply, type TestService } from '../test-service.ts';
import { runConcurrently } from './client.ts';
import { type Random, seededRandom } from './random.ts';
import { canariesOf, openTenant, recordKnownIds, type Tenant, tokensOf } from './tenants-known.ts';
import { randomRequest } from './tenants-requests.ts';
import { openTables, removableConditions } from './tenants-walls.ts';

const requestsOf = { start: 6_000, small: 20_000, full: 120_000 };
const concurrency = 8;
const roundsWithoutWallsMax = 10;

export const experiment: Experiment = {
  compares:
    'responses to two organizations, searched for everything of the other, with both walls, each alone, and none',
  bar: (size) => ({
    requests: { atLeast: requestsOf[size] },
    routes_missed: { equals: 0 },
    foreign_writes: { equals: 0 },
    foreign_with_both_walls: { equals: 0 },
    foreign_with_row_level_security_alone: { equals: 0 },
    foreign_with_conditions_alone: { equals: 0 },
    foreign_with_no_wall: { atLeast: 1 },
    foreign_writes_with_no_wall: { atLeast: 1 },
    conditions_removed: { atLeast: 1_000 },
  }),
  run: async ({ size, say }) => {
    const random = seededRandom();
    const total = requestsOf[size];
    const conditions = removableConditions();
    const tally = { requests: 0, foreignWrites: 0, routesMissed: 0 };
    const search = async (
      what: string,
      share: number,
      removeWalls: (service: TestService) => Promise<void>,
    ) => {
      const requests = total * share;
      const service = await openTestService();
      await removeWalls(service);
      const found = await searchForForeign(service, random, requests);
      conditions.restore();
      await service.close();
      tally.requests += found.answered;
      say(`${what}: ${requests} requests, ${found.reads} responses with foreign data`);
      return found;
    };
    /** A search that must find no foreign read and no foreign write. */
    const searchForNothing = async (...args: Parameters<typeof search>) => {
      const found = await search(...args);
      tally.foreignWrites += found.writes;
      tally.routesMissed += found.routesMissed;
      return found.reads;
    };
    const withoutConditions = async () => conditions.remove();
    const figures = {
      foreign_with_both_walls: await searchForNothing('both walls', 1, async () => undefined),
      foreign_with_row_level_security_alone: await searchForNothing(
        'row-level security alone',
        0.25,
        withoutConditions,
      ),
      foreign_with_conditions_alone: await searchForNothing('conditions alone', 0.25, openTables),
    };
    // Random requests rarely write to the other organization: more are sent until one does.
    const withoutWalls = { reads: 0, writes: 0 };
    for (let round = 0; round < roundsWithoutWallsMax && withoutWalls.writes === 0; round++) {
      const { reads, writes } = await search('no wall', 0.2, async (service) => {
        await openTables(service);
        await withoutConditions();
      });
      withoutWalls.reads += reads;
      withoutWalls.writes += writes;
    }
    return {
      seed: random.seed,
      requests: tally.requests,
      routes_missed: tally.routesMissed,
      ...figures,
      foreign_writes: tally.foreignWrites,
      foreign_with_no_wall: withoutWalls.reads,
      foreign_writes_with_no_wall: withoutWalls.writes,
      conditions_removed: conditions.count(),
    };
  },
};

type SearchResult = {
  readonly answered: number;
  readonly reads: number;
  readonly writes: number;
  readonly routesMissed: number;
};

/** Counts responses with data of the other organization that the request itself did not contain. */
async function searchForForeign(
  service: TestService,
  random: Random,
  requests: number,
): Promise<SearchResult> {
  const tenants = [await openTenant(service), await openTenant(service)] as const;
  const { operations } = service.api;
  const routes = new Set<string>();
  let sent = 0;
  let answered = 0;
  let reads = 0;
  await runConcurrently(concurrency, async () => {
    if (sent++ >= requests) return false;
    if (sent % 500 === 0) await service.sequenceEvents();
    if (sent % 100 === 0) await service.flushRequests();
    const [tenant, other] = random.below(2) === 0 ? tenants : [tenants[1], tenants[0]];
    const operation = random.pick(operations);
    routes.add(operation.id);
    const { path, body, headers } = randomRequest(operation, tenant, other, random);
    const reply = await tenant.caller.call(operation.method, path, body, headers);
    answered++;
    recordKnownIds(tenant, operation, reply, headers['idempotency-key']);
    const sentText = JSON.stringify([path, body, headers]);
    if (operation.id === 'createDeliveryJob') tenant.jobRequests.set(reply.json?.id, sentText);
    const jobRequest =
      operation.id === 'getDeliveryJob' ? tenant.jobRequests.get(reply.json?.id) : '';
    const foreign = showsOwnRequests.has(operation.id) ? canariesOf(other) : tokensOf(other);
    if (containsAny(reply, `${sentText}${jobRequest}`, foreign)) reads++;
    return true;
  });
  const writes = await countForeignWrites(service, tenants);
  return { answered, reads, writes, routesMissed: operations.length - routes.size };
}

/** Counts the rows of one organization that contain the other's canary. */
async function countForeignWrites(
  service: TestService,
  tenants: readonly [Tenant, Tenant],
): Promise<number> {
  const [one, two] = tenants;
  const [row] = await service.query(
    `select count(*)::int as n
       from (select org_id, to_jsonb(releases)::text as text from releases
             union all select org_id, to_jsonb(tracks)::text from tracks
             union all select org_id, to_jsonb(artists)::text from artists
             union all select org_id, to_jsonb(labels)::text from labels
             union all select org_id, to_jsonb(assets)::text from assets
             union all select org_id, to_jsonb(webhooks)::text from webhooks
             union all select org_id, to_jsonb(oauth_clients)::text from oauth_clients
             union all select org_id, to_jsonb(sandbox_scenarios)::text from sandbox_scenarios) written
      where (org_id = $1 and text like $4) or (org_id = $3 and text like $2)`,
    [
      toUuid(one.caller.orgId as OrgId),
      `%${one.canary}%`,
      toUuid(two.caller.orgId as OrgId),
      `%${two.canary}%`,
    ],
  );
  return row.n;
}

/** They show what this organization sent, even ids of the other. */
const showsOwnRequests = new Set(['getRequest', 'listRequests', 'getIdempotencyKey']);

function containsAny(reply: Reply, sent: string, tokens: readonly string[]): boolean {
  const response = `${reply.text}\n${JSON.stringify([...reply.headers])}`;
  return tokens.some((token) => response.includes(token) && !sent.includes(token));
}
