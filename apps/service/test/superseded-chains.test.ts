/** Months of reports that replace each other, against an oracle that knows nothing of corrections. */

import assert from 'node:assert/strict';
import { after, before as beforeAll, describe, test } from 'node:test';
import { toUuid } from '../src/kernel/ids.ts';
import { systemOrgId } from '../src/kernel/system-organization.ts';
import { checkLedger } from './payout-fixture.ts';
import {
  askOracle,
  closingsOf,
  numbersFrom,
  openReversalFixture,
  someLines,
  statusOf,
  uuidOf,
  type WorldReport,
  type WorldRun,
} from './reversal-world.ts';
import type { OtherLine, RunFixture, UsageLine } from './run-fixture.ts';
import type { OrgClient } from './test-service.ts';

const of = (currency: string, lines: UsageLine[], supersedes: string[] = []): WorldReport => ({
  currency,
  lines,
  others: [] as OtherLine[],
  supersedes,
});

async function givenFees(fixture: RunFixture, orgs: readonly OrgClient[]) {
  const fees: Record<string, number> = {};
  for (const [i, { orgId }] of orgs.entries()) {
    const points = [1_505, 0, 333, 2_000][i] ?? 0;
    fees[orgId] = points;
    const flags = ['--org', orgId, '--basis-points', String(points), '--from', '2015-01'];
    if (points > 0) await fixture.admin('fee-rules', 'set', ...flags);
  }
  return fees;
}

/** What was given to runs, and the closing balances after each. */
function worldOf(fixture: RunFixture, orgs: readonly OrgClient[]) {
  const runs: WorldRun[] = [];
  const found: Record<string, string>[] = [];
  const currencies = Object.fromEntries(orgs.map(({ orgId }) => [orgId, 'EUR']));
  const month = async (name: string, reports: readonly WorldReport[]) => {
    const given = [];
    for (const report of reports) {
      given.push({ ...report, id: await fixture.givenReport(report) });
    }
    runs.push({ currencies: { ...currencies }, reports: given });
    const closed = await fixture.closeMonth(name);
    assert.equal(closed.status, 'closed', JSON.stringify(closed));
    found.push(await closingsOf(fixture, orgs));
    return given.map(({ id }) => id);
  };
  return { runs, found, currencies, month };
}

/** Of pounds: the only currency of rows without an owner. */
async function houseBalances({ service }: RunFixture): Promise<Record<string, string>> {
  const rows = await service.query(
    `select distinct on (account) account, balance_after from ledger_entries
      where org_id = $1 and currency = 'GBP' and account in ('suspense', 'fee_income')
      order by account, version desc`,
    [toUuid(systemOrgId)],
  );
  return Object.fromEntries(rows.map(({ account, balance_after }) => [account, balance_after]));
}

describe('reports that replace each other', () => {
  let fixture: RunFixture;
  beforeAll(async () => {
    fixture = await openReversalFixture();
  });
  after(async () => {
    await checkLedger(fixture.service);
    await fixture.close();
  });

  test('four months, two chains and a change of currency: balances are those of the reports that are left', async () => {
    const next = numbersFrom(22);
    const orgs: OrgClient[] = [];
    for (let i = 0; i < 4; i++) orgs.push(await fixture.givenPartner());
    const [one, two, onlyOld, onlyNew] = orgs as [OrgClient, OrgClient, OrgClient, OrgClient];
    const fees = await givenFees(fixture, orgs);
    const world = worldOf(fixture, orgs);
    const { month, currencies } = world;
    const [first = '', other = ''] = await month('2027-01', [
      {
        ...of('GBP', someLines([one, two, onlyOld], 60, next)),
        others: [
          { org: two, type: 'penalty', amount: '-20.0000005' },
          { org: one, type: 'non_track_income', amount: '11.1111115' },
          { org: null, type: 'non_track_income', amount: '4' },
        ],
        suspense: '12.5',
      },
      of('EUR', someLines([one, two], 50, next)),
    ]);
    currencies[one.orgId] = 'USD';
    await fixture.service.query(
      `update organizations set statement_currency = 'USD' where org_id = $1`,
      [uuidOf(one)],
    );
    const [second = ''] = await month('2027-02', [
      of('EUR', someLines([one, two, onlyNew], 40, next), [first]),
    ]);
    assert.equal(await statusOf(fixture, first), 'superseded');
    const [, third = ''] = await month('2027-03', [
      of('EUR', someLines([one], 9, next)),
      of('GBP', [{ org: onlyNew, isrc: 'QZABC2600001', amount: '-77.5', plays: -1 }], [second]),
    ]);
    const [last = ''] = await month('2027-04', [
      of('EUR', someLines([two], 9, next), [other, third]),
    ]);
    assert.equal(await statusOf(fixture, other), 'superseded');
    assert.equal(await statusOf(fixture, last), 'included');
    assert.deepEqual(world.found, await askOracle(world.runs, fees));
    assert.equal(
      world.found[2]?.[`${onlyNew.orgId} EUR`]?.startsWith('-'),
      true,
      'a negative balance',
    );
    assert.deepEqual(await houseBalances(fixture), {
      suspense: '0.000000',
      fee_income: '0.000000',
    });
  });
});
