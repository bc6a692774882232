/** Writes what the store has or had, under the codes of a report, to files for the process that matches. */

import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { HoldingsQuery, StoreHolding } from '../../delivery/face.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { unpackTerritories } from '../../kernel/territory-set.ts';
import { csvLine } from './duckdb-texts.ts';

export type HoldingFiles = {
  readonly holdingsPath: string;
  /** The tracks of releases that rows name as a whole. */
  readonly tracksPath: string;
  /** The territories of each set. */
  readonly territoriesPath: string;
};

export type HoldingsToWrite = {
  readonly folder: string;
  readonly storeId: string;
  readonly orgId: OrgId | null;
  readonly codesPath: string;
  readonly albumCodesPath: string;
  readonly findHoldings: (query: HoldingsQuery) => Promise<readonly StoreHolding[]>;
};

/** Rows per query: a code has one or two. */
const codesPerQuery = 5_000;
const releasesPerQuery = 500;

const forever = '9999-12-31';

export async function writeHoldings(
  input: HoldingsToWrite,
  signal: AbortSignal,
): Promise<HoldingFiles> {
  const { folder, storeId, orgId, findHoldings } = input;
  const files: HoldingFiles = {
    holdingsPath: join(folder, 'holdings.csv'),
    tracksPath: join(folder, 'tracks.csv'),
    territoriesPath: join(folder, 'territories.csv'),
  };
  const sets = new Map<string, number>();
  const albumCodes = new Set<string>();
  for await (const codes of batches(input.albumCodesPath))
    for (const code of codes) albumCodes.add(code);
  const releases = new Set<string>();
  await withFile(files.holdingsPath, async (out) => {
    for await (const codes of batches(input.codesPath)) {
      signal.throwIfAborted();
      const found = await findHoldings({ storeId, orgId, codes });
      await out.write(found.map((holding) => lineOf(holding, sets)).join(''));
      for (const { code, trackUuid, releaseUuid } of found) {
        if (trackUuid === null && albumCodes.has(code)) releases.add(releaseUuid);
      }
    }
  });
  await withFile(files.tracksPath, async (out) => {
    const all = [...releases];
    for (let i = 0; i < all.length; i += releasesPerQuery) {
      signal.throwIfAborted();
      const tracksOfReleaseUuids = all.slice(i, i + releasesPerQuery);
      const found = await findHoldings({ storeId, orgId, tracksOfReleaseUuids });
      await out.write(found.map((holding) => lineOf(holding, sets)).join(''));
    }
  });
  await withFile(files.territoriesPath, (out) => writeTerritories(out, sets));
  return files;
}

function lineOf(holding: StoreHolding, sets: Map<string, number>): string {
  const set = sets.get(holding.territories) ?? sets.size;
  sets.set(holding.territories, set);
  return csvLine([
    holding.code,
    holding.orgUuid,
    holding.releaseUuid,
    holding.trackUuid,
    set,
    holding.heldFrom,
    holding.heldTo ?? forever,
  ]);
}

async function writeTerritories(out: FileHandle, sets: ReadonlyMap<string, number>): Promise<void> {
  for (const [hex, set] of sets) {
    const codes = unpackTerritories(Buffer.from(hex, 'hex'));
    await out.write(codes.map((code) => csvLine([set, code])).join(''));
  }
}

async function withFile(path: string, write: (out: FileHandle) => Promise<void>): Promise<void> {
  const out = await open(path, 'w');
  try {
    await write(out);
  } finally {
    await out.close();
  }
}

async function* batches(path: string): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const line of createInterface({
    input: createReadStream(path),
    crlfDelay: Infinity,
  })) {
    if (line !== '') batch.push(line);
    if (batch.length < codesPerQuery) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
