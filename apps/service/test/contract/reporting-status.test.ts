/** GET /v1/royalties/reporting_status (contract §4): "not yet reported" is never 0.00. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { packTerritories } from '../../src/kernel/territory-set.ts';
import type { Json } from '../delivery-fixture.ts';
import { openOfficeInProcess, type OfficeInProcess } from '../royalty-office.ts';
import { draft, openTestService, type OrgClient, type TestService } from '../test-service.ts';

const path = '/v1/royalties/reporting_status';
const uuidOf = (id: string): string => toUuid(id as Id<string>);

/** What a delivery leaves behind when the store has published the release. */
async function givenLive(
  service: TestService,
  { orgId, call }: OrgClient,
  storeId: string,
  liveAt: string,
): Promise<void> {
  const { json: release } = await call('POST', '/v1/releases', draft());
  await service.query(
    `with delivery as (
       insert into deliveries (org_id, id, metadata, release_id, revision, territory_codes, status, pending, in_progress,
                               delivered, rejected, action_required, takedown_requested, taken_down, created_at, updated_at,
                               actor_type, actor_id)
       values ($1, gen_random_uuid(), '{}', $2, 1, '{DE}', 'delivered', 0, 0, 1, 0, 0, 0, 0, $4, $4, 'workflow', 'test')
       returning id)
     insert into delivery_stores (org_id, delivery_id, store_id, release_id, status, territories, revision, live_at,
                                  live_basis, message_id, message_kind, message_state, is_worldwide, use_types,
                                  created_at, updated_at)
     select $1, id, $3, $2, 'delivered', $5, 1, $4, 'store', gen_random_uuid(), 'deliver', 'sent', false, 15, $4, $4
       from delivery`,
    [uuidOf(orgId), uuidOf(release.id), storeId, liveAt, Buffer.from(packTerritories(['DE']))],
  );
}

const shown = (rows: readonly Json[]): string[] =>
  rows.map(({ store_id, usage_month, state, expected_by }) =>
    [store_id, usage_month, state, expected_by].join(' '),
  );

