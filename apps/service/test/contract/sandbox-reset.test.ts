/** Contract §4: the reset of a sandbox. Which rows are removed, which stay, and which key may do it. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { expireAsset, processAsset } from '../../src/assets/messages.ts';
import { notifyReleaseReviewed, reviewSubmission } from '../../src/catalog/messages.ts';
import {
  answerKey,
  keepXml,
  messageKey,
} from '../../src/delivery/connectors/ddex/kept-messages.ts';
import { wakeDelivery, wakeJob, sendInLane } from '../../src/delivery/messages.ts';
import { type OrgId, toUuid, toWire } from '../../src/kernel/ids.ts';
import { createIds } from '../../src/platform/crypto/new-id.ts';
import { enqueueMessages } from '../../src/platform/engine/outbox.ts';
import { runClockAdvance, runCatalogueReset } from '../../src/sandbox/messages.ts';
import { finishReset, removeRows } from '../../src/sandbox/store/resets.ts';
import {
  withoutRequestIds,
  codeOf,
  monday,
  openDeliveryFixture,
  type DeliveryFixture,
} from '../delivery-fixture.ts';
import { givenMoneyRows } from '../money-rows.ts';
import { rowsOf } from '../organization-rows.ts';
import { givenReportRows } from '../report-rows.ts';
import { givenRunRows } from '../run-rows.ts';
import { type OrgClient, databaseUrl } from '../test-service.ts';

const path = '/v1/sandbox/reset';

/** Tables whose rows stay. */
const keptTables = new Set([
  'api_keys',
  'asset_usage', // its counters become 0
  'audit',
  'catalog_usage', // the default label is left
  'credentials',
  'events',
  'idempotency_keys',
  'isrc_reservations',
  'labels', // the default one
  'organizations',
  'sandbox_clocks',
  'sandbox_resets',
  'timers',
  'upc_blocks',
  'upc_owners',
]);

/** Tables whose rows are removed. */
const removedTables = [
  'adjustments',
  'artist_profiles',
  'artists',
  'assets',
  'deliveries',
  'delivery_job_items',
  'delivery_jobs',
  'delivery_stores',
  'delivery_timeline',
  'earning_holds',
  'ledger_entries',
  'ledger_transactions',
  'ledger_verifications',
  'legal_holds',
  'payout_attempts',
  'payout_holds',
  'payout_methods',
  'payout_screenings',
  'payout_settings',
  'payout_transitions',
  'payouts',
  'pending_nets',
  'release_artists',
  'release_isrcs',
  'release_revisions',
  'release_snapshots',
  'releases',
  'remittance_reports',
  'remittances',
  'report_files',
  'report_parts',
  'report_scopes',
  'report_shares',
  'report_totals',
  'royalty_label_totals',
  'royalty_market_totals',
  'royalty_runs',
  'royalty_sections',
  'royalty_totals',
  'royalty_track_totals',
  'run_buckets',
  'run_market_totals',
  'run_reversals',
  'run_statements',
  'run_totals',
  'run_track_totals',
  'sandbox_closings',
  'sandbox_payout_steps',
  'sandbox_reports',
  'sandbox_scenario_uses',
  'sandbox_scenarios',
  'statement_artifacts',
  'statements',
  'store_answers',
  'store_batches',
  'store_holdings',
  'store_messages',
  'store_reports',
  'submissions',
  'tax_profiles',
  'tracks',
];

