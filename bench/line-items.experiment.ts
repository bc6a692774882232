/**
 * Reads the line items of a large statement through the HTTP API, from the real S3 server.
 *
 * Pages of 100: at random places of the first, the middle and the last part of the statement, each in a group of rows that
 * the api has not read before, in turn with hyparquet alone, which reads the same rows with the same storage client
 * and the metadata at hand. `bare_share`: the time of hyparquet alone, of the time of the api with authentication, rate
 * limit, PostgreSQL and JSON. `cold_ms`: the first page of a process that has not read the statement; meanwhile
 * `/healthz` is asked all the time.
 *
 * Readers: each walks its own statement, all at once; then the memory of the api must not have grown since it was warm.
 * The export of all items is cut and continued; a walk reads all items by cursor, in several parts at once. Every item must
 * come exactly once, and their sum must be that of the statement.
 */

import { positionIds } from '../apps/service/src/royalties/domain/position-id.ts';
import { openBareParquet } from '../apps/service/test/bare-parquet.ts';
import type { Experiment, Lab } from '../scripts/experiments/experiment.ts';
import { median } from './blocks.ts';
import { type Caller, createTally, pingMs, readLines, readPage } from './line-items-client.ts';
import { type LineItemWorld, openWorld, type WorldSize } from './line-items-world.ts';
import { memoryOf } from './process-watch.ts';

type LineItemSize = WorldSize & {
  /** Pages for each place. */
  readonly samples: number;
  readonly readersMs: number;
  readonly walkers: number;
};

const sizes: Record<Lab['size'], LineItemSize> = {
  start: {
    items: 20_000,
    readers: 5,
    readerItems: 2_500,
    samples: 4,
    readersMs: 1_000,
    walkers: 2,
  },
  small: {
    items: 500_000,
    readers: 50,
    readerItems: 20_000,
    samples: 60,
    readersMs: 15_000,
    walkers: 4,
  },
  full: {
    items: 5_000_000,
    readers: 50,
    readerItems: 100_000,
    samples: 300,
    readersMs: 40_000,
    walkers: 8,
  },
};

const rowsPerGroup = 2_048;
const rowsPerPage = 100;
const places = ['start', 'middle', 'end'] as const;
type Place = (typeof places)[number];

export const experiment: Experiment = {
  compares: 'pages of line items through the API, against hyparquet alone on the same S3 server',
  bar: (size) => ({
    export_misplaced: { equals: 0 },
    export_missing: { equals: 0 },
    export_sum_difference: { equals: 0 },
    walk_misplaced: { equals: 0 },
    walk_missing: { equals: 0 },
    walk_sum_difference: { equals: 0 },
    ...(size !== 'start' && {
      end_share: { atMost: 1.5 },
      bare_share: { atLeast: 0.5 },
      readers_memory_growth: { atMost: 1.2 },
      export_memory_growth: { atMost: 1.2 },
      cold_healthz_ms: { atMost: 50 },
    }),
  }),
  run: async (lab) => {
    const size = sizes[lab.size];
    const world = await openWorld(lab, size);
    const api = await world.startApi();
    const caller = { port: api.port, key: world.large.owner.key };
    await warmUp(world, api.port);
    const pages = await measurePages(lab, world, caller, size);
    const readers = await measureReaders(lab, world, api, size);
    const exported = await measureExport(lab, world, caller, api.pid);
    const walked = await measureWalk(lab, world, caller, size);
    api.stop();
    await world.close();
    return { ...size, ...pages, ...readers, ...exported, ...walked };
  },
};

const rounded = (value: number) => Math.round(value * 100) / 100;
const megabytesOf = (pid: number) => Math.round(memoryOf(pid) / 1024 ** 2);

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
const timesOf = (values: readonly number[]) => ({
  p50: rounded(quantile(values, 0.5)),
  p99: rounded(quantile(values, 0.99)),
});

const warmPages = 150;

