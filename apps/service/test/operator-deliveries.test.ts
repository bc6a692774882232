/** The operator's commands for deliveries: pausing stores, backfilling a store, legal takedowns. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dispatchResumedStores } from '../src/delivery/commands/dispatch-resumed-stores.ts';
import { claimMessage } from '../src/delivery/store/sends.ts';
import { type Id, toUuid } from '../src/kernel/ids.ts';
import { type Json, openDeliveryFixture, type DeliveryFixture } from './delivery-fixture.ts';
import { completeDraft } from './test-service.ts';

describe('the operator', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const statuses = async (id: string) =>
    (await fixture.get(id)).stores.map(({ status }: { status: string }) => status);

  test('pauses a store, whose deliveries wait, and resumes it', async () => {
    await fixture.service.admin('stores', 'pause', '--store', 'aurora');
    const { json } = await fixture.label.call('GET', '/v1/stores/aurora');
    assert.equal(json.status, 'paused');
    const delivery = await fixture.givenDelivery({ stores: ['aurora', 'indigo'] });
    assert.deepEqual(await statuses(delivery.id), ['pending', 'in_progress']);
    await dispatchResumedStores({ db: fixture.service.workerDb });
    await fixture.runUntilIdle();
    assert.deepEqual(await statuses(delivery.id), ['pending', 'in_progress'], 'still paused');
    await fixture.service.admin('stores', 'resume', '--store', 'aurora');
    await dispatchResumedStores({ db: fixture.service.workerDb });
    await fixture.runUntilIdle();
    assert.deepEqual(await statuses(delivery.id), ['in_progress', 'in_progress']);
    assert.equal(fixture.sentOf(delivery.id).length, 2, 'each was sent once');
    await assert.rejects(
      fixture.service.admin('stores', 'pause', '--store', 'nobody'),
      /No store has the store_id nobody/,
    );
    await assert.rejects(fixture.service.admin('stores', 'pause'), /--store is required/);
  });

  test('a message that is in the lane of a store when the store is paused keeps waiting', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['indigo'], simulate: 'indigo=reject' });
    await fixture.advanceTime(5_000);
    await fixture.patchRelease(delivery.release_id, { title: 'Night Drive Home' });
    await fixture.post(`/${delivery.id}/resubmit`);
    await fixture.service.admin('stores', 'pause', '--store', 'indigo');
    await fixture.runUntilIdle();
    assert.deepEqual(await statuses(delivery.id), ['pending']);
    await fixture.service.admin('stores', 'resume', '--store', 'indigo');
    await dispatchResumedStores({ db: fixture.service.workerDb });
    await fixture.runUntilIdle();
    assert.deepEqual(await statuses(delivery.id), ['in_progress']);
  });

  test('backfills a store with the releases that other stores have', async () => {
    const label = await fixture.service.givenOrganization();
    const givenDelivery = (simulate: string) =>
      fixture.givenDelivery({ caller: label, stores: ['indigo'], simulate, release: {} });
    const live = await givenDelivery('');
    await givenDelivery('indigo=reject');
    await fixture.advanceTime(5_000);
    const flags = ['--org', label.orgId, '--store', 'driftwood', '--territories', 'US'];
    const filled = await fixture.service.admin('deliveries', 'backfill', ...flags);
    assert.equal(filled['releases'], 1, 'only releases that some store has');
    await fixture.runUntilIdle();
    const { json } = await label.call('GET', '/v1/deliveries?store_id=driftwood');
    assert.equal(json.data.length, 1);
    assert.equal(json.data[0].release_id, live.release_id);
    await assert.rejects(fixture.service.admin('deliveries', 'backfill', ...flags), /nothing left/);
    const afterLast = [...flags, '--after', live.release_id];
    await assert.rejects(
      fixture.service.admin('deliveries', 'backfill', ...afterLast),
      /nothing left/,
    );
    await assert.rejects(
      fixture.service.admin('deliveries', 'backfill', '--org', label.orgId, '--store', 'nobody'),
      /No store has the store_id nobody/,
    );
  });

  test('a backfill is not refused for one release whose territories are no longer licensed', async () => {
    const caller = await fixture.service.givenOrganization();
    const given = (territory_codes: readonly string[]) =>
      fixture.givenDelivery({ caller, stores: ['aurora'], simulate: '', territory_codes });
    const [ofUs] = [await given(['US']), await given(['GB'])];
    await fixture.advanceTime(5_000);
    await fixture.service.query(
      `update organizations set licensed_territories = '{US}' where org_id = $1`,
      [toUuid(caller.orgId as Id<'org'>)],
    );
    const flags = ['--org', caller.orgId, '--store', 'driftwood'];
    const filled = await fixture.service.admin('deliveries', 'backfill', ...flags);
    assert.equal(filled['releases'], 2);
    await fixture.runUntilIdle();
    const { json } = await caller.call('GET', `/v1/delivery_jobs/${filled['job_id']}`);
    assert.deepEqual(
      json.items.map(({ release_id: id, error }: Json) => [id === ofUs.release_id, error?.code]),
      [
        [true, undefined],
        [false, 'territory_not_supported'],
      ],
    );
  });

  test('takes a recording down for legal reasons in every organization, and puts it under legal hold', async () => {
    const labels = await fixture.service.givenOrganizations(2);
    const [first] = labels;
    assert.ok(first);
    const isrc = 'QZ-LAW-26-00001';
    const deliveries: Json[] = [];
    for (const caller of labels) {
      const delivery = await fixture.givenDelivery({
        caller,
        stores: ['aurora', 'indigo'],
        simulate: '',
      });
      const { json } = await caller.call('GET', `/v1/tracks?release_id=${delivery.release_id}`);
      await caller.call('PATCH', `/v1/tracks/${json.data[0].id}`, { isrc });
      deliveries.push(delivery);
    }
    const other = await fixture.givenDelivery({ caller: first, stores: ['indigo'], simulate: '' });
    await fixture.advanceTime(5_000);
    const flags = ['--isrc', isrc, '--reason', 'Court order 12/2026'];
    const shown = (await fixture.service.admin('legal', 'takedown', ...flags)) as unknown as {
      organizations: { org_id: string }[];
    };
    assert.deepEqual(
      shown.organizations.map(({ org_id }) => org_id).toSorted(),
      labels.map(({ orgId }) => orgId).toSorted(),
    );
    const actions = await fixture.service.query(
      `select distinct action from audit where action like 'legal.%' order by 1`,
    );
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['legal.hold', 'legal.takedown'],
    );
    await fixture.runUntilIdle();
    await fixture.advanceTime(5_000);
    for (const [i, caller] of labels.entries()) {
      const { id, release_id } = deliveries[i];
      assert.equal((await fixture.get(id, caller)).status, 'taken_down');
      const timeline = await fixture.timelineOf(id, 'limit=100', caller);
      const entry = timeline.data.find(({ type }: { type: string }) => type === 'takedown');
      assert.deepEqual([entry.actor.type, entry.reason], ['operator', 'Court order 12/2026']);
      const plan = { release_id, stores: ['aurora'], territory_codes: ['US'] };
      const redelivery = await fixture.post('', plan, caller);
      assert.equal(redelivery.json.error.code, 'invalid_state', 'it is not sent any more');
      assert.match(redelivery.json.error.message, /legal reasons/);
    }
    assert.equal(
      (await fixture.get(other.id, first)).status,
      'delivered',
      'other releases are not affected',
    );

    const [{ release_id }] = deliveries;
    const lift = ['--org', first.orgId, '--release', release_id];
    await fixture.service.admin('legal', 'lift', ...lift);
    const plan = { release_id, stores: ['aurora'], territory_codes: ['US'] };
    assert.equal((await fixture.post('', plan, first)).status, 201);
    await assert.rejects(fixture.service.admin('legal', 'lift', ...lift), /not under a legal hold/);
  });

  test('takes down by an ISRC that a release was sent with, although it was changed since', async () => {
    const { label } = fixture;
    const delivery = await fixture.givenDelivery({ stores: ['aurora'], simulate: '' });
    const draftOnly = await label.call('POST', '/v1/releases', completeDraft());
    await fixture.service.makeSubmittable(label, draftOnly.json.id);
    const trackOf = async (releaseId: string): Promise<Json> =>
      (await label.call('GET', `/v1/tracks?release_id=${releaseId}`)).json.data[0];
    const [sent, unsent] = [await trackOf(delivery.release_id), await trackOf(draftOnly.json.id)];
    for (const [track, isrc] of [
      [sent, 'QZLAW2600002'],
      // A wrong ISRC that was corrected before the release was sent.
      [unsent, sent.isrc],
      [unsent, 'QZLAW2600003'],
    ]) {
      const changed = await label.call('PATCH', `/v1/tracks/${track.id}`, { isrc });
      assert.equal(changed.status, 200, changed.text);
    }
    await fixture.advanceTime(5_000);
    const flags = ['--isrc', sent.isrc, '--reason', 'Court order 13/2026'];
    const shown: Json = await fixture.service.admin('legal', 'takedown', ...flags);
    assert.deepEqual(shown.organizations, [
      {
        org_id: label.orgId,
        releases: [{ release_id: delivery.release_id, deliveries_taken_down: [delivery.id] }],
      },
    ]);
    await fixture.runUntilIdle();
    await fixture.advanceTime(5_000);
    assert.equal((await fixture.get(delivery.id)).status, 'taken_down');
  });

  test('a delivery created just before a legal hold is rejected before it is sent', async () => {
    const release_id = await fixture.givenApprovedRelease({ simulate: '*=silent' });
    const plan = { release_id, stores: ['aurora', 'indigo'], territory_codes: ['US'] };
    const { json } = await fixture.post('', plan);
    await fixture.service.query(
      `insert into legal_holds select org_id, id, 'Court order', now(), 'operator', 'test'
         from releases where id = $1`,
      [toUuid(release_id as Id<'rel'>)],
    );
    await fixture.runUntilIdle();
    const { stores } = await fixture.get(json.id);
    assert.deepEqual(
      stores.map((store: Json) => [store.status, store.rejection_code, store.rejection_reason]),
      Array.from({ length: 2 }, () => ['rejected', 'legal_hold', 'Court order']),
    );
    assert.deepEqual(fixture.sentOf(json.id), []);
  });

  test('a message under legal hold cannot be claimed for sending again', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora'] });
    const [id, release] = [toUuid(delivery.id), toUuid(delivery.release_id)];
    await fixture.service.query(
      `update delivery_stores set message_state = 'sending' where delivery_id = $1`,
      [id],
    );
    const owner = {
      orgId: fixture.label.orgId as Id<'org'>,
      actor: { type: 'workflow', id: 'test' },
    } as const;
    const claim = () =>
      fixture.service.workerDb.transact(owner, (tx) => claimMessage(tx, delivery.id, 'aurora'));
    assert.ok(await claim());
    await fixture.service.query(
      `insert into legal_holds select org_id, id, 'Court order', now(), 'operator', 'test'
         from releases where id = $1`,
      [release],
    );
    assert.equal(await claim(), undefined);
  });

  test('a legal takedown by UPC; an invalid code is refused', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['indigo'], simulate: '' });
    await fixture.advanceTime(5_000);
    const { upc } = await fixture.releaseOf(delivery.release_id);
    await fixture.service.admin('legal', 'takedown', '--upc', upc, '--reason', 'Infringes');
    await fixture.runUntilIdle();
    await fixture.advanceTime(5_000);
    assert.equal((await fixture.get(delivery.id)).status, 'taken_down');
    for (const flags of [[], ['--isrc', 'x'], ['--upc', '123'], ['--isrc', 'x', '--upc', upc]]) {
      await assert.rejects(
        fixture.service.admin('legal', 'takedown', ...flags, '--reason', 'x'),
        /isrc/,
      );
    }
    await assert.rejects(
      fixture.service.admin('legal', 'takedown', '--upc', upc),
      /reason is required/,
    );
  });
});
