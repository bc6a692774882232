/** `deliveries purge`: an operator has one store forget a release, over real SFTP (ADR 0049). */

import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Reaction } from '../src/sandbox/connectors/sftp-store/sftp-store.ts';
import { type DdexFixture, openDdexFixture } from './ddex-fixture.ts';

const refusal: Reaction = {
  kind: 'refuse',
  status: 'ProcessingErrorAtReleaseDistributor',
  fileStatus: 'NewReleaseMessageInvalid',
  reason: 'We do not take purges.',
  proposedAction: null,
};

describe('a purge', () => {
  let fixture: DdexFixture;
  let reactions: Reaction[] = [];
  before(async () => {
    fixture = await openDdexFixture(27_622, {
      react: () => reactions.shift() ?? { kind: 'accept' },
    });
  });
  after(() => fixture.close());

  const purge = (releaseId: string, store = 'aurora', ...others: string[]) =>
    fixture.service.admin(
      'deliveries',
      'purge',
      '--org',
      fixture.label.orgId,
      '--release',
      releaseId,
      '--store',
      store,
      '--reason',
      'Delivered by mistake.',
      ...others,
    );
  const givenDelivered = async () => {
    const release = await fixture.givenRelease(1);
    const deliveryId = await fixture.deliver(release.id);
    await fixture.exchange();
    return { ...release, deliveryId };
  };
  const timelineOf = async (deliveryId: string) =>
    (await fixture.expect(200, 'GET', `/v1/deliveries/${deliveryId}/timeline`)).data;

  test('lets the store forget the release; the partner sees it in the timeline', async () => {
    const { id, upc, deliveryId } = await givenDelivered();
    const trial = await purge(id, 'aurora', '--dry-run');
    assert.equal(trial['dry_run'], true);
    await fixture.exchange();
    assert.ok(fixture.store.book().get(upc), 'a dry run sends nothing');
    const purged = await purge(id);
    await fixture.exchange();
    assert.equal(fixture.store.book().get(upc), undefined, 'the store has nothing of it');
    const [, batch] = await fixture.batchesOf(deliveryId);
    assert.deepEqual(
      [batch.kind, batch.delivery_type, batch.state, batch.files, batch.held_files],
      ['takedown', 'Purge', 'acknowledged', [], []],
    );
    const folder = join(fixture.folder, `N_${batch.batch_id}`);
    assert.equal(statSync(join(folder, `BatchComplete_${batch.batch_id}.xml`)).size, 0);
    const xml = readFileSync(join(folder, upc, `${upc}.xml`), 'utf8');
    assert.match(xml, /<ern:PurgeReleaseMessage /);
    assert.match(xml, new RegExp(`<MessageId>${purged['message_id']}</MessageId>`));
    const read = fixture.store.history().at(-1);
    assert.deepEqual(
      [read?.deliveryType, read?.fileStatus],
      ['Purge', 'FileOK'],
      read?.problem ?? '',
    );
    const share = await fixture.shareOf(deliveryId);
    assert.deepEqual([share.status, share.taken_down_by], ['taken_down', 'operator']);
    const entries = await timelineOf(deliveryId);
    const request = entries.find(({ type }: { type: string }) => type === 'takedown');
    assert.equal(request.reason, 'Purge: Delivered by mistake.');
    assert.equal(request.actor.type, 'operator');
    assert.deepEqual(
      entries.slice(0, 3).map(({ type }: { type: string }) => type),
      ['taken_down', 'takedown_dispatched', 'takedown_requested'],
    );
    const actions = await fixture.service.query(
      `select action from audit where action like '%purge' order by action`,
    );
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['deliveries.purge', 'delivery.purge'],
    );

    const again = await fixture.deliver(id);
    await fixture.exchange();
    const [redelivered] = await fixture.batchesOf(again);
    assert.equal(redelivered.files.length, 2, 'the store has no file of it any more');
    assert.equal(fixture.store.book().get(upc)?.isLive, true);
  });

  test('is never asked for twice; a store may refuse it, and then it may be asked again', async () => {
    const { id, deliveryId } = await givenDelivered();
    reactions = [refusal];
    const first = await purge(id);
    await assert.rejects(purge(id), /was asked to remove the release \(msg_.*not asked twice/);
    await fixture.exchange();
    const share = await fixture.shareOf(deliveryId);
    assert.equal(share.status, 'delivered');
    assert.equal(share.rejection_reason, 'We do not take purges.');
    const second = await purge(id);
    assert.notEqual(second['message_id'], first['message_id']);
    await fixture.exchange();
    assert.equal((await fixture.shareOf(deliveryId)).status, 'taken_down');
    await assert.rejects(purge(id), /aurora has nothing of the release/);
    assert.equal((await fixture.batchesOf(deliveryId)).length, 3, 'one for each message');
  });

  test('is refused where a takedown is right, and leaves no trace', async () => {
    const { id, deliveryId } = await givenDelivered();
    const request = { release_id: id, stores: ['indigo'], territory_codes: ['US'] };
    const elsewhere = (await fixture.expect(201, 'POST', '/v1/deliveries', request)).id;
    await fixture.driver.runUntilIdle();
    const answerPath = `/v1/sandbox/deliveries/${elsewhere}/stores/indigo/answer`;
    await fixture.expect(200, 'POST', answerPath, { answer: 'delivered' });
    const rows = () =>
      fixture.service.query('select count(*) as count from delivery_timeline').then(([row]) => row);
    const earlier = await rows();
    await assert.rejects(
      purge(id),
      /The release is live at indigo, so it is not a mistake as such\. Take it down at aurora/,
    );
    await assert.rejects(purge(id, 'indigo'), /indigo takes no DDEX messages/);
    await assert.rejects(purge(id, 'nowhere'), /No store has the store_id nowhere/);
    const draft = await fixture.givenRelease(1);
    await assert.rejects(purge(draft.id), /aurora has nothing of the release/);
    await fixture.deliver(draft.id);
    const waiting = await rows();
    await assert.rejects(purge(draft.id), /aurora has not taken the release \(pending\)/);
    assert.deepEqual(await rows(), waiting);
    assert.equal(Number(waiting.count) - Number(earlier.count), 1, 'only the new delivery');
    assert.equal((await fixture.shareOf(deliveryId)).status, 'delivered');
    await fixture.exchange();
  });
});