/** The code of the api, not its caches of the statement that is measured. */
async function warmUp({ others, pageAt }: LineItemWorld, port: number): Promise<void> {
  for (let i = 0; i < warmPages; i++) {
    const other = others[i % others.length];
    if (other === undefined) return;
    const positions = Math.max(1, other.statement.rowCount - rowsPerPage);
    const path = await pageAt(other, 1 + ((i * 977) % positions));
    await readPage({ port, key: other.owner.key }, path);
  }
}

/** The group of the n-th sample of a place: each group once, if the statement has enough of them. */
function groupAt(place: Place, n: number, samples: number, groups: number): number {
  const begin = {
    start: 0,
    middle: Math.max(0, (groups - samples) >> 1),
    end: Math.max(0, groups - samples),
  };
  return Math.min(begin[place] + (n % Math.max(1, Math.min(samples, groups))), groups - 1);
}

async function measurePages(lab: Lab, world: LineItemWorld, caller: Caller, size: LineItemSize) {
  const { large, pageAt, service } = world;
  const { rowCount, objectKeys } = large.statement;
  const cold = await measureCold(caller, await pageAt(large, Math.ceil(rowCount / 2)));
  const bare = await openBareParquet(service.storage, objectKeys[0] ?? '');
  for (let i = 0; i < warmPages / 5; i++) await bare.rows(0, rowsPerPage);
  const fullGroups = Math.max(1, Math.floor(rowCount / rowsPerGroup));
  const own: Record<Place, number[]> = { start: [], middle: [], end: [] };
  const alone: Record<Place, number[]> = { start: [], middle: [], end: [] };
  for (let n = 0; n < size.samples; n++) {
    for (const place of places.toSorted(() => Math.random() - 0.5)) {
      const group = groupAt(place, n, size.samples, fullGroups);
      const within = Math.floor(Math.random() * (rowsPerGroup - rowsPerPage));
      const first = group * rowsPerGroup + within;
      const path = await pageAt(large, first + 1);
      const readOwn = async () => {
        const { data, ms } = await readPage(caller, path);
        if (data.length !== rowsPerPage) throw new Error(`a page has ${data.length} items`);
        own[place].push(ms);
      };
      const readAlone = async () => {
        const begun = performance.now();
        await bare.rows(first, first + rowsPerPage);
        alone[place].push(performance.now() - begun);
      };
      // The two take turns to read first: the second read finds the bytes in the cache of the S3 server.
      const both = n % 2 === 0 ? [readOwn, readAlone] : [readAlone, readOwn];
      for (const read of both) await read();
    }
  }
  const all = (times: Record<Place, number[]>) => places.flatMap((place) => times[place]);
  const figures = {
    ...cold,
    file_mb: rounded(bare.sizeBytes / 1024 ** 2),
    metadata_mb: rounded(bare.metadataBytes / 1024 ** 2),
    bare_metadata_ms: Math.round(bare.metadataMs),
    page_ms: Object.fromEntries(places.map((place) => [place, timesOf(own[place])])),
    bare_ms: Object.fromEntries(places.map((place) => [place, timesOf(alone[place])])),
    end_share: rounded(median(own.end) / median(own.start)),
    bare_share: rounded(median(all(alone)) / median(all(own))),
  };
  lab.say(JSON.stringify(figures));
  return figures;
}

async function measureCold(caller: Caller, path: string) {
  const state = { isDone: false };
  const pings: number[] = [];
  const pinging = (async () => {
    while (!state.isDone) pings.push(await pingMs(caller.port));
  })();
  const { ms } = await readPage(caller, path);
  state.isDone = true;
  await pinging;
  return { cold_ms: rounded(ms), cold_healthz_ms: rounded(Math.max(...pings)) };
}

