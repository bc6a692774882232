/** Reads reports from files in memory, with a storage on disk and holdings from a list. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { HoldingsQuery, StoreHolding } from '../src/delivery/face.ts';
import { type OrgId, toUuid, toWire } from '../src/kernel/ids.ts';
import { systemOrgId } from '../src/kernel/system-organization.ts';
import { packTerritories } from '../src/kernel/territory-set.ts';
import { territoryCodes } from '../src/kernel/territory.ts';
import { createKeyring } from '../src/platform/crypto/keyring.ts';
import { createDiskServer } from '../src/platform/storage/disk-server.ts';
import { openDisk } from '../src/platform/storage/disk-storage.ts';
import type { Storage } from '../src/platform/storage/storage.ts';
import { download, upload } from '../src/platform/storage/transfer.ts';
import { readReport } from '../src/royalties/connectors/read-report.ts';
import type { PartKind, ReportFormat, ReportReading } from '../src/royalties/domain/report.ts';

export type HoldingCase = {
  readonly code: string;
  /** A small number: the last digits of the UUID. */
  readonly org: number;
  readonly release: number;
  readonly track?: number;
  readonly territories?: readonly string[];
  readonly from?: string;
  readonly to?: string;
};

export const uuidOf = (number: number): string =>
  `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

export const toHolding = (held: HoldingCase): StoreHolding => ({
  code: held.code,
  orgUuid: uuidOf(held.org),
  releaseUuid: uuidOf(held.release),
  trackUuid: held.track === undefined ? null : uuidOf(held.track),
  territories: Buffer.from(packTerritories(held.territories ?? territoryCodes)).toString('hex'),
  heldFrom: held.from ?? '2020-01-01',
  heldTo: held.to ?? null,
});

const findIn =
  (holdings: readonly StoreHolding[]) =>
  async (query: HoldingsQuery): Promise<readonly StoreHolding[]> =>
    holdings.filter(
      ({ code, orgUuid, releaseUuid, trackUuid }) =>
        (query.orgId === null || orgUuid === toUuid(query.orgId)) &&
        ('codes' in query
          ? query.codes.includes(code)
          : query.tracksOfReleaseUuids.includes(releaseUuid) && trackUuid !== null),
    );

export type ReportFileCase = { readonly name: string; readonly content: string | Buffer };

export type ReportCase = {
  readonly format: ReportFormat;
  readonly files: readonly ReportFileCase[];
  readonly holdings?: readonly HoldingCase[];
  readonly orgId?: OrgId;
  readonly threads?: number;
};

export type Row = Readonly<Record<string, unknown>>;
export type ReadCase = {
  readonly reading: ReportReading;
  readonly rows: Readonly<Record<PartKind, readonly Row[]>>;
};

export type ReportFixture = {
  readonly storage: Storage;
  readonly scratchFolder: string;
  readonly read: (report: ReportCase) => Promise<ReadCase>;
  readonly close: () => void;
};

export async function openReportFixture(): Promise<ReportFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-report-'));
  const scratchFolder = join(folder, 'scratch');
  mkdirSync(scratchFolder);
  const keyring = createKeyring([{ id: 'test', secret: Buffer.alloc(32, 7) }]);
  const options = { folder: join(folder, 'storage'), keyring, clock: { now: () => new Date() } };
  const server = createDiskServer(openDisk({ ...options, url: '' })).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const storage = openDisk({
    ...options,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  const { signal } = new AbortController();
  const path = join(folder, 'file');

  const read = async (report: ReportCase): Promise<ReadCase> => {
    const files = [];
    for (const [i, { name, content }] of report.files.entries()) {
      writeFileSync(path, content);
      const { key } = await upload(storage, path, `incoming/${randomUUID()}`, signal);
      files.push({ number: i + 1, name, objectKey: key });
    }
    const { format, holdings = [], orgId = systemOrgId, threads } = report;
    const reading = await readReport(
      {
        storage,
        scratchFolder,
        findHoldings: findIn(holdings.map(toHolding)),
        ...(threads !== undefined && { threads }),
      },
      { reportId: toWire('rpt', uuidOf(1)), orgId, storeId: 'str', format, files },
      signal,
      () => undefined,
    );
    const rows = { matched: [], other: [], suspense: [], rejected: [] };
    for (const { kind, objectKey } of reading.parts) {
      await download(storage, objectKey, path, signal);
      Object.assign(rows, { [kind]: await readParquet(path) });
    }
    return { reading, rows };
  };
  const close = () => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  };
  return { storage, scratchFolder, read, close };
}

async function readParquet(path: string): Promise<readonly Row[]> {
  const connection = await (await DuckDBInstance.create()).connect();
  const reader = await connection.runAndReadAll(`select * from read_parquet('${path}')`);
  connection.closeSync();
  return reader.getRowObjectsJson();
}
