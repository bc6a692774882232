/** From the report of a store to money in a balance: spec §2.3, with the rules of ADR 0037, 0038 and 0039. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { toUuid, toWire } from '../../src/kernel/ids.ts';
import { nextMonth } from '../../src/kernel/month.ts';
import { download } from '../../src/platform/storage/transfer.ts';
import { withDuckDb } from '../../src/royalties/connectors/duckdb.ts';
import type { Json } from '../delivery-fixture.ts';
import { openOfficeInProcess, type OfficeInProcess } from '../royalty-office.ts';
import type { OrgClient } from '../test-service.ts';

describe('royalties', () => {
  let office: OfficeInProcess;
  let partner: OrgClient;
  let stores: string[];
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-royalties-'));
  before(async () => {
    office = await openOfficeInProcess('2028-03-16T09:00:00.000Z');
    const rows = await office.service.query('select store_id from stores order by store_id');
    stores = rows.map(({ store_id }) => store_id);
    partner = await office.givenPartner();
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await office.closeOffice();
  });

  let recordings = 0;
  /** A new recording of the partner at this store. */
  const givenRecording = async (storeId: string, owner = partner): Promise<string> => {
    const isrc = `QZROY26${String(++recordings).padStart(5, '0')}`;
    await office.givenHolding(storeId, owner, isrc);
    return isrc;
  };
  const nextStore = (): string => stores.pop() ?? '';
  let lastMonth = '2026-09';
  const month = (): string => (lastMonth = nextMonth(lastMonth));
  const closeNext = async (): Promise<string> => {
    const id = await office.calculate(month());
    await office.approve(id);
    await office.close(id);
    return id;
  };
  const newest = async (caller = partner): Promise<Json> =>
    (await office.statementsOf(caller)).findLast(({ status }) => status === 'published');
  const eventsOf = async ({ call }: OrgClient): Promise<string[]> => {
    await office.service.sequenceEvents();
    const { data } = (await call('GET', '/v1/events?after=0')).json;
    return data.map(({ type }: Json) => type);
  };
  /** The rows of a statement's file on the object store. */
  const readFile = async (kind: 'items' | 'royalties', { id }: Json): Promise<readonly Json[]> => {
    const [artifact] = await office.service.query(
      'select object_key from statement_artifacts where statement_id = $1 and kind = $2',
      [id, kind],
    );
    const path = join(folder, `${kind}.parquet`);
    const { signal } = new AbortController();
    await download(office.service.storage, artifact.object_key, path, signal);
    return withDuckDb({ threads: 1, memoryMb: 256, folder }, (db) =>
      db.rows<Json>(
        `select columns(*)::varchar from read_parquet('${path}') order by file_row_number`,
      ),
    );
  };
  const micros = (amount: string): bigint => BigInt(amount.replace('.', ''));
  const total = (rows: readonly Json[], name: string): bigint =>
    rows.reduce((sum, row) => sum + micros(row[name]), 0n);

  test('spec §2.3: net_amount is gross minus fees and withholding taxes, in one currency, in every record', async () => {
    const storeId = nextStore();
    const isrc = await givenRecording(storeId);
    const fee = ['--org', 'platform', '--basis-points', '1505', '--from', '2020-01'];
    await office.admin('fee-rules', 'set', ...fee);
    const tax = ['--source', 'US', '--income', 'royalty', '--basis-points', '3000'];
    await office.admin('withholding-rules', 'set', ...tax, '--form', 'any', '--from', '2020-01');
    const { id: report } = await office.receive(storeId, [
      { isrc, amount: '33.3333335', territory: 'US' },
      { isrc, amount: '66.6666665' },
      { isrc, amount: '-5', quantity: -1, territory: 'FR' },
    ]);
    await office.pay(storeId, { reports: report, amount: '95', 'source-tax': '4.75' });
    await closeNext();
    const statement = await newest();
    const royalties = await readFile('royalties', statement);
    assert.equal(royalties.length, 3);
    for (const royalty of royalties) {
      const { gross_amount, fee_amount, source_tax_amount, payee_tax_amount, net_amount } = royalty;
      const taxes = micros(source_tax_amount) + micros(payee_tax_amount);
      assert.equal(micros(net_amount), micros(gross_amount) - micros(fee_amount) - taxes);
    }
    for (const name of ['gross_amount', 'fee_amount', 'source_tax_amount', 'net_amount']) {
      assert.equal(total(royalties, name), micros(statement[name]), name);
    }
    assert.deepEqual(
      [statement.currency, statement.gross_amount, statement.source_tax_amount],
      ['EUR', '95.000000', '4.750000'],
    );
    assert.ok(micros(statement.payee_tax_amount) > 0n);
    assert.equal((await office.balanceOf(partner)).available, statement.net_amount);
  });

  test('spec §2.3: a line item has the ISRC, the store, the territory, the play count, the unit rate and the earnings', async () => {
    const storeId = nextStore();
    const isrc = await givenRecording(storeId);
    const { id: report } = await office.receive(storeId, [
      { isrc, amount: '1.5', quantity: 400 },
      { isrc, amount: '1', quantity: 400 },
      { isrc, amount: '7', quantity: 2, useType: 'download', territory: 'SE' },
    ]);
    await office.pay(storeId, { reports: report, amount: '9.50' });
    await closeNext();
    const statement = await newest();
    const items = await readFile('items', statement);
    const named = items.map(
      ({ isrc: code, store_id, territory, play_count, unit_rate, earnings }) =>
        [code, store_id, territory, play_count, unit_rate, earnings].join(' '),
    );
    assert.deepEqual(named.toSorted(), [
      `${isrc} ${storeId} DE 800 0.0031250000 2.500000`,
      `${isrc} ${storeId} SE 2 3.5000000000 7.000000`,
    ]);
    assert.equal(total(items, 'earnings'), micros(statement.gross_amount));
    assert.equal(Number(statement.line_item_count), items.length);
    const { json } = await partner.call(
      'GET',
      `/v1/statements/${toWire('stm', statement.id)}/line-items`,
    );
    assert.deepEqual(json.data.map(storedForm), items, 'the API has what is in the file');
  });

  /** A line item of the API as DuckDB reads it: values as text, ids as UUIDs, the ISRC without hyphens. */
  const storedForm = ({ id: _id, currency: _currency, ...item }: Json): Json => {
    const { isrc, release_id, track_id, report_id } = item;
    const stored: Readonly<Record<string, string | number | boolean | null>> = {
      ...item,
      isrc: isrc.replaceAll('-', ''),
      release_id: toUuid(release_id),
      track_id: toUuid(track_id),
      report_id: toUuid(report_id),
    };
    const texts = Object.entries(stored).map(([name, value]) => [
      name,
      value === null ? null : String(value),
    ]);
    return Object.fromEntries(texts);
  };

  test('ADR 0037: rows read = matched + suspense + rejected, and money without an owner is in suspense', async () => {
    const storeId = nextStore();
    const isrc = await givenRecording(storeId);
    const { id, rows, totals } = await office.receive(storeId, [
      { isrc, amount: '5' },
      { isrc: 'QZUNK2600001', amount: '2.25' },
      { isrc, amount: '1', territory: 'XX' },
    ]);
    assert.deepEqual(rows, { read: 3, matched: 1, suspense: 1, rejected: 1 });
    const [{ matched_amount, suspense_amount, rejected_amount }] = totals;
    assert.deepEqual([matched_amount, suspense_amount, rejected_amount].map(Number), [5, 2.25, 1]);
    await office.pay(storeId, { reports: id, amount: '8.25' });
    await closeNext();
    const [{ balance_after }] = await office.service.query(
      `select balance_after from ledger_entries where account = 'suspense' order by version desc limit 1`,
    );
    assert.equal(balance_after, '2.250000');
    assert.equal((await newest()).gross_amount, '5.000000');
  });

  test('ADR 0037: the same report again moves nothing', async () => {
    const storeId = nextStore();
    const isrc = await givenRecording(storeId);
    const rows = [{ isrc, amount: '11' }];
    const { id } = await office.receive(storeId, rows);
    await office.pay(storeId, { reports: id, amount: '11' });
    await closeNext();
    const { available } = await office.balanceOf(partner);
    assert.equal((await office.receive(storeId, rows)).id, id);
    assert.deepEqual((await office.admin('remittances', 'due')).reports, []);
    await closeNext();
    assert.equal((await office.balanceOf(partner)).available, available);
    assert.equal((await newest()).gross_amount, '0.000000');
  });

  test('ADR 0038: a run takes a report when it is paid, and names those that are not', async () => {
    const storeId = nextStore();
    const isrc = await givenRecording(storeId);
    const { id: reportId } = await office.receive(storeId, [{ isrc, amount: '20' }]);
    const first = await office.calculate(month());
    const { receivables } = (await office.run('review', first)).review;
    assert.deepEqual(receivables, [
      { reportId, storeId, currency: 'EUR', amount: '20.0000000000' },
    ]);
    await office.approve(first);
    await office.close(first);
    assert.equal((await newest()).gross_amount, '0.000000');
    await office.pay(storeId, { reports: reportId, amount: '20' });
    await closeNext();
    assert.equal((await newest()).gross_amount, '20.000000');
  });

  test('ADR 0038: a report that is paid short waits for a decision; accept credits it in full, and nothing is held', async () => {
    const storeId = nextStore();
    const isrc = await givenRecording(storeId);
    const { id } = await office.receive(storeId, [{ isrc, amount: '30' }]);
    const { id: remittance, status } = await office.pay(storeId, { reports: id, amount: '29' });
    assert.equal(status, 'short');
    await closeNext();
    assert.equal((await newest()).gross_amount, '0.000000');
    await office.decide(remittance, 'wait');
    await closeNext();
    assert.equal((await newest()).gross_amount, '0.000000');
    await office.decide(remittance, 'accept');
    await closeNext();
    const { gross_amount, held_amount } = await newest();
    assert.deepEqual([gross_amount, held_amount], ['30.000000', '0.000000']);
    await assert.rejects(office.decide(remittance, 'prorate'), /taken|included|final/i);
  });

  test('ADR 0039: a partner sees nothing of a run before it is approved, then the net as pending, then the statement', async () => {
    const storeId = nextStore();
    const other = await office.givenPartner();
    const isrc = await givenRecording(storeId, other);
    const { id: report } = await office.receive(storeId, [{ isrc, amount: '100' }]);
    await office.pay(storeId, { reports: report, amount: '100' });
    const id = await office.calculate(month());
    const nothing = { available: '0.000000', pending: '0.000000', held: '0.000000' };
    assert.deepEqual((await other.call('GET', '/v1/balance')).json.data, []);
    assert.deepEqual(await office.statementsOf(other), []);
    await office.approve(id);
    assert.deepEqual(await office.balanceOf(other), { ...nothing, pending: '84.950000' });
    assert.deepEqual(await eventsOf(other), []);
    await office.close(id);
    assert.deepEqual(await office.balanceOf(other), { ...nothing, available: '84.950000' });
    assert.deepEqual(await eventsOf(other), ['statement.published']);
    const [published, open] = await office.statementsOf(other);
    assert.deepEqual([published?.status, open?.status], ['published', 'open']);
    assert.equal(open?.opening_balance, published?.closing_balance);
    await assert.rejects(
      office.service.query('update statements set gross_amount = 1 where id = $1', [published?.id]),
      /is published/,
    );
  });

  test('ADR 0039: opening + net + adjustments − payouts = closing, in every statement of every partner', async () => {
    const rows = await office.service.query(
      `select count(*)::int as n, count(*) filter (where opening_balance + net_amount + adjustment_amount - payout_amount
                = closing_balance and net_amount = gross_amount - fee_amount - source_tax_amount - payee_tax_amount)::int
              as balanced from statements where status = 'published'`,
    );
    assert.ok(rows[0].n > 8);
    assert.equal(rows[0].balanced, rows[0].n);
    const { organizations, wrong_totals } = await office.verifyLedger();
    assert.ok(organizations.every(({ intact }: Json) => intact));
    assert.deepEqual(wrong_totals, {});
  });
});
