/**
 * Contract §2: a store delivery waits for `rights_review` where another organization has one of its codes live. The
 * directory of what stores have is asked in live only: the test says that its database is one of live.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  codeOf,
  type DeliveryFixture,
  deliveredAnswer,
  type Json,
  openDeliveryFixture,
  storeDeliveryOf,
} from '../delivery-fixture.ts';
import type { OrgClient } from '../test-service.ts';

const dayMs = 86_400_000;
const world = ['WORLDWIDE'];
let nextIsrc = 1;
const newIsrc = (registrant: string) => `QZ${registrant}26${String(nextIsrc++).padStart(5, '0')}`;

describe('contract §2: a code that another organization has live at the store', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
    await fixture.service.query(`update environment set name = 'live'`);
  });
  after(() => fixture.close());

  const admin = (...words: string[]) => fixture.service.admin(...words) as Promise<Json>;
  const decide = (caller: OrgClient, releaseId: string, ...flags: string[]) =>
    admin('rights', 'decide', '--org', caller.orgId, '--release', releaseId, ...flags);
  /** A release whose only track has this ISRC. */
  const deliver = async (caller: OrgClient, isrc: string, fields: Json = {}): Promise<Json> => {
    const { territory_codes = world, stores = ['aurora'], ...release } = fields;
    const delivery = await fixture.givenDelivery({
      caller,
      stores,
      territory_codes,
      release: { isrc, ...release },
    });
    return delivery;
  };
  const waitingOf = (delivery: Json, storeId = 'aurora') => {
    const { status, waiting_for: waitingFor } = storeDeliveryOf(delivery, storeId);
    return [status, waitingFor];
  };
  const again = (delivery: Json, caller: OrgClient) => fixture.get(delivery.id, caller);

  /** One organization has the code live at aurora, and another has delivered it there and to beatlane. */
  const givenConflict = async (isrc = newIsrc('AAA')) => {
    const [holder, claimant] = await fixture.service.givenOrganizations(2);
    assert.ok(holder !== undefined && claimant !== undefined);
    const held = await deliver(holder, isrc);
    await fixture.answer(held, { aurora: deliveredAnswer }, holder);
    const wanted = await deliver(claimant, isrc, { stores: ['aurora', 'beatlane'] });
    return { isrc, holder, claimant, held, wanted };
  };

  test('waits there and is sent elsewhere, with an event and an entry that do not name the other', async () => {
    const { holder, claimant, wanted } = await givenConflict();
    assert.deepEqual(waitingOf(wanted), ['pending', 'rights_review']);
    assert.deepEqual(waitingOf(wanted, 'beatlane'), ['in_progress', null]);
    assert.deepEqual(fixture.sentOf(wanted.id), ['beatlane deliver 3']);
    const events = await fixture.eventsOf(wanted.release_id, claimant);
    const updated = events.find(({ data }) => data.store?.waiting_for === 'rights_review');
    assert.ok(updated !== undefined, events.map(({ type }) => type).join());
    const timeline = await fixture.timelineOf(wanted.id, 'limit=100', claimant);
    assert.ok(timeline.data.some((entry: Json) => entry.waiting_for === 'rights_review'));
    const seen = JSON.stringify([events, timeline, wanted]);
    assert.ok(!seen.includes(holder.orgId));
  });

  test('does not wait before the other has it live, in other territories, under other codes, or for its own', async () => {
    const [one, two] = await fixture.service.givenOrganizations(2);
    assert.ok(one !== undefined && two !== undefined);
    const isrc = newIsrc('AAA');
    const first = await deliver(one, isrc, { territory_codes: ['DE', 'AT'] });
    const early = await deliver(two, isrc);
    assert.deepEqual(waitingOf(early), ['in_progress', null], 'nobody has it live');
    await fixture.answer(first, { aurora: deliveredAnswer }, one);
    const [three] = await fixture.service.givenOrganizations(1);
    const elsewhere = await deliver(three as OrgClient, isrc, { territory_codes: ['US', 'CA'] });
    assert.deepEqual(waitingOf(elsewhere), ['in_progress', null], 'other territories');
    const overlapping = await deliver(three as OrgClient, isrc, { territory_codes: ['AT', 'US'] });
    assert.deepEqual(waitingOf(overlapping), ['pending', 'rights_review']);
  });

  test('an organization that has it in one territory waits in the others, and is free where it has it', async () => {
    const [holder, claimant] = await fixture.service.givenOrganizations(2);
    assert.ok(holder !== undefined && claimant !== undefined);
    const isrc = newIsrc('AAA');
    const held = await deliver(holder, isrc, { territory_codes: ['DE', 'US'] });
    await fixture.answer(held, { aurora: deliveredAnswer }, holder);
    const first = await deliver(claimant, isrc, { territory_codes: ['JP'] });
    await fixture.answer(first, { aurora: deliveredAnswer }, claimant);
    const second = await deliver(claimant, isrc, { territory_codes: ['JP'] });
    assert.deepEqual(waitingOf(second), ['in_progress', null], 'where it has the code itself');
    const body = { stores: ['aurora'], territory_codes: ['WORLDWIDE'] };
    const updated = await fixture.post(`/${first.id}/update`, body, claimant);
    assert.equal(updated.status, 200, updated.text);
    await fixture.runUntilIdle();
    assert.deepEqual(waitingOf(await again(first, claimant)), ['delivered', 'rights_review']);
  });

  test('an operator sees who waits for whom, and grants: it is sent, and what it brings later is judged again', async () => {
    const { isrc, holder, claimant, held, wanted } = await givenConflict();
    const { reviews } = await admin('rights', 'list');
    const review = reviews.find((each: Json) => each.release_id === wanted.release_id);
    assert.deepEqual(
      [
        review.org_id,
        review.store_id,
        review.codes,
        review.holder_org_id,
        review.holder_release_id,
      ],
      [claimant.orgId, 'aurora', [isrc], holder.orgId, held.release_id],
    );
    const flags = ['--grant', '--reason', 'Split by contract.'];
    const decided = await decide(claimant, wanted.release_id, ...flags);
    assert.deepEqual(decided.decision, 'granted');
    await fixture.runUntilIdle();
    assert.deepEqual(waitingOf(await again(wanted, claimant)), ['in_progress', null]);
    assert.deepEqual(waitingOf(await again(held, holder)), ['delivered', null]);
    await assert.rejects(
      decide(claimant, wanted.release_id, ...flags),
      /waits for no rights review/,
    );
    const { reviews: left } = await admin('rights', 'list');
    assert.ok(left.every((each: Json) => each.release_id !== wanted.release_id));
    const [audited] = await fixture.service.query(
      `select action, actor_type from audit where action = 'rights.decide' and audited_id = $1`,
      [wanted.release_id],
    );
    assert.deepEqual(audited, { action: 'rights.decide', actor_type: 'operator' });
  });

  test('an operator refuses: rejected with rights_conflict and the reason; a resubmission waits again', async () => {
    const { claimant, wanted } = await givenConflict();
    await decide(claimant, wanted.release_id, '--refuse', '--reason', 'The label is another.');
    const refused = await again(wanted, claimant);
    const { status, rejection_code, rejection_reason } = storeDeliveryOf(refused, 'aurora');
    assert.deepEqual(
      [status, rejection_code, rejection_reason],
      ['rejected', 'rights_conflict', 'The label is another.'],
    );
    await fixture.patchRelease(wanted.release_id, { catalog_number: 'AGAIN' }, claimant);
    const resubmitted = await fixture.post(`/${wanted.id}/resubmit`, {}, claimant);
    assert.equal(resubmitted.status, 200, resubmitted.text);
    await fixture.runUntilIdle();
    assert.deepEqual(waitingOf(await again(wanted, claimant)), ['pending', 'rights_review']);
  });

  test('an operator transfers: what the holder has there is taken down, and the release is sent', async () => {
    const { holder, claimant, held, wanted } = await givenConflict();
    const { organizations } = await decide(
      claimant,
      wanted.release_id,
      '--transfer',
      '--reason',
      'The rights have moved.',
    );
    assert.deepEqual(
      organizations.map(({ org_id, release_id }: Json) => org_id ?? release_id),
      [holder.orgId, wanted.release_id],
    );
    await fixture.runUntilIdle();
    const { status, taken_down_by } = storeDeliveryOf(await again(held, holder), 'aurora');
    assert.deepEqual([status, taken_down_by], ['takedown_requested', null]);
    const { data } = await fixture.timelineOf(held.id, 'limit=100', holder);
    const entry = data.find(({ type }: Json) => type === 'takedown');
    assert.equal(entry.reason, 'The rights have moved.');
    assert.deepEqual(waitingOf(await again(wanted, claimant)), ['in_progress', null]);
  });

  const transfer = (caller: OrgClient, releaseId: string) =>
    decide(caller, releaseId, '--transfer', '--reason', 'The rights have moved.');
  const reviewsOf = async ({ release_id }: Json): Promise<Json[]> =>
    (await admin('rights', 'list')).reviews.filter((each: Json) => each.release_id === release_id);

  test('a transfer leaves a holder in other territories alone, and is refused for a release that does not wait', async () => {
    const { isrc, holder, claimant, held, wanted } = await givenConflict();
    const [elsewhere] = await fixture.service.givenOrganizations(1);
    assert.ok(elsewhere !== undefined);
    assert.equal((await reviewsOf(wanted)).length, 1);
    await assert.rejects(transfer(elsewhere, wanted.release_id), /waits for no rights review/);
    await fixture.post(`/${wanted.id}/takedown`, {}, claimant);
    assert.deepEqual(await reviewsOf(wanted), [], 'the wait has ended');
    await assert.rejects(transfer(claimant, wanted.release_id), /waits for no rights review/);
    await fixture.runUntilIdle();
    assert.deepEqual(waitingOf(await again(held, holder)), ['delivered', null]);

    const usOnly = await deliver(elsewhere, isrc, {
      territory_codes: ['US'],
      stores: ['beatlane'],
    });
    await fixture.answer(usOnly, { beatlane: deliveredAnswer }, elsewhere);
    const [later] = await fixture.service.givenOrganizations(1);
    const inGermany = await deliver(later as OrgClient, isrc, {
      territory_codes: ['DE'],
      stores: ['aurora', 'beatlane'],
    });
    assert.deepEqual(
      (await reviewsOf(inGermany)).map(({ store_id, holder_org_id }) => [store_id, holder_org_id]),
      [['aurora', holder.orgId]],
    );
  });

  test('a transfer is refused before anything is taken down if a store takes no takedowns', async () => {
    const { holder, claimant, held, wanted } = await givenConflict();
    const setTakedown = (isTaken: boolean) =>
      fixture.service.query(`update stores set takedown = $1 where store_id = 'aurora'`, [isTaken]);
    await setTakedown(false);
    await assert.rejects(transfer(claimant, wanted.release_id), /aurora takes no takedowns/);
    await setTakedown(true);
    assert.deepEqual(waitingOf(await again(held, holder)), ['delivered', null]);
    assert.deepEqual(waitingOf(await again(wanted, claimant)), ['pending', 'rights_review']);
  });

  test('is sent within a day after the holder has taken it down', async () => {
    const { holder, claimant, held, wanted } = await givenConflict();
    await fixture.post(`/${held.id}/takedown`, {}, holder);
    await fixture.answer(held, { aurora: { kind: 'removed' } }, holder);
    assert.deepEqual(waitingOf(await again(wanted, claimant)), ['pending', 'rights_review']);
    await fixture.advanceTime(dayMs);
    assert.deepEqual(waitingOf(await again(wanted, claimant)), ['in_progress', null]);
  });

  test('preflight warns of it with code_held_elsewhere, at the stores where it would wait', async () => {
    const { claimant, wanted, holder } = await givenConflict();
    const { json } = await claimant.call('POST', `/v1/releases/${wanted.release_id}/validate`);
    const found = json.findings.filter(({ rule }: Json) => rule === 'code_held_elsewhere');
    assert.deepEqual(
      found.map(({ severity, pointer, applies_to }: Json) => [severity, pointer, applies_to]),
      [['warning', '/tracks/0/isrc', ['aurora']]],
    );
    assert.ok(!JSON.stringify(json).includes(holder.orgId));
  });
});

