/** Rows in suspense whose owner is known later (ADR 0045). */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { minuteMs } from '../src/kernel/duration.ts';
import { type Id, toUuid } from '../src/kernel/ids.ts';
import { nextMonth } from '../src/kernel/month.ts';
import { systemOrgId } from '../src/kernel/system-organization.ts';
import { packTerritories } from '../src/kernel/territory-set.ts';
import { territoryCodes } from '../src/kernel/territory.ts';
import { readOverdueTimers } from '../src/platform/engine/backlog.ts';
import { reconcileTimers } from '../src/platform/engine/timers.ts';
import { reportService } from '../src/royalties/messages.ts';
import type { Json } from './delivery-fixture.ts';
import { openOfficeInProcess, type OfficeInProcess } from './royalty-office.ts';
import type { OrgClient } from './test-service.ts';

describe('rows in suspense that are matched later', () => {
  let office: OfficeInProcess;
  let stores: string[];
  before(async () => {
    office = await openOfficeInProcess('2028-03-16T09:00:00.000Z');
    const rows = await office.service.query('select store_id from stores order by store_id');
    stores = rows.map(({ store_id }) => store_id);
  });
  after(() => office.closeOffice());

  const nextStore = (): string => stores.pop() ?? '';
  let lastMonth = '2026-09';
  const closeNext = async (): Promise<void> => {
    lastMonth = nextMonth(lastMonth);
    const id = await office.calculate(lastMonth);
    await office.approve(id);
    await office.close(id);
  };
  const newest = async (partner: OrgClient): Promise<Json> =>
    (await office.statementsOf(partner)).findLast(({ status }) => status === 'published');
  /** In euros, in the ledger of the house. */
  const suspenseBalance = async (): Promise<string> => {
    const [entry] = await office.service.query(
      `select balance_after from ledger_entries where org_id = $1 and account = 'suspense' and currency = 'EUR'
        order by version desc limit 1`,
      [toUuid(systemOrgId)],
    );
    return entry?.balance_after ?? '0.000000';
  };
  /** A release of two recordings, known by its product code. */
  const givenRelease = async (
    storeId: string,
    { orgId }: OrgClient,
    upc: string,
    isrcs: string[],
  ) => {
    const release = randomUUID();
    const territories = Buffer.from(packTerritories(territoryCodes));
    for (const code of [upc, ...isrcs]) {
      await office.service.query(
        `insert into store_holdings (store_id, code, org_id, delivery_id, release_id, track_id, territories, held_from)
         values ($1, $2, $3, gen_random_uuid(), $4, $5, $6, '2020-01-01')`,
        [
          storeId,
          code,
          toUuid(orgId as Id<'org'>),
          release,
          code === upc ? null : randomUUID(),
          territories,
        ],
      );
    }
  };

  test('the next run pays them, with their share of the tax, and suspense in the ledger is lower by them', async () => {
    const storeId = nextStore();
    const [known, found] = [await office.givenPartner(), await office.givenPartner()];
    await office.givenHolding(storeId, known, 'QZREM2600001');
    const report = await office.receive(storeId, [
      { isrc: 'QZREM2600001', amount: '88' },
      { isrc: 'QZREM2600002', amount: '10', territory: 'FR' },
      { isrc: 'QZREM2600003', amount: '2' },
    ]);
    assert.deepEqual(report.rows, { read: 3, matched: 1, suspense: 2, rejected: 0 });
    await office.pay(storeId, { reports: report.id, amount: '100', 'source-tax': '10' });
    await closeNext();
    assert.equal((await newest(known)).net_amount, '79.200000');
    assert.equal(await suspenseBalance(), '12.000000');

    await office.givenHolding(storeId, found, 'QZREM2600002');
    const { rows, totals, status } = await office.rematch(report.id);
    assert.deepEqual(rows, { read: 3, matched: 2, suspense: 1, rejected: 0 });
    assert.equal(status, 'included');
    assert.deepEqual(
      [totals[0].matched_amount, totals[0].suspense_amount],
      ['98.0000000000', '2.0000000000'],
    );
    await closeNext();
    const statement = await newest(found);
    assert.deepEqual(
      [statement.gross_amount, statement.source_tax_amount, statement.net_amount],
      ['10.000000', '1.000000', '9.000000'],
    );
    assert.equal((await newest(known)).gross_amount, '0.000000', 'nothing is paid twice');
    assert.equal(await suspenseBalance(), '2.000000');
    const { organizations } = await office.verifyLedger();
    assert.ok((organizations as Json[]).every(({ intact }) => intact === true));
  });

  test('before a run: rows of releases and fines too; the run takes all parts', async () => {
    const storeId = nextStore();
    const partner = await office.givenPartner();
    const upc = '880000000001';
    const { id } = await office.receive(storeId, [
      { isrc: '', upc, amount: '3', useType: 'download', quantity: 3 },
      { isrc: 'QZREM2600011', amount: '5' },
      { isrc: 'QZREM2600012', amount: '-1', useType: 'penalty', quantity: 0 },
      { isrc: 'QZREM2600019', amount: '4' },
    ]);
    const shown = await office.admin('reports', 'suspense', '--report', id);
    assert.equal(shown.rows, 4);
    assert.deepEqual(
      shown.groups.map(({ isrc, amount, reason, rows }: Json) => [isrc, amount, reason, rows]),
      [
        ['QZREM2600011', '5.0000000000', 'unknown_code', 1],
        ['QZREM2600019', '4.0000000000', 'unknown_code', 1],
        ['', '3.0000000000', 'unknown_code', 1],
        ['QZREM2600012', '-1.0000000000', 'unknown_code', 1],
      ],
    );
    await givenRelease(storeId, partner, upc, ['QZREM2600011', 'QZREM2600012']);
    const { rows, parts } = await office.rematch(id);
    assert.deepEqual(rows, { read: 4, matched: 3, suspense: 1, rejected: 0 });
    assert.deepEqual(
      parts.map(({ kind, number, rows: count }: Json) => [kind, number, count]),
      [
        ['matched', 2, 3],
        ['other', 2, 1],
        ['suspense', 1, 4],
        ['suspense', 2, 1],
      ],
    );
    await office.pay(storeId, { reports: id, amount: '11' });
    await closeNext();
    const statement = await newest(partner);
    assert.deepEqual(
      [statement.gross_amount, statement.adjustment_amount, Number(statement.line_item_count)],
      ['8.000000', '-1.000000', 3],
    );
  });

  test('asked twice, it happens once; rows without an owner stay, and nothing is written', async () => {
    const storeId = nextStore();
    const partner = await office.givenPartner();
    const { id } = await office.receive(storeId, [
      { isrc: 'QZREM2600021', amount: '1' },
      { isrc: 'QZREM2600022', amount: '2' },
    ]);
    await office.givenHolding(storeId, partner, 'QZREM2600021');
    await office.admin('reports', 'rematch', '--report', id);
    const first = await office.rematch(id);
    assert.deepEqual(first.rows, { read: 2, matched: 1, suspense: 1, rejected: 0 });
    assert.deepEqual(await office.rematch(id), first);
  });

  test('a report without suspense, an unknown one, and a rejected one are refused', async () => {
    const storeId = nextStore();
    const partner = await office.givenPartner();
    await office.givenHolding(storeId, partner, 'QZREM2600031');
    const { id } = await office.receive(storeId, [{ isrc: 'QZREM2600031', amount: '1' }]);
    const rematch = (report: string) => office.admin('reports', 'rematch', '--report', report);
    await assert.rejects(rematch(id), { message: `No row of ${id} is in suspense.` });
    assert.deepEqual((await office.admin('reports', 'suspense', '--report', id)).groups, []);
    await office.admin('reports', 'reject', '--report', id, '--reason', 'The store withdrew it.');
    await assert.rejects(rematch(id), { message: `${id} is rejected: its rows are not paid.` });
    const unknown = 'rpt_01m7n5ahwge0japcr2agp9pqr5';
    await assert.rejects(rematch(unknown), { message: 'No report has this id.' });
    await assert.rejects(office.admin('reports', 'suspense', '--report', unknown), {
      message: 'No report has this id.',
    });
  });

  /** The last test: what it leaves in the outbox is never handled. */
  test('one that never ends is overdue by more than two hours at some time, for the alert RoyaltyWorkStuck', async () => {
    const storeId = nextStore();
    const { id } = await office.receive(storeId, [{ isrc: 'QZREM2600099', amount: '5' }]);
    await office.admin('reports', 'rematch', '--report', id);
    const { workerDb, clock } = office.service;
    const overdueSeconds = async (): Promise<number> =>
      (await readOverdueTimers(workerDb.withoutTenant, clock)).find(
        ({ service }) => service === reportService,
      )?.seconds ?? 0;
    const begunAt = clock.now().getTime();
    for (let minutes = 10; minutes <= 210; minutes += 10) {
      await clock.set(new Date(begunAt + minutes * minuteMs).toISOString());
      await reconcileTimers(workerDb, clock);
      if (minutes === 60) assert.ok((await overdueSeconds()) < 7_200, 'not yet');
    }
    assert.ok((await overdueSeconds()) > 7_200, String(await overdueSeconds()));
  });
});
