/** A release follows its deliveries: contract §3, and release.status.changed of spec §6. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  actionRequiredAnswer,
  type Json,
  deliveredAnswer,
  openDeliveryFixture,
  rejectedAnswer,
  removedAnswer,
  type DeliveryFixture,
} from '../delivery-fixture.ts';

describe('the status of a release', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const statusOf = async ({ release_id }: Json): Promise<string> =>
    (await fixture.releaseOf(release_id)).status;
  /** Every move it announced, in order. */
  const movesOf = async ({ release_id }: Json): Promise<string[]> =>
    (await fixture.eventsOf(release_id))
      .filter(({ type }) => type === 'release.status.changed')
      .map(({ data }) => `${data.previous_status} → ${data.status}`);
  const another = async ({ release_id }: Json, ...stores: string[]): Promise<Json> => {
    const reply = await fixture.post('', { release_id, stores, territory_codes: ['WORLD'] });
    assert.equal(reply.status, 201, reply.text);
    await fixture.runUntilIdle();
    return reply.json;
  };
  const submitted = 'draft → submitted';

  test('contract §3: delivered once any store of any of its deliveries is', async () => {
    const first = await fixture.givenDelivery({ stores: ['aurora', 'cascade'] });
    const second = await another(first, 'indigo', 'kilima');
    assert.equal(await statusOf(first), 'submitted');
    await fixture.answer(second, { kilima: deliveredAnswer });
    assert.equal(await statusOf(first), 'delivered');
    await fixture.answer(first, { aurora: deliveredAnswer, cascade: rejectedAnswer });
    assert.deepEqual(await movesOf(first), [submitted, 'submitted → delivered'], 'told once');
  });

  test('contract §3: rejected when every store of every delivery is', async () => {
    const first = await fixture.givenDelivery({ stores: ['aurora', 'cascade'] });
    const second = await another(first, 'indigo');
    await fixture.answer(first, { aurora: rejectedAnswer, cascade: rejectedAnswer });
    assert.equal(await statusOf(first), 'submitted', 'one is left');
    await fixture.answer(second, { indigo: actionRequiredAnswer });
    assert.equal(await statusOf(first), 'submitted', 'a flag is no refusal');
    await fixture.answer(second, { indigo: rejectedAnswer });
    assert.equal(await statusOf(first), 'rejected');
    assert.deepEqual(await movesOf(first), [submitted, 'submitted → rejected']);
  });

  test('contract §3: a resubmission makes a rejected one submitted again', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora'] });
    await fixture.answer(delivery, { aurora: rejectedAnswer });
    await fixture.post(`/${delivery.id}/resubmit`, { force: true });
    assert.equal(await statusOf(delivery), 'submitted');
    await fixture.runUntilIdle();
    await fixture.answer(delivery, { aurora: deliveredAnswer });
    assert.deepEqual(await movesOf(delivery), [
      submitted,
      'submitted → rejected',
      'rejected → submitted',
      'submitted → delivered',
    ]);
  });

  test('contract §3: and so does submitting it again after correction', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora'] });
    await fixture.answer(delivery, { aurora: rejectedAnswer });
    await fixture.patchRelease(delivery.release_id, { title: 'Night Driver' });
    const reply = await fixture.label.call('POST', `/v1/releases/${delivery.release_id}/submit`);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(await statusOf(delivery), 'submitted');
    await fixture.runUntilIdle();
    assert.equal(await statusOf(delivery), 'submitted', 'approved');
    const { json } = await fixture.post(`/${delivery.id}/resubmit`);
    assert.equal(json.revision, 4);
    await fixture.runUntilIdle();
    await fixture.answer(delivery, { aurora: deliveredAnswer });
    assert.equal(await statusOf(delivery), 'delivered');
  });

  test('contract §3: delivered it stays, whatever stores do later', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora', 'cascade'] });
    await fixture.answer(delivery, { aurora: deliveredAnswer, cascade: rejectedAnswer });
    await fixture.post(`/${delivery.id}/takedown`);
    await fixture.runUntilIdle();
    await fixture.answer(delivery, { aurora: removedAnswer });
    assert.equal(await statusOf(delivery), 'delivered', 'the only store left refused it');
    await fixture.post(`/${delivery.id}/resubmit`, { force: true });
    assert.equal(await statusOf(delivery), 'delivered');
    assert.deepEqual(await movesOf(delivery), [submitted, 'submitted → delivered']);
  });

  test('contract §3: taken down before it was sent, it stays submitted', async () => {
    const release_id = await fixture.givenApprovedRelease();
    const plan = { release_id, stores: ['aurora'], territory_codes: ['WORLD'] };
    const { json } = await fixture.post('', plan);
    await fixture.post(`/${json.id}/takedown`);
    assert.equal(await statusOf(json), 'submitted');
    assert.deepEqual(await movesOf(json), [submitted]);
  });

  test('contract §3: stores taken down do not keep the others from rejecting it', async () => {
    const release_id = await fixture.givenApprovedRelease({ simulate: '*=silent' });
    const plan = { release_id, stores: ['aurora', 'cascade'], territory_codes: ['WORLD'] };
    const { json } = await fixture.post('', plan);
    await fixture.post(`/${json.id}/takedown`, { stores: ['cascade'] });
    await fixture.runUntilIdle();
    await fixture.answer(json, { aurora: rejectedAnswer });
    assert.equal(await statusOf(json), 'rejected');
  });

  test('contract §3: delivered also when it was wanted down on its way, and is asked back as it lands', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora'] });
    await fixture.post(`/${delivery.id}/takedown`);
    await fixture.answer(delivery, { aurora: deliveredAnswer });
    assert.equal((await fixture.releaseOf(delivery.release_id)).status, 'delivered');
  });

  test('contract §3: cancelling another delivery does not reject what was submitted again', async () => {
    const first = await fixture.givenDelivery({ stores: ['aurora'] });
    await fixture.answer(first, { aurora: rejectedAnswer });
    const { release_id } = first;
    await fixture.patchRelease(release_id, { title: 'Corrected' });
    await fixture.label.call('POST', `/v1/releases/${release_id}/submit`);
    const plan = { release_id, stores: ['cascade'], territory_codes: ['DE'] };
    const { json: second } = await fixture.post('', plan);
    await fixture.post(`/${second.id}/takedown`);
    assert.equal((await fixture.releaseOf(release_id)).status, 'submitted');
    await fixture.runUntilIdle();
    const release = await fixture.releaseOf(release_id);
    assert.deepEqual([release.status, release.submission.review_status], ['submitted', 'approved']);
  });

  test('contract §6: release.status.changed comes after the store’s move that caused it, with the release', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora'] });
    await fixture.advanceTime(1_000);
    await fixture.answer(delivery, { aurora: deliveredAnswer });
    const events = (await fixture.eventsOf(delivery.release_id)).slice(-3);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['delivery.store.updated', 'delivery.completed', 'release.status.changed'],
    );
    const release = await fixture.releaseOf(delivery.release_id);
    assert.deepEqual(events[2].data, {
      release_id: delivery.release_id,
      previous_status: 'submitted',
      status: 'delivered',
      release,
    });
    assert.equal(release.updated_at, fixture.service.clock.now().toISOString());
    assert.equal(release.revision, delivery.revision, 'a move is no revision');
  });

  test('contract §3: two deliveries that turn at the same moment move it once', async () => {
    const first = await fixture.givenDelivery({ stores: ['aurora'] });
    const second = await another(first, 'cascade');
    const [one, two] = [
      await fixture.latestMessageId(first.id, 'aurora'),
      await fixture.latestMessageId(second.id, 'cascade'),
    ];
    await fixture.applyAnswers(
      { messageId: one, ...rejectedAnswer },
      { messageId: two, ...rejectedAnswer },
    );
    assert.deepEqual(await movesOf(first), [submitted, 'submitted → rejected']);
  });
});