describe('a reset of the sandbox', () => {
  let fixture: DeliveryFixture;
  let label: OrgClient;
  before(async () => {
    fixture = await openDeliveryFixture();
    ({ label } = fixture);
  });
  after(() => fixture.close());

  const get = async (caller = label) => (await caller.call('GET', path)).json;
  const reset = (caller = label) => caller.call('POST', path, { seed: false });

  /** At least one row in every table of a catalogue. */
  const givenCatalogue = async (caller: OrgClient): Promise<void> => {
    const delivery = await fixture.givenDelivery({
      caller,
      stores: ['aurora', 'cascade'],
      simulate: '',
    });
    await fixture.answer(delivery, { aurora: { kind: 'delivered', url: null } }, caller);
    await fixture.post(`/${delivery.id}/takedown`, { stores: ['aurora'] }, caller);
    const store_profiles = { aurora: '1' };
    const create = async (): Promise<string> =>
      (await caller.call('POST', '/v1/artists', { name: 'Ida', store_profiles })).json.id;
    const [artist_id, merged] = [await create(), await create()];
    await caller.call('POST', `/v1/artists/${merged}/merge`, { into: artist_id });
    const { json: own } = await caller.call('POST', '/v1/labels', {
      name: `Label of ${artist_id}`,
    });
    const release = { artists: [{ artist_id, role: 'main' }], label_id: own.id };
    await fixture.givenDelivery({ caller, simulate: '*=silent', release });
    const release_id = await fixture.givenApprovedRelease({}, caller);
    const job = { action: 'deliver', items: [{ release_id }], stores: ['indigo'] };
    await caller.call('POST', '/v1/delivery_jobs', { ...job, territory_codes: ['US'] });
    await caller.call('POST', '/v1/sandbox/scenarios', { steps: [{ action: 'lose' }] });
    await fixture.runUntilIdle();
    const { upc } = await fixture.releaseOf(release_id, caller);
    await fixture.service.admin('legal', 'takedown', '--upc', upc, '--reason', 'A court said so.');
    await fixture.service.query(
      `insert into store_batches (org_id, message_id, delivery_id, release_id, store_id, batch_id, kind, delivery_type, state, created_at)
       select org_id, message_id, delivery_id, release_id, store_id, '1', 'deliver', 'NewReleaseDelivery', 'acknowledged', now()
         from delivery_stores where delivery_id = $1 and store_id = 'aurora'`,
      [toUuid(delivery.id)],
    );
    await givenKeptMessage(caller);
    await givenMoneyRows(fixture.service, caller);
    await givenReportRows(fixture.service, caller);
    await givenRunRows(fixture.service, caller);
  };
  /** What was sent, and what came back. */
  const givenKeptMessage = async ({ orgId }: OrgClient): Promise<void> => {
    const id = createIds(fixture.service.clock)('msg');
    for (const key of [
      messageKey(orgId as OrgId, id),
      answerKey(orgId as OrgId, id, '0'.repeat(64)),
    ]) {
      await keepXml(fixture.service.storage, key, '<a/>', AbortSignal.timeout(5_000));
    }
  };
  const keptMessages = async ({ orgId }: OrgClient): Promise<number> =>
    (await fixture.service.storage.listBelow(`ern/${orgId}/`, 10)).length;

  test('none has run so far', async () => {
    assert.deepEqual(await get(), {
      status: 'idle',
      seeded: false,
      started_at: null,
      finished_at: null,
      problem: null,
    });
  });

  test('requires the scope sandbox:write', async () => {
    const reader = await fixture.service.givenOrganization({ scopes: 'releases:read' });
    assert.deepEqual(codeOf(await reader.call('GET', path)), [403, 'insufficient_scope']);
    assert.deepEqual(codeOf(await reset(reader)), [403, 'insufficient_scope']);
  });

  test('only one runs at a time; a second one is 409', async () => {
    const both = await Promise.all([reset(), reset()]);
    const refused = both.find(({ status }) => status !== 202);
    assert.ok(both.some(({ status }) => status === 202));
    assert.deepEqual(refused && codeOf(refused), [409, 'invalid_state']);
    assert.equal((await get()).status, 'running');
    await fixture.runUntilIdle();
    const { status, seeded, started_at, finished_at } = await get();
    assert.deepEqual(
      { status, seeded, started_at, finished_at },
      { status: 'idle', seeded: false, started_at: monday, finished_at: monday },
    );
    assert.equal((await reset()).status, 202, 'another one after it');
    await fixture.runUntilIdle();
  });

  test('removes the catalogue; the organization, its keys, codes and history stay, as does every other organization', async () => {
    const other = await fixture.service.givenOrganization();
    await givenCatalogue(label);
    await givenCatalogue(other);
    const key = { 'idempotency-key': randomUUID() };
    const draft = {
      title: 'Kept',
      artists: [{ name: 'A', role: 'main' }],
      release_date: '2027-05-01',
    };
    const created = await label.call('POST', '/v1/releases', draft, key);
    const [mine, theirs] = await Promise.all([
      rowsOf(fixture.service, label.orgId),
      rowsOf(fixture.service, other.orgId),
    ]);
    assert.deepEqual(
      Object.keys(mine).filter((name) => !keptTables.has(name)),
      removedTables,
    );

    assert.equal(await keptMessages(label), 2);
    await reset();
    await fixture.runUntilIdle();
    assert.equal(await keptMessages(label), 0, 'with what was kept of messages to stores');
    assert.equal(await keptMessages(other), 2);
    const remaining = await rowsOf(fixture.service, label.orgId);
    assert.deepEqual(
      Object.keys(remaining).filter((name) => !keptTables.has(name)),
      [],
    );
    assert.deepEqual(await rowsOf(fixture.service, other.orgId), theirs);
    for (const name of ['api_keys', 'upc_blocks', 'organizations', 'events']) {
      assert.deepEqual(remaining[name], mine[name], name);
    }
    const [{ open }] = await fixture.service.query(
      `select count(*)::int as open from timers
        where org_id = $1 and state in ('waiting', 'firing') and not is_real`,
      [toUuid(label.orgId as OrgId)],
    );
    assert.equal(open, 0);
    const lists = ['releases', 'tracks', 'assets', 'deliveries', 'sandbox/scenarios'];
    for (const list of [...lists, 'balance', 'adjustments', 'earning_holds']) {
      assert.deepEqual((await label.call('GET', `/v1/${list}`)).json.data, [], list);
    }
    const removed = await label.call('GET', `/v1/releases/${created.json.id}`);
    assert.equal(removed.status, 404);
    const replayed = await label.call('POST', '/v1/releases', draft, key);
    assert.equal(
      withoutRequestIds(replayed),
      withoutRequestIds(created),
      'an idempotency key still replays its answer',
    );
    const { json: next } = await label.call('POST', '/v1/releases', draft);
    assert.notEqual(next.upc, created.json.upc, 'used codes stay used');
  });

  test('money is removed in batches of any size, and the ledger starts again at version 1', async () => {
    const caller = await fixture.service.givenOrganization();
    await givenMoneyRows(fixture.service, caller);
    await givenReportRows(fixture.service, caller);
    await givenRunRows(fixture.service, caller);
    const moneyTables = [
      'adjustments',
      'earning_holds',
      'ledger_',
      'payout',
      'pending_nets',
      'remittance',
      'report_',
      'royalty_',
      'run_',
      'sandbox_closings',
      'sandbox_reports',
      'statement',
      'store_reports',
      'tax_profiles',
    ];
    const moneyRows = async () =>
      Object.entries(await rowsOf(fixture.service, caller.orgId))
        .filter(([name]) => moneyTables.some((start) => name.startsWith(start)))
        .reduce((sum, [, { count }]) => sum + count, 0);
    const given = await moneyRows();
    const orgId = caller.orgId as OrgId;
    const removeOne = () =>
      fixture.service.workerDb.transact(
        { orgId, actor: { type: 'workflow', id: 'test' } },
        async (tx) => removeRows(tx, 1),
      );
    for (let i = 0; i < given; i++) await removeOne();
    assert.deepEqual([await moneyRows(), (await removeOne()).wasEmpty], [0, true]);
    await givenMoneyRows(fixture.service, caller);
    await givenReportRows(fixture.service, caller);
    await givenRunRows(fixture.service, caller);
    const { json } = await caller.call('GET', '/v1/balance');
    assert.equal(json.data[0].available, '70.000000');
    assert.equal(await moneyRows(), given);
  });

  test('the files of reports are removed from the object store', async () => {
    const caller = await fixture.service.givenOrganization();
    const other = await fixture.service.givenOrganization();
    const { storage } = fixture.service;
    const folders: string[] = [];
    for (const { orgId } of [caller, other]) {
      await givenReportRows(fixture.service, { orgId });
      const [{ id }] = await fixture.service.query(
        'select id from store_reports where org_id = $1',
        [toUuid(orgId as OrgId)],
      );
      const folder = `reports/${toWire('rpt', id)}/`;
      folders.push(folder);
      for (const name of ['files/1', 'matched-1.parquet']) {
        const terms = { contentType: 'text/plain', sizeBytes: 1, expiresInSeconds: 60 };
        const url = await storage.presignPut(`${folder}${name}`, terms);
        await fetch(url, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'x' });
      }
    }
    await caller.call('POST', path, { seed: false });
    await fixture.runUntilIdle();
    const counts = await Promise.all(
      folders.map(async (each) => (await storage.list(each)).length),
    );
    assert.deepEqual(counts, [0, 2], 'and those of others stay');
  });

  test('the clock is reset to real time and runs', async () => {
    await label.call('PATCH', '/v1/sandbox/clock', { mode: 'manual' });
    await label.call('POST', '/v1/sandbox/clock/advance', { by: '30d' });
    await fixture.runUntilIdle();
    await fixture.givenDelivery({ simulate: '' });
    await reset();
    await fixture.runUntilIdle();
    const { json: clock } = await label.call('GET', '/v1/sandbox/clock');
    assert.deepEqual(clock, {
      now: fixture.service.clock.now().toISOString(),
      mode: 'running',
      status: 'idle',
      advancing_to: null,
      next_due_at: null,
    });
  });

  test('a clock that is advancing stops', async () => {
    await fixture.givenDelivery({ simulate: '' });
    await label.call('POST', '/v1/sandbox/clock/advance', { by: '200d' });
    await reset();
    await fixture.runUntilIdle();
    const { json: clock } = await label.call('GET', '/v1/sandbox/clock');
    assert.deepEqual([clock.status, clock.mode], ['idle', 'running']);
    assert.equal(clock.now, fixture.service.clock.now().toISOString());
  });

  test('messages about removed rows change nothing', async () => {
    await fixture.givenDelivery({ simulate: '' });
    await label.call('POST', path, { seed: false });
    await fixture.runUntilIdle();
    const found = await rowsOf(fixture.service, label.orgId);
    const newId = createIds(fixture.service.clock);
    const orgId = label.orgId as OrgId;
    const delivery = newId('dlv');
    const asset = { id: newId('ast'), type: 'audio' } as const;
    await enqueueMessages(fixture.service.workerDb.withoutTenant, newId, [
      wakeDelivery(orgId, delivery, 'dispatch'),
      wakeDelivery(orgId, delivery, 'applyAnswers'),
      wakeDelivery(orgId, delivery, 'check'),
      sendInLane(orgId, delivery, 'aurora-1'),
      sendInLane(orgId, delivery, 'aurora-takedown'),
      wakeJob(orgId, newId('job')),
      reviewSubmission(orgId, newId('sub')),
      notifyReleaseReviewed(orgId, newId('rel')),
      processAsset(orgId, asset),
      expireAsset(orgId, asset.id),
      runClockAdvance(orgId),
      runCatalogueReset(orgId),
    ]);
    await fixture.runUntilIdle();
    await fixture.advanceTime(40 * 86_400_000);
    const { timers: _before, ...others } = found;
    const { timers: _after, ...now } = await rowsOf(fixture.service, label.orgId);
    assert.deepEqual(now, others);
  });

  test('files of removed assets are deleted', async () => {
    const { storage } = fixture.service;
    const { json: asset } = await label.call('POST', '/v1/assets', {
      type: 'audio',
      file_name: 'a.wav',
      content_type: 'audio/wav',
      size_bytes: 4,
    });
    const { url, headers } = asset.upload;
    assert.equal((await fetch(url, { method: 'PUT', headers, body: 'RIFF' })).status, 200);
    const key = `uploads/${label.orgId}/${asset.id}`;
    assert.ok(await storage.find(key));
    await reset();
    await fixture.runUntilIdle();
    assert.equal(await storage.find(key), undefined);
  });

  test('requests during the reset are answered, and it completes', async () => {
    const deliveries = [];
    for (let i = 0; i < 4; i++) deliveries.push(await fixture.givenDelivery({ simulate: '' }));
    const release_id = await fixture.service.givenSubmittedRelease(label);
    await reset();
    const requests = deliveries.map(async ({ id, release_id: delivered }, i) => {
      const genre = i % 2 === 0 ? 'Pop' : 'Rock';
      const stores = [i % 2 === 0 ? 'aurora' : 'cascade'];
      const replies = await Promise.all([
        label.call('PATCH', `/v1/releases/${delivered}`, { genre }),
        label.call('POST', '/v1/deliveries', { release_id, stores, territory_codes: ['GB'] }),
        fixture.post(`/${id}/takedown`),
      ]);
      return replies.map(({ status }) => status);
    });
    const [, ...statuses] = await Promise.all([fixture.runUntilIdle(), ...requests]);
    assert.deepEqual(
      statuses.flat().filter((status) => status >= 500),
      [],
    );
    await fixture.runUntilIdle();
    assert.equal((await get()).status, 'idle');
  });

  test('without codes for the seed it is refused, and nothing is removed', async () => {
    const withoutCodes = await fixture.service.givenOrganization({ prefix: null });
    const refused = await withoutCodes.call('POST', path, {});
    assert.deepEqual(codeOf(refused), [409, 'invalid_state']);
    assert.match(refused.json.error.message, /no free UPC and no ISRC registrant/);
    await label.call('POST', '/v1/releases', {
      title: 'Stays',
      artists: [{ name: 'A', role: 'main' }],
      release_date: '2027-06-01',
    });
    const { json } = await label.call('POST', path);
    assert.match(json.error.message, /has no ISRC registrant/);
    const { json: list } = await label.call('GET', '/v1/releases');
    assert.ok(list.data.some(({ title }: { title: string }) => title === 'Stays'));
    assert.equal((await get(withoutCodes)).started_at, null);
  });

  test('a reset that runs out of codes fails with a problem, and can be repeated', async () => {
    const partner = await fixture.service.givenOrganization({ prefix: '4999990001' });
    await fixture.service.admin(
      'isrc',
      'add-registrant',
      '--org',
      partner.orgId,
      '--code',
      'QZFEW',
    );
    await partner.call('POST', path, {});
    await fixture.runUntilIdle();
    const { status, seeded, problem } = await get(partner);
    assert.deepEqual([status, seeded], ['failed', false]);
    assert.match(problem, /UPC pool .* is empty/);
    const { json: clock } = await partner.call('GET', '/v1/sandbox/clock');
    assert.deepEqual(
      [clock.now, clock.mode],
      [fixture.service.clock.now().toISOString(), 'running'],
      'the clock that the seed has set back shows real time again',
    );
    assert.equal((await reset(partner)).status, 202);
    await fixture.runUntilIdle();
    assert.deepEqual([(await get(partner)).status, (await get(partner)).problem], ['idle', null]);
  });

  test('a release whose tracks get no ISRC is not left behind without them', async () => {
    const partner = await fixture.service.givenOrganization();
    await fixture.service.admin(
      'isrc',
      'add-registrant',
      '--org',
      partner.orgId,
      '--code',
      'QZOUT',
    );
    await fixture.service.query(
      `insert into isrc_years (org_id, registrant, year, next_designation) values ($1, 'QZOUT', $2, 99999)`,
      [toUuid(partner.orgId as OrgId), Number(monday.slice(2, 4))],
    );
    await partner.call('POST', path, {});
    await fixture.runUntilIdle();
    const { status, problem } = await get(partner);
    assert.equal(status, 'failed');
    assert.match(problem, /ISRC|isrc/);
    const { json } = await partner.call('GET', '/v1/releases');
    const counts = json.data.map(({ track_count }: { track_count: number }) => track_count);
    assert.deepEqual(counts, [1], 'the release before it');
  });

  test('finishing a reset twice does not finish the next one', async () => {
    const caller = await fixture.service.givenOrganization();
    const orgId = caller.orgId as OrgId;
    const { json } = await caller.call('POST', '/v1/sandbox/reset', { seed: false });
    const finish = () =>
      fixture.service.workerDb.transact(
        { orgId, actor: { type: 'workflow', id: 'test' } },
        async (tx) => finishReset(tx, new Date(json.started_at), true, null),
      );
    await finish();
    await fixture.service.clock.set(new Date(Date.parse(json.started_at) + 1_000).toISOString());
    assert.equal((await caller.call('POST', '/v1/sandbox/reset', { seed: false })).status, 202);
    await finish();
    assert.equal((await caller.call('GET', '/v1/sandbox/reset')).json.status, 'running');
    await fixture.runUntilIdle();
    assert.equal((await caller.call('GET', '/v1/sandbox/reset')).json.status, 'idle');
  });

  test('only the worker role may remove rows, only of its organization, and only in a sandbox', async () => {
    const runAs = async (role: string, ...statements: readonly string[]): Promise<string> => {
      const client = new pg.Client(databaseUrl(fixture.service.database, role));
      await client.connect();
      try {
        for (const statement of statements) await client.query(statement);
        return 'done';
      } catch (error) {
        return error instanceof Error ? error.message : 'failed';
      } finally {
        await client.end();
      }
    };
    const remove = 'select * from remove_catalogue(10)';
    const context = `begin; select set_config('app.org_id', '${randomUUID()}', true)`;
    assert.match(await runAs('tonearm_app', context, remove), /permission denied/);
    assert.match(await runAs('tonearm_operator', context, remove), /permission denied/);
    assert.match(await runAs('tonearm_worker', remove), /only an organization of a sandbox/);
    assert.equal(await runAs('tonearm_worker', context, remove), 'done');
    await fixture.service.query(`update environment set name = 'live'`);
    assert.match(
      await runAs('tonearm_worker', context, remove),
      /only an organization of a sandbox/,
    );
    await fixture.service.query(`update environment set name = 'sandbox'`);
  });
});
