/** What a delivery waits for: the review, and the rules of each store (contract §3). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import {
  codeOf,
  type Json,
  deliveredAnswer,
  openDeliveryFixture,
  storeDeliveryOf,
  type DeliveryFixture,
  statusByStore,
} from '../delivery-fixture.ts';
import { type OrgClient, completeDraft } from '../test-service.ts';

describe('a delivery that waits', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const deliver = async (
    release_id: string,
    stores = ['aurora', 'cascade'],
    caller = fixture.label,
  ): Promise<Json> => {
    const plan = { release_id, stores, territory_codes: ['WORLDWIDE'] };
    const reply = await fixture.post('', plan, caller);
    assert.equal(reply.status, 201, reply.text);
    return reply.json;
  };
  /** Preflight rejects an original_release_date after the release_date, at every store. */
  const invalidDates = { original_release_date: '2028-01-01' };

  describe('for the review', () => {
    let reviewed: OrgClient;
    before(async () => {
      reviewed = await fixture.service.givenOrganization();
      await fixture.service.admin('review', 'manual', '--org', reviewed.orgId, '--switch', 'on');
    });

    test('contract §3: a release that an operator rejected is not sent after a change of another field', async () => {
      const release_id = await fixture.service.givenSubmittedRelease(reviewed);
      await fixture.runUntilIdle();
      const waiting = await deliver(release_id, ['aurora'], reviewed);
      const { submission } = await fixture.releaseOf(release_id, reviewed);
      const flags = ['--org', reviewed.orgId, '--submission', submission.submission_id];
      const refusal = ['--decision', 'reject', '--reason', 'Pirated.'];
      await fixture.service.admin('review', 'decide', ...flags, ...refusal);
      await fixture.runUntilIdle();
      await fixture.patchRelease(release_id, { title: 'Another Title' }, reviewed);
      const later = await deliver(release_id, ['cascade'], reviewed);
      await fixture.post(`/${waiting.id}/resubmit`, { force: true }, reviewed);
      await fixture.runUntilIdle();
      for (const { id } of [waiting, later]) {
        const [store] = (await fixture.get(id, reviewed)).stores;
        assert.deepEqual(
          [store.status, store.rejection_code, store.rejection_reason],
          ['rejected', 'review_rejected', 'Pirated.'],
        );
        assert.deepEqual(fixture.sentOf(id), [], 'nothing is sent');
      }
      assert.equal((await fixture.releaseOf(release_id, reviewed)).status, 'rejected');
    });
    const decide = async (releaseId: string, ...flags: string[]) => {
      const { submission } = await fixture.releaseOf(releaseId, reviewed);
      const ids = ['--org', reviewed.orgId, '--submission', submission.submission_id];
      await fixture.service.admin('review', 'decide', ...ids, '--decision', ...flags);
      await fixture.runUntilIdle();
    };

    test('contract §3: stores stay pending while the review is pending, and are sent once it approves', async () => {
      const id = await fixture.service.givenSubmittedRelease(reviewed);
      const delivery = await deliver(id, undefined, reviewed);
      await fixture.runUntilIdle();
      await fixture.advanceTime(3_600_000);
      assert.deepEqual(await fixture.get(delivery.id, reviewed), delivery, 'after an hour');
      await decide(id, 'approve');
      const outcome = await fixture.get(delivery.id, reviewed);
      assert.deepEqual(statusByStore(outcome), { aurora: 'in_progress', cascade: 'in_progress' });
    });

    test('contract §3: if the review rejects, stores are rejected with review_rejected and never sent', async () => {
      const id = await fixture.service.givenSubmittedRelease(reviewed);
      const delivery = await deliver(id, undefined, reviewed);
      await fixture.runUntilIdle();
      await decide(id, 'reject', '--reason', 'The cover shows a logo of a store.');
      const outcome = await fixture.get(delivery.id, reviewed);
      assert.equal(outcome.status, 'rejected');
      for (const store of outcome.stores) {
        assert.deepEqual(
          [store.status, store.rejection_code, store.rejection_reason],
          ['rejected', 'review_rejected', 'The cover shows a logo of a store.'],
        );
      }
      assert.deepEqual(fixture.sentOf(delivery.id), []);
      assert.equal((await fixture.releaseOf(id, reviewed)).status, 'rejected');
    });

    test('contract §3: a delivery created after the review rejected is rejected at once, with its event', async () => {
      const id = await fixture.service.givenSubmittedRelease(reviewed);
      await decide(id, 'reject', '--reason', 'No.');
      const delivery = await deliver(id, ['aurora'], reviewed);
      assert.deepEqual(
        [delivery.status, storeDeliveryOf(delivery, 'aurora').rejection_code],
        ['rejected', 'review_rejected'],
      );
      assert.notEqual(delivery.completed_at, null);
      assert.deepEqual(await fixture.get(delivery.id, reviewed), delivery);
      const types = (await fixture.eventsOf(id, reviewed)).map(({ type }) => type);
      assert.equal(types.filter((type) => type === 'delivery.completed').length, 1);
    });

    test('contract §3: after a takedown while it waits, nothing is sent when the review approves', async () => {
      const id = await fixture.service.givenSubmittedRelease(reviewed);
      const delivery = await deliver(id, undefined, reviewed);
      const { json } = await fixture.post(`/${delivery.id}/takedown`, {}, reviewed);
      assert.equal(json.status, 'taken_down');
      await decide(id, 'approve');
      assert.deepEqual({ ...(await fixture.get(delivery.id, reviewed)), skipped: [] }, json);
      assert.deepEqual(fixture.sentOf(delivery.id), []);
    });

    test('contract §3: a corrected, submitted and resubmitted release waits for the second review too', async () => {
      const id = await fixture.service.givenSubmittedRelease(reviewed);
      const delivery = await deliver(id, ['aurora'], reviewed);
      await decide(id, 'reject', '--reason', 'The title.');
      await fixture.patchRelease(id, { title: 'Night Driver' }, reviewed);
      assert.equal((await reviewed.call('POST', `/v1/releases/${id}/submit`)).status, 200);
      const resubmitted = await fixture.post(`/${delivery.id}/resubmit`, {}, reviewed);
      assert.equal(resubmitted.status, 200, resubmitted.text);
      await fixture.runUntilIdle();
      assert.deepEqual(statusByStore(await fixture.get(delivery.id, reviewed)), {
        aurora: 'pending',
      });
      await decide(id, 'approve');
      assert.deepEqual(statusByStore(await fixture.get(delivery.id, reviewed)), {
        aurora: 'in_progress',
      });
    });

    test('contract §3: the rules can reject too: review_rejected with what they found', async () => {
      const id = await fixture.service.givenSubmittedRelease(fixture.label, invalidDates);
      const delivery = await deliver(id);
      await fixture.runUntilIdle();
      const outcome = await fixture.get(delivery.id);
      assert.equal(outcome.status, 'rejected');
      assert.equal(outcome.stores[0].rejection_code, 'review_rejected');
      assert.match(outcome.stores[0].rejection_reason, /original_release_date/);
    });
  });

  describe('for the rules of each store', () => {
    /** Aurora requires covers of 3,000 pixels; Cascade has no such rule. */
    const givenReleaseWithSmallCover = async (): Promise<string> => {
      const { json } = await fixture.label.call('POST', '/v1/releases', completeDraft());
      await fixture.service.makeSubmittable(fixture.label, json.id);
      const { artwork_asset_id } = await fixture.releaseOf(json.id);
      await fixture.service.query(
        `update assets set facts = facts || '{"width": 2000, "height": 2000}' where id = $1`,
        [toUuid(artwork_asset_id as Id<'ast'>)],
      );
      await fixture.label.call('POST', `/v1/releases/${json.id}/submit`);
      await fixture.runUntilIdle();
      return json.id;
    };

    test('contract §3: a release that only one store would reject is sent to the others', async () => {
      const id = await givenReleaseWithSmallCover();
      assert.equal((await fixture.releaseOf(id)).submission.review_status, 'approved');
      const delivery = await deliver(id);
      await fixture.runUntilIdle();
      const outcome = await fixture.get(delivery.id);
      assert.deepEqual(statusByStore(outcome), { aurora: 'rejected', cascade: 'in_progress' });
      assert.equal(storeDeliveryOf(outcome, 'aurora').rejection_code, 'review_rejected');
      assert.match(storeDeliveryOf(outcome, 'aurora').rejection_reason, /3000 pixels/);
      assert.deepEqual(fixture.sentOf(delivery.id), ['cascade deliver 3']);
      const ignored = await fixture.answer(delivery, { aurora: deliveredAnswer });
      assert.equal(statusByStore(ignored)['aurora'], 'rejected');
    });

    test('contract §3: with another cover it is sent to that store, in the same delivery', async () => {
      const id = await givenReleaseWithSmallCover();
      const delivery = await deliver(id);
      await fixture.runUntilIdle();
      assert.deepEqual(codeOf(await fixture.post(`/${delivery.id}/resubmit`)), [
        409,
        'nothing_changed',
      ]);
      const artwork_asset_id = await fixture.service.givenAsset(fixture.label, 'artwork');
      await fixture.patchRelease(id, { artwork_asset_id });
      assert.equal((await fixture.post(`/${delivery.id}/resubmit`)).status, 200);
      await fixture.runUntilIdle();
      assert.deepEqual(statusByStore(await fixture.get(delivery.id)), {
        aurora: 'in_progress',
        cascade: 'in_progress',
      });
      assert.deepEqual(fixture.sentOf(delivery.id), ['cascade deliver 3', 'aurora deliver 4']);
    });

    test('contract §3: force does not override the rules', async () => {
      const delivery = await deliver(await givenReleaseWithSmallCover(), ['aurora']);
      await fixture.runUntilIdle();
      assert.equal((await fixture.post(`/${delivery.id}/resubmit`, { force: true })).status, 200);
      await fixture.runUntilIdle();
      assert.equal(
        storeDeliveryOf(await fixture.get(delivery.id), 'aurora').rejection_code,
        'review_rejected',
      );
      assert.deepEqual(fixture.sentOf(delivery.id), []);
    });

    test('contract §3: a revision that differs from the approved one is checked by the rules before it is sent', async () => {
      const approved = await fixture.givenApprovedRelease({ simulate: '*=silent' });
      await fixture.patchRelease(approved, { original_release_date: '2028-01-01' });
      const delivery = await deliver(approved);
      assert.deepEqual([delivery.revision, delivery.status], [4, 'in_progress']);
      await fixture.runUntilIdle();
      const outcome = await fixture.get(delivery.id);
      assert.deepEqual(statusByStore(outcome), { aurora: 'rejected', cascade: 'rejected' });
      assert.equal(storeDeliveryOf(outcome, 'cascade').rejection_code, 'review_rejected');
      assert.deepEqual(fixture.sentOf(delivery.id), []);
    });

    test('contract §3: the delivery keeps the revision it was created with', async () => {
      const approved = await fixture.givenApprovedRelease({ simulate: '*=silent' });
      const delivery = await deliver(approved, ['aurora']);
      await fixture.patchRelease(approved, { original_release_date: '2028-01-01' });
      await fixture.runUntilIdle();
      const outcome = await fixture.answer(delivery, { aurora: deliveredAnswer });
      assert.deepEqual(
        [outcome.status, outcome.revision, outcome.stores[0].revision],
        ['delivered', 3, 3],
      );
      assert.deepEqual(fixture.sentOf(delivery.id), ['aurora deliver 3']);
    });
  });
});
