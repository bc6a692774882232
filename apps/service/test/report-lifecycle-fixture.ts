/**
 * Reports without the reading of real files: the content of a file is JSON that says what its reading finds, or why it is
 * rejected. Receiving, digests, the object store and every transaction are real.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { OrgId } from '../src/kernel/ids.ts';
import { systemOrgId } from '../src/kernel/system-organization.ts';
import { createIds } from '../src/platform/crypto/new-id.ts';
import { createLogger } from '../src/platform/telemetry/logger.ts';
import type { readReport } from '../src/royalties/connectors/read-report.ts';
import { ReportRejected } from '../src/royalties/domain/report-rejected.ts';
import type { ReportReading, ReportRejection } from '../src/royalties/domain/report.ts';
import { reportIntakeWorkflow } from '../src/royalties/workflows/report-intake.ts';
import { reportWorkflow } from '../src/royalties/workflows/reports.ts';
import { openTestService, type TestServiceOptions } from './test-service.ts';
import { createTestBucket } from './test-storage.ts';
import { openWorkerDriver } from './worker-driver.ts';

export type FakeContent = Partial<ReportReading> & {
  readonly rejection?: ReportRejection;
  /** Makes its bytes differ from those of other files. */
  readonly note?: string;
};

export const scopeOf = (fields: object = {}) => ({
  service: 'aurora',
  territory: 'DE',
  commercialModel: 'subscription',
  useType: 'stream',
  periodStart: '2026-10-01',
  periodEnd: '2026-10-31',
  ...fields,
});

export const emptyReading: ReportReading = {
  messageId: null,
  periodStart: '2026-10-01',
  periodEnd: '2026-10-31',
  rowsRead: 0,
  rowsMatched: 0,
  rowsSuspense: 0,
  rowsRejected: 0,
  totals: [],
  scopes: [],
  parts: [],
  shares: [],
};

const reading: ReportReading = {
  ...emptyReading,
  rowsRead: 3,
  rowsMatched: 1,
  rowsSuspense: 1,
  rowsRejected: 1,
  totals: [
    {
      currency: 'EUR',
      declaredAmount: '3.5',
      matchedAmount: '1.5',
      suspenseAmount: '1',
      rejectedAmount: '1',
      otherAmount: '0',
    },
  ],
  scopes: [scopeOf()],
  parts: [
    {
      kind: 'matched',
      number: 1,
      objectKey: 'reports/x/matched-1.parquet',
      sizeBytes: 10,
      sha256: '00'.repeat(32),
      rowCount: 1,
    },
  ],
};

const readFake: typeof readReport = async ({ storage }, { files }, _signal, onProgress) => {
  const [file] = files;
  const content = JSON.parse(await text(await storage.read(file?.objectKey ?? ''))) as FakeContent;
  onProgress({ stage: 'read', done: 1, total: 4 });
  const { rejection, note: _note, ...found } = content;
  if (rejection !== undefined) throw new ReportRejected(rejection);
  return { ...reading, ...found };
};

export type ReportFixture = Awaited<ReturnType<typeof openReportFixture>>;

export async function openReportFixture(options: TestServiceOptions = {}, read = readFake) {
  const service = await openTestService({
    ...options,
    storageSettings: await createTestBucket(),
  });
  const { storage, workerDb: db, clock } = service;
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-reports-'));
  const logLines: string[] = [];
  const logger = createLogger('info', { write: (line) => logLines.push(line) });
  const deps = { storage, scratchFolder: folder, findHoldings: async () => [], db, clock };
  const workflow = reportWorkflow(deps, read);
  const driver = openWorkerDriver(service, undefined, undefined, undefined, [
    workflow,
    reportIntakeWorkflow({ storage, scratchFolder: folder, newId: createIds(clock), logger }),
  ]);
  const orgId =
    service.environment === 'live'
      ? systemOrgId
      : ((await service.givenOrganization({ prefix: null })).orgId as OrgId);
  const owner = orgId === systemOrgId ? [] : ['--org', orgId];
  let fileCount = 0;
  const givenFile = (content: string | Buffer | FakeContent, name = `${++fileCount}.tsv`) => {
    const path = join(folder, name);
    const isBytes = typeof content === 'string' || Buffer.isBuffer(content);
    writeFileSync(path, isBytes ? content : JSON.stringify(content));
    return path;
  };
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads the fields it expects
  const reports = (...argv: string[]): Promise<any> => service.admin('reports', ...argv, ...owner);
  const receive = (...paths: string[]) =>
    reports(
      'receive',
      '--store',
      'aurora',
      '--format',
      'dsr',
      ...paths.flatMap((path) => ['--file', path]),
    );
  const show = (id: string) => reports('show', '--report', id);
  return {
    service,
    driver,
    orgId,
    /** The flag that names the owner. */
    owner,
    logLines,
    givenFile,
    reports,
    receive,
    show,
    /** Without those of `reports show`. */
    countAudited: async (): Promise<number> =>
      (
        await service.query(
          `select count(*)::int as n from audit where action not like 'reports.show'`,
        )
      )[0].n,
    /** Received and read. */
    givenReport: async (content: FakeContent = {}) => {
      const { id } = await receive(givenFile({ note: String(++fileCount), ...content }));
      await driver.runUntilIdle();
      return show(id);
    },
    close: async () => {
      rmSync(folder, { recursive: true, force: true });
      await service.close();
    },
  };
}