/** Each reader walks its statement, and begins again at its end. */
async function measureReaders(
  lab: Lab,
  { others }: LineItemWorld,
  { port, pid }: { readonly port: number; readonly pid: number },
  { readersMs }: LineItemSize,
) {
  const until = performance.now() + readersMs;
  const times: number[] = [];
  const memory: number[] = [];
  const timer = setInterval(() => memory.push(megabytesOf(pid)), Math.max(50, readersMs / 100));
  await Promise.all(
    others.map(async ({ owner, statement }) => {
      const first = `/v1/statements/${statement.id}/line-items?limit=${rowsPerPage}`;
      for (let path = first; performance.now() < until;) {
        const { ms, next_cursor } = await readPage({ port, key: owner.key }, path);
        times.push(ms);
        path = next_cursor === null ? first : `${first}&cursor=${next_cursor}`;
      }
    }),
  );
  clearInterval(timer);
  const quarter = Math.floor(memory.length / 4);
  const [warm, end] = [median(memory.slice(quarter, 2 * quarter)), median(memory.slice(-quarter))];
  const figures = {
    readers_pages_per_second: Math.round(times.length / (readersMs / 1_000)),
    readers_page_ms: timesOf(times),
    readers_memory_mb: { warm, end },
    readers_memory_growth: rounded(end / warm),
  };
  lab.say(JSON.stringify(figures));
  return figures;
}

const micros = (amount: string): bigint => BigInt(amount.replace('.', ''));

async function measureExport(lab: Lab, { large }: LineItemWorld, caller: Caller, pid: number) {
  const { id, rowCount, gross } = large.statement;
  const path = `/v1/statements/${id}/line-items.jsonl`;
  const { tally, add } = createTally(positionIds('sli', id), 1);
  const memory: number[] = [];
  const timer = setInterval(() => memory.push(megabytesOf(pid)), 50);
  const begun = performance.now();
  const isCut = () => tally.count > rowCount * 0.4;
  await readLines(caller, path, add, isCut);
  const cutAt = tally.count;
  await readLines(caller, `${path}?after=${tally.lastId}`, add);
  const ms = performance.now() - begun;
  clearInterval(timer);
  const quarter = Math.max(1, Math.floor(memory.length / 4));
  const [warm, end] = [median(memory.slice(0, quarter)), median(memory.slice(-quarter))];
  const figures = {
    export_rows_per_second: Math.round(rowCount / (ms / 1_000)),
    export_cut_at: cutAt,
    export_misplaced: tally.misplaced,
    export_missing: rowCount - tally.count,
    export_sum_difference: Number(tally.micros - micros(gross)),
    export_memory_mb: { first_quarter: warm, last_quarter: end, most: Math.max(...memory) },
    export_memory_growth: rounded(end / warm),
  };
  lab.say(JSON.stringify(figures));
  return figures;
}

async function measureWalk(
  lab: Lab,
  { large, pageAt }: LineItemWorld,
  caller: Caller,
  { walkers }: LineItemSize,
) {
  const { id, rowCount, gross } = large.statement;
  const begun = performance.now();
  const share = Math.ceil(rowCount / walkers);
  const tallies = await Promise.all(
    Array.from({ length: walkers }, async (_, i) => {
      const [first, last] = [i * share + 1, Math.min(rowCount, (i + 1) * share)];
      const { tally, add } = createTally(positionIds('sli', id), first);
      const base = `/v1/statements/${id}/line-items?limit=${rowsPerPage}`;
      let next: string | null = await pageAt(large, first);
      while (next !== null && tally.next <= last) {
        const { data, next_cursor } = await readPage(caller, next);
        // The last page of a part may reach into the next one.
        for (const item of data) if (tally.next <= last) add(item);
        next = next_cursor === null ? null : `${base}&cursor=${next_cursor}`;
      }
      return tally;
    }),
  );
  const sum = (of: (tally: (typeof tallies)[number]) => number) =>
    tallies.reduce((total, tally) => total + of(tally), 0);
  const total = tallies.reduce((earned, tally) => earned + tally.micros, 0n);
  const figures = {
    walk_seconds: Math.round((performance.now() - begun) / 1_000),
    walk_misplaced: sum(({ misplaced }) => misplaced),
    walk_missing: rowCount - sum(({ count }) => count),
    walk_sum_difference: Number(total - micros(gross)),
  };
  lab.say(JSON.stringify(figures));
  return figures;
}
