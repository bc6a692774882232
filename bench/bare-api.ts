/**
 * The baseline: Fastify and the driver, nothing else. Each route replays what the service says to
 * PostgreSQL for the same request and answers with the rows. `/loop/NAME` does the same work without HTTP,
 * to show what the driver alone reaches in this very process.
 */

import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import Fastify from 'fastify';
import pg from 'pg';
import { types } from '../apps/service/src/platform/db/database.ts';
import { openSocket } from '../apps/service/src/platform/db/socket.ts';
import { type Recording, withFreshIds, replay } from './recording.ts';

export type SampledOrganization = {
  readonly orgId: string;
  readonly releaseIds: readonly string[];
};

/** What the bench hands over in a file. */
export type BareApiInput = {
  readonly databaseUrl: string;
  readonly ownerUrl: string;
  readonly connections: number;
  readonly recordings: Readonly<Record<string, Recording>>;
  /** The organization and the release of the recorded requests. */
  readonly recorded: { readonly orgId: string; readonly releaseId: string };
  readonly organizations: readonly SampledOrganization[];
  /** Recordings that write answer with this, as the service answers with what it made. */
  readonly createdBody: string;
};

const [file = '', port = ''] = process.argv.slice(2);
const handover = deserialize(readFileSync(file)) as BareApiInput;
const { recorded, organizations: subjects, recordings, connections } = handover;

const open = (connectionString: string) =>
  new pg.Pool({
    connectionString,
    max: connections,
    pipeline: true,
    stream: () => openSocket(15_000),
    types,
    options: '-c timezone=UTC',
  });
const pool = open(handover.databaseUrl);
const unguarded = open(handover.ownerUrl);

let turn = 0;
const nextOf = (recording: Recording): Recording => {
  const subject = subjects[turn++ % subjects.length]!;
  const releaseId = subject.releaseIds[turn % subject.releaseIds.length];
  return withFreshIds(
    recording,
    new Map([
      [recorded.orgId, subject.orgId],
      [recorded.releaseId, releaseId],
    ]),
  );
};

/** The one statement that asks, outside any transaction, where no row-level security applies. */
const alone = (recording: Recording): Recording => [
  recording
    .flat()
    .filter(({ text }) => /from releases/.test(text))
    .slice(0, 1),
];

const works: Record<string, () => Promise<readonly unknown[]>> = {
  get: () => replay(pool, nextOf(recordings['get']!)),
  list: () => replay(pool, nextOf(recordings['list']!)),
  create: () => replay(pool, nextOf(recordings['create']!)),
  'get-unguarded': () => replay(unguarded, nextOf(alone(recordings['get']!))),
  'list-unguarded': () => replay(unguarded, nextOf(alone(recordings['list']!))),
};

const server = Fastify({ logger: false });
server.get('/v1/releases/:id', async () => (await works['get']!())[0]);
server.get('/v1/releases', async () => ({ data: await works['list']!() }));
server.post('/v1/releases', async (_request, reply) => {
  await works['create']!();
  return reply.code(201).type('application/json; charset=utf-8').send(handover.createdBody);
});
server.get<{ Params: { name: string }; Querystring: { ms: string; lanes: string } }>(
  '/loop/:name',
  async ({ params, query }) => {
    const begun = performance.now();
    let done = 0;
    const lane = async () => {
      for (; performance.now() - begun < Number(query.ms); done++) await works[params.name]!();
    };
    await Promise.all(Array.from({ length: Number(query.lanes) }, lane));
    return { perSecond: done / ((performance.now() - begun) / 1_000) };
  },
);
await server.listen({ host: '127.0.0.1', port: Number(port) });
