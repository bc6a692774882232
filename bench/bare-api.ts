/**
 * The baseline of the bench `api`: only Fastify and the driver. Each route replays the statements that the service
 * sends to PostgreSQL for the same request, and answers with the rows. `/loop/NAME` does the same work without HTTP,
 * which shows what the driver alone reaches in the same process.
 */

import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import Fastify from 'fastify';
import pg from 'pg';
import { openSocket } from '../apps/service/src/platform/db/socket.ts';
import { typeParsers } from '../apps/service/src/platform/db/type-parsers.ts';
import { type Recording, withFreshIds, replay } from './recording.ts';

export type SampledOrganization = {
  readonly orgId: string;
  readonly defaultLabelId: string;
  readonly releaseIds: readonly string[];
};

/** Written to a file by `api.experiment.ts`, and read here. */
export type BareApiInput = {
  readonly databaseUrl: string;
  readonly ownerUrl: string;
  readonly connections: number;
  readonly recordings: Readonly<Record<string, Recording>>;
  /** The organization, its default label and the release of the recorded requests. */
  readonly recorded: {
    readonly orgId: string;
    readonly defaultLabelId: string;
    readonly releaseId: string;
  };
  readonly organizations: readonly SampledOrganization[];
  /** The response to POST, because replayed inserts return no release. */
  readonly createdBody: string;
};

const [file = '', port = ''] = process.argv.slice(2);
const input = deserialize(readFileSync(file)) as BareApiInput;
const { recorded, organizations, recordings, connections } = input;

const open = (connectionString: string) =>
  new pg.Pool({
    connectionString,
    max: connections,
    pipeline: true,
    stream: () => openSocket(),
    types: typeParsers,
    options: '-c timezone=UTC',
  });
const pool = open(input.databaseUrl);
const unguarded = open(input.ownerUrl);

let requestCount = 0;
const nextOf = (recording: Recording): Recording => {
  const organization = organizations[requestCount++ % organizations.length]!;
  const releaseId = organization.releaseIds[requestCount % organization.releaseIds.length];
  return withFreshIds(
    recording,
    new Map([
      [recorded.orgId, organization.orgId],
      [recorded.defaultLabelId, organization.defaultLabelId],
      [recorded.releaseId, releaseId],
    ]),
  );
};

/** Only the statement that reads releases, to be sent outside a transaction and without row-level security. */
const onlyRead = (recording: Recording): Recording => [
  recording
    .flat()
    .filter(({ text }) => /from releases/.test(text))
    .slice(0, 1),
];

const workloads: Record<string, () => Promise<readonly unknown[]>> = {
  get: () => replay(pool, nextOf(recordings['get']!)),
  list: () => replay(pool, nextOf(recordings['list']!)),
  create: () => replay(pool, nextOf(recordings['create']!)),
  'get-unguarded': () => replay(unguarded, nextOf(onlyRead(recordings['get']!))),
  'list-unguarded': () => replay(unguarded, nextOf(onlyRead(recordings['list']!))),
};

const server = Fastify({ logger: false });
server.get('/v1/releases/:id', async () => (await workloads['get']!())[0]);
server.get('/v1/releases', async () => ({ data: await workloads['list']!() }));
server.post('/v1/releases', async (_request, reply) => {
  await workloads['create']!();
  return reply.code(201).type('application/json; charset=utf-8').send(input.createdBody);
});
server.get<{ Params: { name: string }; Querystring: { ms: string; concurrency: string } }>(
  '/loop/:name',
  async ({ params, query }) => {
    const begun = performance.now();
    let done = 0;
    const loop = async () => {
      for (; performance.now() - begun < Number(query.ms); done++) await workloads[params.name]!();
    };
    await Promise.all(Array.from({ length: Number(query.concurrency) }, loop));
    return { perSecond: done / ((performance.now() - begun) / 1_000) };
  },
);
await server.listen({ host: '127.0.0.1', port: Number(port) });