describe('contract §2: rights_review in the sandbox', () => {
  let fixture: DeliveryFixture;
  before(async () => void (fixture = await openDeliveryFixture()));
  after(() => fixture.close());

  const deliver = (caller: OrgClient, isrc: string) =>
    fixture.givenDelivery({ caller, release: { isrc } });
  const decide = (id: string, decision: string, caller = fixture.label) =>
    caller.call('POST', `/v1/sandbox/deliveries/${id}/rights_review`, { decision });
  const waitingOf = async (id: string) => {
    const { status, waiting_for: waitingFor } = storeDeliveryOf(await fixture.get(id), 'aurora');
    return [status, waitingFor];
  };

  test('organizations do not meet: only the registrant HLD is held, and the partner decides', async () => {
    const [other] = await fixture.service.givenOrganizations(1);
    const isrc = newIsrc('BBB');
    const held = await deliver(other as OrgClient, isrc);
    await fixture.answer(held, { aurora: deliveredAnswer }, other);
    const { id: free } = await deliver(fixture.label, isrc);
    assert.deepEqual(await waitingOf(free), ['in_progress', null]);
    assert.deepEqual(codeOf(await decide(free, 'grant')), [409, 'invalid_state']);

    const { id: granted } = await deliver(fixture.label, newIsrc('HLD'));
    assert.deepEqual(await waitingOf(granted), ['pending', 'rights_review']);
    assert.deepEqual(codeOf(await decide(granted, 'grant', other)), [404, 'resource_not_found']);
    assert.equal((await decide(granted, 'grant')).status, 200);
    await fixture.runUntilIdle();
    assert.deepEqual(await waitingOf(granted), ['in_progress', null]);

    const { id: refused } = await deliver(fixture.label, newIsrc('HLD'));
    const { json } = await decide(refused, 'refuse');
    const { status, rejection_code: code } = storeDeliveryOf(json, 'aurora');
    assert.deepEqual([status, code], ['rejected', 'rights_conflict']);
  });
});
