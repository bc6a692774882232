/**
 * What operators do with royalties, from the report of a store to closed statements, by their commands: for tests with the
 * handlers in this process, and for tests with the engine and real processes.
 */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Id, toUuid } from '../src/kernel/ids.ts';
import { firstDayOf, lastDayOf, type Month } from '../src/kernel/month.ts';
import type { Json } from './delivery-fixture.ts';
import { givenHoldings } from './holding-rows.ts';
import { openTestService, type OrgClient, type TestService } from './test-service.ts';
import { createTestBucket } from './test-storage.ts';
import { openWorkerDriver } from './worker-driver.ts';

/** Waits for the worker, or works in its place. */
export type Settle = (what: string, isDone: () => Promise<boolean>) => Promise<void>;

export type ReportRow = {
  /** Empty: a row of the release with this product code. */
  readonly isrc: string;
  readonly upc?: string;
  readonly amount: string;
  readonly quantity?: number;
  readonly territory?: string;
  readonly useType?: string;
  readonly currency?: string;
};

export type RoyaltyOffice = ReturnType<typeof openRoyaltyOffice>;

const uuidOf = (id: string): string => toUuid(id as Id<string>);
const head = 'isrc,upc,title,quantity,amount,period_start,period_end,territory,use_type,currency';

const csvOf = (rows: readonly ReportRow[], usageMonth: Month): string =>
  [
    head,
    ...rows.map(({ isrc, upc = '', amount, quantity = 10, territory = 'DE', ...row }) =>
      [
        isrc,
        upc,
        `Title ${isrc}`,
        quantity,
        amount,
        firstDayOf(usageMonth),
        lastDayOf(usageMonth),
        territory,
      ]
        .concat(row.useType ?? 'subscription_stream', row.currency ?? 'EUR')
        .join(','),
    ),
    '',
  ].join('\n');

const flagsOf = (fields: Readonly<Record<string, string>>): string[] =>
  Object.entries(fields).map(([name, value]) => `--${name}=${value}`);

export function openRoyaltyOffice(
  service: TestService,
  settle: Settle,
  usageMonth: Month = '2026-10',
) {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-office-'));
  const admin = (...argv: readonly string[]): Promise<Json> => service.admin(...argv);
  const run = (verb: string, id: string): Promise<Json> => admin('runs', verb, '--run', id);
  const isRun = async (id: string, status: string) => (await run('show', id)).status === status;
  let fxSetId: string | undefined;
  const findFxSet = async (): Promise<string> => {
    const set = [
      '--name',
      randomUUID(),
      '--as-of',
      lastDayOf(usageMonth),
      '--rate',
      'USD/EUR=0.92',
    ];
    return (fxSetId ??= (await admin('fx-rate-sets', 'create', ...set)).id as string);
  };

  const office = {
    service,
    admin,
    run,
    /** Its statements are in euros. */
    givenPartner: async (): Promise<OrgClient> => {
      const partner = await service.givenOrganization({ prefix: null });
      const flags = ['--org', partner.orgId, '--currency', 'EUR'];
      await admin('org', 'set-statement-currency', ...flags);
      return partner;
    },
    givenHolding: (storeId: string, partner: OrgClient, ...isrcs: readonly string[]) =>
      givenHoldings(service, storeId, partner, ...isrcs),
    /** Received and read. */
    receive: async (storeId: string, rows: readonly ReportRow[]): Promise<Json> => {
      const path = join(folder, `${randomUUID()}.csv`);
      writeFileSync(path, csvOf(rows, usageMonth));
      const flags = ['--store', storeId, '--format', 'plain_csv', '--file', path];
      const { id } = await admin('reports', 'receive', ...flags);
      const show = () => admin('reports', 'show', '--report', id);
      await settle(`${id} is read`, async () => (await show()).status !== 'received');
      return show();
    },
    /** The worker has worked on the request. */
    rematch: async (report: string): Promise<Json> => {
      await admin('reports', 'rematch', '--report', report);
      await settle(`${report} is matched again`, async () => true);
      return admin('reports', 'show', '--report', report);
    },
    pay: (storeId: string, fields: Readonly<Record<string, string>>): Promise<Json> =>
      admin(
        'remittances',
        'record',
        ...flagsOf({
          store: storeId,
          reference: randomUUID(),
          currency: 'EUR',
          'value-date': lastDayOf(usageMonth),
          ...fields,
        }),
      ),
    decide: (remittance: string, as: string): Promise<Json> =>
      admin('remittances', 'decide', '--remittance', remittance, '--as', as),
    create: async (month: string): Promise<string> =>
      (await admin('runs', 'create', '--month', month, '--fx-set', await findFxSet())).id,
    /** Calculated, to be reviewed. */
    calculate: async (month: string): Promise<string> => {
      const id = await office.create(month);
      await settle(`${id} is calculated`, () => isRun(id, 'review'));
      return id;
    },
    /** Approved, with the amounts pending in the balances. */
    approve: async (id: string): Promise<void> => {
      await run('approve', id);
      const unannounced = `select 1 from run_statements where run_id = $1 and not is_announced`;
      await settle(
        `${id} is announced`,
        async () => (await service.query(unannounced, [uuidOf(id)])).length === 0,
      );
    },
    close: async (id: string): Promise<void> => {
      await run('close', id);
      await settle(`${id} is closed`, () => isRun(id, 'closed'));
    },
    balanceOf: async ({ call }: OrgClient): Promise<Json> => {
      const [balance] = (await call('GET', '/v1/balance')).json.data;
      const { available, pending, held } = balance;
      return { available, pending, held };
    },
    statementsOf: ({ orgId }: OrgClient): Promise<Json[]> =>
      service.query('select * from statements where org_id = $1 order by period_start', [
        uuidOf(orgId),
      ]),
    verifyLedger: async (): Promise<Json> => admin('ledger', 'verify'),
    removeFiles: () => rmSync(folder, { recursive: true, force: true }),
  };
  return office;
}

/** Of a live service, with the handlers in this process. */
export async function openOfficeInProcess(now = '2026-11-16T09:00:00.000Z') {
  const storageSettings = await createTestBucket();
  const service = await openTestService({ now, environment: 'live', storageSettings });
  const worker = openWorkerDriver(service);
  const office = openRoyaltyOffice(service, async (what, isDone) => {
    await worker.runUntilIdle();
    if (!(await isDone())) throw new Error(`${what}: it is not`);
  });
  return {
    ...office,
    closeOffice: async () => {
      office.removeFiles();
      await service.close();
    },
  };
}

export type OfficeInProcess = Awaited<ReturnType<typeof openOfficeInProcess>>;
