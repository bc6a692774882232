/** A release at a store that speaks DDEX, over real SFTP. */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { ExaminedMessage } from '../../src/sandbox/connectors/sftp-store/examine-batch.ts';
import type { Reaction } from '../../src/sandbox/connectors/sftp-store/sftp-store.ts';
import { type DdexFixture, openDdexFixture } from '../ddex-fixture.ts';
import type { Reply } from '../test-service.ts';

type Json = Reply['json'];

const rejection: Reaction = {
  kind: 'refuse',
  status: 'ProcessingErrorAtReleaseDistributor',
  fileStatus: 'ResourceNotMeetingSpecifications',
  reason: 'The title is not the one of the cover.',
  proposedAction: 'ResendXmlOnly',
};

describe('a release at a store that speaks DDEX', () => {
  let fixture: DdexFixture;
  let reactions: Reaction[] = [];
  before(async () => {
    fixture = await openDdexFixture(27_222, {
      react: (_message: ExaminedMessage) => reactions.shift() ?? { kind: 'accept' },
    });
  });
  after(() => fixture.close());

  test('deliver → reject → correct → redeliver → live → flagged by the store → takedown', async () => {
    const { store, exchange, expect, givenRelease, deliver, shareOf, batchesOf } = fixture;
    const { id, upc } = await givenRelease(2);
    reactions = [rejection];
    const deliveryId = await deliver(id);
    await exchange();
    const rejected = await shareOf(deliveryId);
    assert.equal(rejected.status, 'rejected', JSON.stringify(store.history()));
    assert.equal(rejected.rejection_code, 'ResourceNotMeetingSpecifications');
    assert.equal(rejected.rejection_reason, 'The title is not the one of the cover.');
    assert.equal(store.book().get(upc), undefined);

    await expect(200, 'PATCH', `/v1/releases/${id}`, { title: 'Night Drive II' });
    await expect(200, 'POST', `/v1/releases/${id}/submit`);
    await fixture.driver.runUntilIdle();
    await expect(200, 'POST', `/v1/deliveries/${deliveryId}/resubmit`, {});
    await exchange();
    assert.equal((await shareOf(deliveryId)).status, 'delivered');
    assert.equal(store.book().get(upc)?.title, 'Night Drive II');
    assert.equal(store.book().get(upc)?.isLive, true);

    const flag = { batchId: '', code: upc, fileStatus: 'FileOK', proposedAction: null };
    store.acknowledge(
      { ...flag, messageId: '', status: 'RightsConflict', reason: 'Another party claims track 1.' },
      'unaddressed',
    );
    await exchange();
    const flagged = await shareOf(deliveryId);
    assert.equal(flagged.status, 'action_required');
    assert.equal(flagged.rejection_code, 'RightsConflict');

    await expect(200, 'POST', `/v1/deliveries/${deliveryId}/takedown`, {});
    await exchange();
    assert.equal((await shareOf(deliveryId)).status, 'taken_down');
    assert.equal(store.book().get(upc)?.isLive, false);

    const batches = await batchesOf(deliveryId);
    assert.deepEqual(
      batches.map(({ kind, delivery_type, state }) => [kind, delivery_type, state]),
      [
        ['deliver', 'NewReleaseDelivery', 'acknowledged'],
        ['deliver', 'ReDelivery', 'acknowledged'],
        ['takedown', 'TakeDown', 'acknowledged'],
      ],
    );
    assert.deepEqual(
      batches.map(({ files }) => files.length),
      [3, 0, 0],
      'the store kept the files of the first batch: it asked for the message only',
    );
    assert.deepEqual(
      store.history().map(({ fileStatus }) => fileStatus),
      ['FileOK', 'FileOK', 'FileOK'],
    );
    // What the partner reads of it afterwards.
    const path = `/v1/deliveries/${deliveryId}/stores/aurora/messages`;
    const { data: messages } = await expect(200, 'GET', path);
    assert.deepEqual(
      messages.map(({ type, files, acknowledgements }: Json) => [
        type,
        files.filter(({ is_sent }: Json) => is_sent).length,
        acknowledgements.map(({ answer, statuses }: Json) => `${answer}: ${statuses[0]}`),
      ]),
      [
        ['takedown', 0, ['removed: ReleaseMadeAvailableToConsumers']],
        [
          'redelivery',
          0,
          ['delivered: ReleaseMadeAvailableToConsumers', 'action_required: RightsConflict'],
        ],
        ['new_release', 3, ['rejected: ProcessingErrorAtReleaseDistributor']],
      ],
    );
    assert.match(messages[1].document.xml, /Night Drive II/);
  });

  test('a dry run shows the message that is sent then, in the dialect of the store', async () => {
    const { expect, givenRelease, deliver, driver, batchesOf, folder } = fixture;
    reactions = [];
    const { id, upc } = await givenRelease(2);
    const request = { release_id: id, stores: ['aurora'], territory_codes: ['WORLDWIDE'] };
    const { stores } = await expect(200, 'POST', '/v1/deliveries/dry_run', request);
    const deliveryId = await deliver(id);
    await driver.runUntilIdle();
    const [batch] = await batchesOf(deliveryId);
    const [file] = globSync(`${folder}/*${batch.batch_id}*/${upc}/${upc}.xml`);
    const withoutEnvelope = (xml: string) =>
      xml.replace(/<Message(Thread)?Id>[^<]*|<MessageCreatedDateTime>[^<]*/g, '');
    const sent = readFileSync(file ?? '', 'utf8');
    assert.match(sent, /PADPIDA2026020202S/);
    assert.equal(withoutEnvelope(stores[0].message.xml), withoutEnvelope(sent));
    await fixture.exchange();
  });

  test('the five tests with which a large store admits a sender', async () => {
    const { store, exchange, expect, givenRelease, deliver, shareOf } = fixture;
    reactions = [];
    const update = async (deliveryId: string, body: object = {}) => {
      await expect(200, 'POST', `/v1/deliveries/${deliveryId}/update`, body);
      await exchange();
    };
    // 1: an album is inserted.
    const album = await givenRelease(4, { title: 'Album' });
    const albumDelivery = await deliver(album.id);
    await exchange();
    assert.equal((await shareOf(albumDelivery)).status, 'delivered');
    assert.deepEqual(store.book().get(album.upc)?.tracks, [
      'Track 1',
      'Track 2',
      'Track 3',
      'Track 4',
    ]);
    // 2: a territory is added to an EP.
    const ep = await givenRelease(4, { title: 'EP', type: 'ep', territories: ['DE', 'AT'] });
    const epDelivery = await deliver(ep.id);
    await exchange();
    assert.deepEqual(store.book().get(ep.upc)?.territories, ['AT', 'DE']);
    await expect(200, 'PATCH', `/v1/releases/${ep.id}`, { territories: ['DE', 'AT', 'CH'] });
    await update(epDelivery);
    assert.equal((await shareOf(epDelivery)).status, 'delivered');
    assert.deepEqual(store.book().get(ep.upc)?.territories, ['AT', 'CH', 'DE']);
    // 3: a single is released at an instant.
    const timed = { title: 'Single', release_at: '2027-01-15T18:00:00Z' };
    const single = await givenRelease(1, timed);
    const singleDelivery = await deliver(single.id);
    await exchange();
    assert.equal((await shareOf(singleDelivery)).status, 'delivered');
    assert.equal(store.book().get(single.upc)?.start, '2027-01-15T18:00:00Z');
    // 4: the streaming rights of track 1 are removed.
    const { data } = await expect(200, 'GET', `/v1/tracks?release_id=${album.id}`);
    const track = data.find(({ title }: { title: string }) => title === 'Track 1');
    await expect(200, 'PATCH', `/v1/tracks/${track.id}`, { use_types: ['download'] });
    await update(albumDelivery);
    assert.equal((await shareOf(albumDelivery)).status, 'delivered');
    assert.deepEqual(store.book().get(album.upc)?.streamable, ['Track 2', 'Track 3', 'Track 4']);
    // 5: the album is taken down.
    await expect(200, 'POST', `/v1/deliveries/${albumDelivery}/takedown`, {});
    await exchange();
    assert.equal((await shareOf(albumDelivery)).status, 'taken_down');
    assert.equal(store.book().get(album.upc)?.isLive, false);
    assert.ok(store.history().every(({ fileStatus }) => fileStatus === 'FileOK'));
  });
});