describe('contract §4: GET /v1/royalties/reporting_status', () => {
  let office: OfficeInProcess;
  let partner: OrgClient;
  let [aurora, borealis] = ['', ''];
  let statusOf: (query?: string, caller?: OrgClient) => Promise<string[]>;

  before(async () => {
    office = await openOfficeInProcess('2026-11-16T09:00:00.000Z');
    const rows = await office.service.query(
      'select store_id from stores order by store_id limit 2',
    );
    [aurora = '', borealis = ''] = rows.map(({ store_id }) => store_id);
    partner = await office.service.givenOrganization();
    const flags = ['--org', partner.orgId, '--currency', 'EUR'];
    await office.admin('org', 'set-statement-currency', ...flags);
    await givenLive(office.service, partner, aurora, '2026-09-20T00:00:00Z');
    await givenLive(office.service, partner, borealis, '2026-10-02T00:00:00Z');
    await office.admin('stores', 'report-due', '--store', borealis, '--days', '10');
    statusOf = async (query = '', caller = partner) => {
      const { status, json } = await caller.call('GET', `${path}?${query}`);
      assert.equal(status, 200, JSON.stringify(json));
      return shown(json.data);
    };
  });
  after(() => office.closeOffice());

  test('contract §4: months since the first release, the newest first; not_due, awaited and late by the day of the store', async () => {
    assert.deepEqual(await statusOf(), [
      `${aurora} 2026-11 not_due 2027-01-14`,
      `${borealis} 2026-11 not_due 2026-12-10`,
      `${aurora} 2026-10 awaited 2026-12-15`,
      `${borealis} 2026-10 late 2026-11-10`,
      `${aurora} 2026-09 late 2026-11-14`,
    ]);
  });

  test('contract §4: filters by store, month and state; pages have each row once', async () => {
    assert.deepEqual(await statusOf(`store_id=${borealis}&usage_month=2026-10`), [
      `${borealis} 2026-10 late 2026-11-10`,
    ]);
    assert.deepEqual(await statusOf('state=late'), [
      `${borealis} 2026-10 late 2026-11-10`,
      `${aurora} 2026-09 late 2026-11-14`,
    ]);
    assert.deepEqual(await statusOf('state=included'), []);
    const walked: Json[] = [];
    let cursor = '';
    do {
      const { json } = await partner.call('GET', `${path}?limit=2${cursor}`);
      walked.push(...json.data);
      cursor = json.next_cursor === null ? '' : `&cursor=${json.next_cursor}`;
    } while (cursor !== '');
    assert.deepEqual(shown(walked), await statusOf());
    for (const [query, field] of [
      ['state=unknown', 'state'],
      ['usage_month=2026-13', 'usage_month'],
      ['usage_month=october', 'usage_month'],
      ['limit=0', 'limit'],
    ]) {
      const { status, json } = await partner.call('GET', `${path}?${query}`);
      assert.deepEqual([status, json.error.code], [400, 'invalid_parameter'], query);
      assert.equal(json.error.details[0].field, field);
    }
  });

  test('contract §4: reported, paid, included: as the report of the store goes', async () => {
    const isrc = 'QZREP2600001';
    await office.givenHolding(aurora, partner, isrc);
    const october = () => statusOf(`store_id=${aurora}&usage_month=2026-10`);
    const { id } = await office.receive(aurora, [{ isrc, amount: '10' }]);
    assert.deepEqual(await october(), [`${aurora} 2026-10 reported 2026-12-15`]);
    await office.pay(aurora, { reports: id, amount: '10' });
    assert.deepEqual(await october(), [`${aurora} 2026-10 paid 2026-12-15`]);
    const run = await office.calculate('2026-10');
    await office.approve(run);
    assert.deepEqual(await october(), [`${aurora} 2026-10 paid 2026-12-15`], 'not published yet');
    await office.close(run);
    assert.deepEqual(await october(), [`${aurora} 2026-10 included 2026-12-15`]);
  });

  test('contract §5: an organization sees the stores that had its releases, and no others', async () => {
    const other = await office.service.givenOrganization();
    assert.deepEqual(await statusOf('', other), []);
    await givenLive(office.service, other, aurora, '2026-10-20T00:00:00Z');
    assert.deepEqual(await statusOf('', other), [
      `${aurora} 2026-11 not_due 2027-01-14`,
      `${aurora} 2026-10 included 2026-12-15`,
    ]);
  });

  test('operators say when a store reports; another number of days is refused', async () => {
    const set = (days: string, store = borealis) =>
      office.admin('stores', 'report-due', '--store', store, '--days', days);
    await assert.rejects(set('401'), /from 0 to 400/);
    await assert.rejects(set('1', 'nostore'), /No store/);
    assert.deepEqual(await set('30'), { store_id: borealis, report_due_days: 30 });
    assert.deepEqual(await statusOf(`store_id=${borealis}&usage_month=2026-10`), [
      `${borealis} 2026-10 awaited 2026-11-30`,
    ]);
  });
});

test('contract §5: in the sandbox, the reports of another organization are not seen', async () => {
  const service = await openTestService({ now: '2026-11-16T09:00:00.000Z' });
  try {
    await service.admin('stores', 'seed');
    const [one, two] = [await service.givenOrganization(), await service.givenOrganization()];
    for (const each of [one, two]) await givenLive(service, each, 'aurora', '2026-10-01T00:00:00Z');
    await service.query(
      `insert into store_reports (org_id, id, store_id, format, status, set_digest, period_start, period_end, created_at,
                                  updated_at, actor_type, actor_id)
       values ($1, gen_random_uuid(), 'aurora', 'plain_csv', 'matched', sha256('a'), '2026-09-27', '2026-10-31', now(), now(),
               'workflow', 'test')`,
      [uuidOf(one.orgId)],
    );
    await service.query(
      `insert into report_totals (org_id, report_id, currency, matched_amount, suspense_amount, rejected_amount, other_amount)
       select org_id, id, 'EUR', 1, 0, 0, 0 from store_reports where org_id = $1`,
      [uuidOf(one.orgId)],
    );
    const october = async ({ call }: OrgClient) =>
      shown((await call('GET', `${path}?usage_month=2026-10`)).json.data);
    assert.deepEqual(await october(one), ['aurora 2026-10 reported 2026-12-15']);
    assert.deepEqual(await october(two), ['aurora 2026-10 awaited 2026-12-15']);
  } finally {
    await service.close();
  }
});
