/** Deliveries of an organization that is not verified: contract §2, §4, §6. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../../scripts/servers/server.ts';
import { dispatchDelivery } from '../../src/delivery/commands/dispatch-delivery.ts';
import { workflowOwner } from '../../src/kernel/actor.ts';
import type { OrgId } from '../../src/kernel/ids.ts';
import { reconcileTimers } from '../../src/platform/engine/timers.ts';
import {
  deliveredAnswer,
  type DeliveryFixture,
  type Json,
  monday,
  openDeliveryFixture,
  statusByStore,
  storeDeliveryOf,
} from '../delivery-fixture.ts';
import { type OrgClient, openTestService } from '../test-service.ts';
import { openWorkerDriver } from '../worker-driver.ts';

const requirements = [{ code: 'company_register', description: 'Send an extract.' }];

describe('contract §2: a delivery that waits for the verification', () => {
  let fixture: DeliveryFixture;
  let partner: OrgClient;
  before(async () => {
    fixture = await openDeliveryFixture();
    partner = await fixture.service.givenOrganization();
  });
  after(() => fixture.close());

  const script = async (status: string, fields: object = {}, caller = partner): Promise<Json> => {
    const body = { status, ...fields };
    const reply = await caller.call('POST', '/v1/sandbox/verification', body);
    assert.equal(reply.status, 200, reply.text);
    return reply.json;
  };
  const silent = { simulate: '*=silent' };
  const deliver = async (stores = ['aurora', 'cascade'], release?: string): Promise<Json> => {
    const release_id = release ?? (await fixture.givenApprovedRelease(silent, partner));
    const plan = { release_id, stores, territory_codes: ['WORLDWIDE'] };
    const reply = await fixture.post('', plan, partner);
    assert.equal(reply.status, 201, reply.text);
    return reply.json;
  };
  const waitingForLock = async (): Promise<number> =>
    (
      await fixture.service.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).length;
  const waitsOf = ({ stores }: Json): string[] =>
    stores.map((store: Json) => `${store.status} ${store.waiting_for}`);
  const waitingRows = () => fixture.service.query('select * from unverified_deliveries');
  const get = (id: string) => fixture.get(id, partner);

  test('contract §2: stores stay pending with waiting_for verification, and are sent once it is verified', async () => {
    await script('pending', { requirements });
    const delivery = await deliver();
    assert.deepEqual(waitsOf(delivery), ['pending verification', 'pending verification']);
    await fixture.runUntilIdle();
    await fixture.advanceTime(3 * 86_400_000);
    assert.deepEqual(await get(delivery.id), delivery, 'after three days');
    assert.deepEqual(fixture.sentOf(delivery.id), []);
    await script('rejected');
    await fixture.runUntilIdle();
    assert.deepEqual(
      waitsOf(await get(delivery.id)),
      waitsOf(delivery),
      'rejected is not verified',
    );
    await script('verified');
    await fixture.runUntilIdle();
    const sent = await get(delivery.id);
    assert.deepEqual(waitsOf(sent), ['in_progress null', 'in_progress null']);
    assert.notEqual(storeDeliveryOf(sent, 'aurora').expected_by, null);
    assert.deepEqual(fixture.sentOf(delivery.id), ['aurora deliver 3', 'cascade deliver 3']);
    assert.deepEqual(await waitingRows(), []);
    const reply = await partner.call('GET', `/v1/deliveries/${delivery.id}/timeline`);
    const types = reply.json.data.map(({ type }: Json) => type);
    assert.deepEqual(types.toSorted(), ['created', 'dispatched', 'dispatched']);
  });

  test('contract §2: the review comes first, then the verification, with an entry in the timeline', async () => {
    await script('unverified');
    const release = await fixture.service.givenSubmittedRelease(partner);
    const delivery = await deliver(['aurora'], release);
    assert.deepEqual(waitsOf(delivery), ['pending review']);
    await fixture.runUntilIdle();
    assert.deepEqual(waitsOf(await get(delivery.id)), ['pending verification']);
    const { json } = await partner.call('GET', `/v1/deliveries/${delivery.id}/timeline`);
    const waiting = json.data.find(({ type }: Json) => type === 'waiting');
    assert.equal(waiting.waiting_for, 'verification');
    await script('verified');
    await fixture.runUntilIdle();
    assert.deepEqual(waitsOf(await get(delivery.id)), ['in_progress null']);
  });

  test('contract §3: what a store’s rules or the review reject is rejected at once, it does not wait', async () => {
    await script('unverified');
    const release = await fixture.service.givenSubmittedRelease(partner, {
      original_release_date: '2028-01-01',
    });
    const delivery = await deliver(['aurora'], release);
    await fixture.runUntilIdle();
    assert.deepEqual(waitsOf(await get(delivery.id)), ['rejected null']);
    await script('verified');
  });

  test('contract §3: takedowns never wait: unsent stores are cancelled, live ones are asked', async () => {
    const live = await deliver(['aurora']);
    await fixture.runUntilIdle();
    await fixture.answer(live, { aurora: deliveredAnswer }, partner);
    await script('rejected');
    assert.deepEqual(statusByStore(await get(live.id)), { aurora: 'delivered' }, 'it stays live');
    const unsent = await deliver(['cascade']);
    await fixture.runUntilIdle();
    const { json: cancelled } = await fixture.post(`/${unsent.id}/takedown`, {}, partner);
    assert.equal(cancelled.status, 'taken_down');
    await fixture.post(`/${live.id}/takedown`, {}, partner);
    await fixture.runUntilIdle();
    assert.deepEqual(fixture.sentOf(live.id), ['aurora deliver 3', 'aurora takedown 3']);
    const outcome = await fixture.answer(live, { aurora: { kind: 'removed' } }, partner);
    assert.equal(outcome.status, 'taken_down');
    await script('verified');
    await fixture.runUntilIdle();
    assert.deepEqual(fixture.sentOf(unsent.id), []);
    assert.deepEqual(await waitingRows(), []);
  });

  test('contract §3: resubmissions and updates wait too; what was sent before goes on', async () => {
    const delivery = await deliver(['aurora', 'cascade']);
    await fixture.runUntilIdle();
    await script('unverified');
    const answered = await fixture.answer(
      delivery,
      {
        aurora: deliveredAnswer,
        cascade: { kind: 'rejected', rejection: { code: 'x', reason: 'Wrong title.' } },
      },
      partner,
    );
    assert.deepEqual(statusByStore(answered), { aurora: 'delivered', cascade: 'rejected' });
    await fixture.patchRelease(delivery.release_id, { title: 'Night Driver' }, partner);
    assert.equal((await fixture.post(`/${delivery.id}/resubmit`, {}, partner)).status, 200);
    assert.equal((await fixture.post(`/${delivery.id}/update`, {}, partner)).status, 200);
    await fixture.runUntilIdle();
    const waiting = await get(delivery.id);
    assert.deepEqual(waitsOf(waiting), ['delivered verification', 'pending verification']);
    assert.equal(storeDeliveryOf(waiting, 'aurora').pending_revision, 4);
    assert.equal(fixture.sentOf(delivery.id).length, 2);
    await script('verified');
    await fixture.runUntilIdle();
    assert.deepEqual(fixture.sentOf(delivery.id).slice(2).toSorted(), [
      'aurora update 4',
      'cascade deliver 4',
    ]);
  });

  test('contract §2: a store that is paused as well is waited for after the verification', async () => {
    const setStatus = (status: string) =>
      fixture.service.query(`update stores set status = $1 where store_id = 'aurora'`, [status]);
    await script('unverified');
    await setStatus('paused');
    const delivery = await deliver(['aurora']);
    await fixture.runUntilIdle();
    assert.deepEqual(waitsOf(await get(delivery.id)), ['pending verification']);
    await script('verified');
    await fixture.runUntilIdle();
    assert.deepEqual(waitsOf(await get(delivery.id)), ['pending store_paused']);
    await setStatus('active');
  });

  test('architecture §4: more deliveries than one batch are all dispatched, also when the engine loses the message', async () => {
    await script('unverified');
    const delivery = await deliver(['aurora']);
    await fixture.runUntilIdle();
    const rows = 210;
    await fixture.service.query(
      `with copies as (
         insert into deliveries
         select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'reference', null))).*
           from deliveries d, generate_series(1, $1) where d.id = (select delivery_id from unverified_deliveries)
         returning org_id, id)
       insert into unverified_deliveries select org_id, id from copies`,
      [rows],
    );
    await script('verified');
    // As after a lost disk: the messages are gone, the timers are not.
    await fixture.service.query('delete from outbox');
    await fixture.advanceTime(31_000);
    await reconcileTimers(fixture.service.workerDb, fixture.service.clock);
    await fixture.runUntilIdle();
    assert.deepEqual(await waitingRows(), []);
    assert.deepEqual(waitsOf(await get(delivery.id)), ['in_progress null']);
    // They have no stores, which the checks of the fixture would find.
    await fixture.service.query(
      `delete from deliveries d
        where not exists (select from delivery_stores s where s.delivery_id = d.id)`,
    );
  });

  test('contract §2: an organization verified while a dispatch reads its status is not missed', async () => {
    await script('unverified');
    const delivery = await deliver(['aurora']);
    const owner = workflowOwner(partner.orgId as OrgId, 'test');
    const changes: Promise<Json>[] = [];
    await fixture.service.workerDb.transact(owner, async (tx) => {
      const { lanes, isSentTogether } = await dispatchDelivery(tx, delivery.id);
      assert.deepEqual([lanes, isSentTogether], [[], false], 'it reads unverified');
      changes.push(script('verified'));
      await until('the change waits', async () => (await waitingForLock()) > 0);
    });
    await Promise.all(changes);
    await fixture.runUntilIdle();
    assert.deepEqual(waitsOf(await get(delivery.id)), ['in_progress null']);
    assert.deepEqual(await waitingRows(), []);
  });

  test('contract §4: a reset makes the organization verified again, with the event', async () => {
    const caller = await fixture.service.givenOrganization();
    await script('rejected', { requirements }, caller);
    assert.equal((await caller.call('POST', '/v1/sandbox/reset', { seed: false })).status, 202);
    await fixture.runUntilIdle();
    const { json } = await caller.call('GET', '/v1/organization');
    assert.deepEqual(json.verification, { status: 'verified', requirements: [] });
    const [event] = await fixture.service.query(
      `select data->'verification'->>'status' as status from events
        where type = 'organization.verification.changed' and data->>'id' = $1 order by id desc limit 1`,
      [caller.orgId],
    );
    assert.equal(event.status, 'verified');
  });

  test('contract §6: organization.verification.changed has the organization, once for each change', async () => {
    const caller = await fixture.service.givenOrganization();
    const changed = await script('pending', { requirements }, caller);
    await script('pending', { requirements }, caller);
    await script('verified', {}, caller);
    await fixture.service.sequenceEvents();
    const type = 'organization.verification.changed';
    const { json } = await caller.call('GET', `/v1/events?type=${type}&after=0`);
    assert.deepEqual(
      json.data.map(({ data }: Json) => data.verification.status),
      ['pending', 'verified'],
    );
    assert.deepEqual(json.data[0].data, changed);
    assert.deepEqual(changed.verification, { status: 'pending', requirements });
    assert.deepEqual(json.data[1].data, (await caller.call('GET', '/v1/organization')).json);
  });

  const refusals: readonly [what: string, body: object, field: string][] = [
    ['an unknown status', { status: 'almost' }, 'status'],
    [
      'requirements of a verified organization',
      { status: 'verified', requirements },
      'requirements',
    ],
    [
      'a repeated code',
      { status: 'pending', requirements: [requirements[0], requirements[0]] },
      'requirements[1].code',
    ],
    [
      'a malformed code',
      { status: 'pending', requirements: [{ code: 'Company Register', description: 'x' }] },
      'requirements[0].code',
    ],
    [
      'more than 20 requirements',
      {
        status: 'pending',
        requirements: Array.from({ length: 21 }, (_, i) => ({ code: `c${i}`, description: 'x' })),
      },
      'requirements',
    ],
  ];
  for (const [what, body, field] of refusals) {
    test(`contract §7: ${what} → 422, and nothing changes`, async () => {
      const earlier = (await partner.call('GET', '/v1/organization')).json;
      const { status, json } = await partner.call('POST', '/v1/sandbox/verification', body);
      assert.deepEqual(
        [status, json.error.code, json.error.details[0].field],
        [422, 'invalid_field', field],
      );
      assert.deepEqual((await partner.call('GET', '/v1/organization')).json, earlier);
    });
  }
});

describe('contract §2: the verification in live', () => {
  test('deliveries of an unverified organization wait until the operator has verified it', async () => {
    const live = await openTestService({ environment: 'live', now: monday });
    const partner = await live.givenOrganization();
    const { runUntilIdle } = openWorkerDriver(live);
    const release_id = await live.givenSubmittedRelease(partner);
    await runUntilIdle();
    const plan = { release_id, stores: ['aurora'], territory_codes: ['WORLDWIDE'] };
    const { json: delivery } = await partner.call('POST', '/v1/deliveries', plan);
    const storeOf = async () => {
      await runUntilIdle();
      const [store] = (await partner.call('GET', `/v1/deliveries/${delivery.id}`)).json.stores;
      return [store.status, store.waiting_for];
    };
    assert.deepEqual(await storeOf(), ['pending', 'verification']);
    await live.admin('org', 'verify', '--org', partner.orgId, '--status', 'pending');
    assert.deepEqual(await storeOf(), ['pending', 'verification']);
    await live.admin('org', 'verify', '--org', partner.orgId, '--status', 'verified');
    assert.deepEqual(await storeOf(), ['in_progress', null]);
    await live.close();
  });

  test('a new organization is unverified; only the operator changes it; there is no sandbox route', async () => {
    const live = await openTestService({ environment: 'live' });
    const partner = await live.givenOrganization();
    const verification = async () =>
      (await partner.call('GET', '/v1/organization')).json.verification;
    assert.deepEqual(await verification(), { status: 'unverified', requirements: [] });
    const scripted = await partner.call('POST', '/v1/sandbox/verification', { status: 'verified' });
    assert.deepEqual([scripted.status, scripted.json.error.code], [404, 'route_not_found']);
    const verify = (...flags: string[]) =>
      live.admin('org', 'verify', '--org', partner.orgId, ...flags);
    const shown = await verify(
      '--status',
      'pending',
      '--requirement',
      'company_register: Send an extract: not older than 3 months.',
      '--requirement',
      'id_document:Send a copy.',
    );
    const expected = {
      status: 'pending',
      requirements: [
        { code: 'company_register', description: 'Send an extract: not older than 3 months.' },
        { code: 'id_document', description: 'Send a copy.' },
      ],
    };
    assert.deepEqual(await verification(), expected);
    assert.deepEqual(shown, { id: partner.orgId, verification: expected });
    await verify('--status', 'verified');
    assert.deepEqual(await verification(), { status: 'verified', requirements: [] });
    await assert.rejects(verify('--status', 'sure'), /must be one of/);
    await assert.rejects(verify('--status', 'pending', '--requirement', 'no text'), /CODE:TEXT/);
    await live.sequenceEvents();
    const { json } = await partner.call('GET', '/v1/events?type=organization.verification.changed');
    assert.equal(json.data.length, 2);
    assert.equal(json.data[0].data.environment, 'live');
    await live.close();
  });
});
