/** Batches to a store that speaks DDEX, over real SFTP: crashes, order, files, and what the store answers. */

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ddexConnector } from '../src/delivery/commands/ddex-connector.ts';
import type { Reaction } from '../src/sandbox/connectors/sftp-store/sftp-store.ts';
import { acknowledgementForms } from '../src/sandbox/connectors/sftp-store/write-acknowledgement.ts';
import { type DdexFixture, openDdexFixture } from './ddex-fixture.ts';
import { openWorkerDriver } from './worker-driver.ts';

let fixture: DdexFixture;
let reactions: Reaction[] = [];
before(async () => {
  fixture = await openDdexFixture(27_322, {
    react: () => reactions.shift() ?? { kind: 'accept' },
  });
});
after(() => fixture.close());

const batchFolders = () =>
  readdirSync(fixture.folder).filter((name) => /^[NPM]_\d{17}$/.test(name));
const openBatches = async (deliveryId: string) =>
  (await fixture.batchesOf(deliveryId)).filter(({ state }) => /open|complete/.test(state));
const accept: Reaction = { kind: 'accept' };
const received: Reaction = { kind: 'receive' };
const silence: Reaction = { kind: 'silence' };

describe('a batch', () => {
  test('has the message, the files byte for byte, and a manifest that was written last', async () => {
    const { id, upc } = await fixture.givenRelease(2);
    const deliveryId = await fixture.deliver(id);
    const earlier = batchFolders();
    await fixture.driver.runUntilIdle();
    const folder = batchFolders().find((name) => !earlier.includes(name)) ?? '';
    const [batch] = await fixture.batchesOf(deliveryId);
    assert.equal(folder, `N_${batch.batch_id}`);
    assert.equal(batch.state, 'complete');
    const at = (path: string) => join(fixture.folder, folder, path);
    const xml = readFileSync(at(`${upc}/${upc}.xml`));
    assert.equal(hash('sha256', xml), batch.message_sha256);
    assert.equal(batch.files.length, 3);
    for (const { uri, sha256, size_bytes } of batch.files) {
      const bytes = readFileSync(at(`${upc}/${uri}`));
      assert.equal(hash('sha256', bytes), sha256);
      assert.equal(bytes.length, size_bytes);
    }
    const manifest = at(`BatchComplete_${batch.batch_id}.xml`);
    assert.ok(statSync(manifest).mtimeMs >= statSync(at(`${upc}/${upc}.xml`)).mtimeMs);
    const kept = await fixture.service.storage.list(`ern/${fixture.label.orgId}/`);
    assert.ok(kept.length > 0, 'the message is kept as it was sent');
    await fixture.exchange();
    assert.equal((await fixture.shareOf(deliveryId)).status, 'delivered');
  });

  test('a server killed in the middle of an upload: the next attempt continues in the same folder', async () => {
    const { id, upc } = await fixture.givenRelease(3);
    const deliveryId = await fixture.deliver(id);
    const earlier = batchFolders();
    const { storage } = fixture.deps;
    let reads = 0;
    const read: typeof storage.read = async (key) => {
      reads += 1;
      if (reads === 3) await fixture.server.kill();
      return storage.read(key);
    };
    const connector = ddexConnector({ ...fixture.deps, storage: { ...storage, read } });
    const crashing = openWorkerDriver(fixture.service, { ddex: connector });
    await assert.rejects(crashing.runUntilIdle());
    const folder = batchFolders().find((name) => !earlier.includes(name)) ?? '';
    const resources = join(fixture.folder, folder, upc, 'resources');
    const there = readdirSync(resources).filter((name) => !name.endsWith('.part'));
    assert.equal(there.length, 2, 'two files are whole');
    const written = there.map((name) => statSync(join(resources, name)).mtimeMs);
    assert.equal((await fixture.batchesOf(deliveryId))[0].state, 'open');

    await fixture.server.start();
    await wait(20);
    // The engine repeats the send; here the delivery is dispatched again.
    await fixture.service.clock.set(
      new Date(fixture.service.clock.now().getTime() + 60_000).toISOString(),
    );
    await fixture.exchange();
    assert.deepEqual(
      batchFolders().filter((name) => !earlier.includes(name)),
      [folder],
    );
    assert.deepEqual(
      there.map((name) => statSync(join(resources, name)).mtimeMs),
      written,
      'they are not sent again',
    );
    assert.equal((await fixture.batchesOf(deliveryId)).length, 1);
    assert.equal((await fixture.shareOf(deliveryId)).status, 'delivered');
    assert.equal(fixture.store.history().at(-1)?.fileStatus, 'FileOK');
  });

  test('a message that our own check refuses is not sent, and its store delivery is rejected', async () => {
    const { id } = await fixture.givenRelease(1);
    const deliveryId = await fixture.deliver(id);
    const earlier = batchFolders();
    const findSchemaErrors = async () => ['/ern:NewReleaseMessage: The value is not allowed.'];
    const connector = ddexConnector({ ...fixture.deps, findSchemaErrors });
    await openWorkerDriver(fixture.service, { ddex: connector }).runUntilIdle();
    assert.deepEqual(batchFolders(), earlier);
    const share = await fixture.shareOf(deliveryId);
    assert.equal(share.status, 'rejected');
    assert.equal(share.rejection_code, 'message_invalid');
    assert.match(share.rejection_reason, /not allowed/);
    assert.equal((await fixture.batchesOf(deliveryId))[0].state, 'refused');
    await fixture.expect(200, 'PATCH', `/v1/releases/${id}`, { title: 'Corrected' });
    await fixture.expect(200, 'POST', `/v1/releases/${id}/submit`);
    await fixture.driver.runUntilIdle();
    await fixture.expect(200, 'POST', `/v1/deliveries/${deliveryId}/resubmit`, {});
    await fixture.exchange();
    assert.equal((await fixture.shareOf(deliveryId)).status, 'delivered');
    assert.equal((await fixture.batchesOf(deliveryId))[1].delivery_type, 'NewReleaseDelivery');
  });
});

describe('the next message about a release', () => {
  const givenSilentUpdate = async () => {
    const { id, upc } = await fixture.givenRelease(2);
    const deliveryId = await fixture.deliver(id);
    await fixture.exchange();
    reactions = [silence];
    await fixture.expect(200, 'PATCH', `/v1/releases/${id}`, { title: 'Second' });
    await fixture.expect(200, 'POST', `/v1/deliveries/${deliveryId}/update`, {});
    await fixture.exchange();
    await fixture.expect(200, 'POST', `/v1/deliveries/${deliveryId}/takedown`, {});
    await fixture.exchange();
    return { upc, deliveryId };
  };

  test('waits until the store has answered the last batch', async () => {
    const { upc, deliveryId } = await givenSilentUpdate();
    const states = async () =>
      (await fixture.batchesOf(deliveryId)).map(({ kind, state }) => `${kind} ${state}`);
    assert.deepEqual(await states(), ['deliver acknowledged', 'update complete']);
    assert.equal((await openBatches(deliveryId)).length, 1);
    assert.equal((await fixture.shareOf(deliveryId)).status, 'takedown_requested');
    const last = fixture.store.history().at(-1);
    fixture.store.acknowledge({
      messageId: last?.messageId ?? '',
      batchId: last?.batchId ?? '',
      code: upc,
      status: 'ReleaseMadeAvailableToConsumers',
      fileStatus: 'FileOK',
      reason: null,
      proposedAction: null,
    });
    await fixture.exchange();
    assert.deepEqual(await states(), [
      'deliver acknowledged',
      'update acknowledged',
      'takedown acknowledged',
    ]);
    assert.equal((await fixture.shareOf(deliveryId)).status, 'taken_down');
    assert.equal(fixture.store.book().get(upc)?.isLive, false);
  });

  test('or until the batch has timed out', async () => {
    const { upc, deliveryId } = await givenSilentUpdate();
    const { clock } = fixture.service;
    await clock.set(new Date(clock.now().getTime() + 25 * 3_600_000).toISOString());
    await fixture.exchange();
    assert.deepEqual(
      (await fixture.batchesOf(deliveryId)).map(({ kind, state }) => `${kind} ${state}`),
      ['deliver acknowledged', 'update timed_out', 'takedown acknowledged'],
    );
    assert.equal(fixture.store.book().get(upc)?.isLive, false);
  });

  test('the database refuses a second open batch of a release at a store', async () => {
    const { id } = await fixture.givenRelease(1);
    const deliveryId = await fixture.deliver(id);
    reactions = [silence];
    await fixture.exchange();
    const [batch] = await fixture.batchesOf(deliveryId);
    await assert.rejects(
      fixture.service.query(
        `insert into store_batches (org_id, message_id, delivery_id, release_id, store_id, batch_id, kind, delivery_type, state, created_at)
         values ($1, gen_random_uuid(), $2, $3, 'aurora', '1', 'update', 'NewReleaseDelivery', 'open', now())`,
        [batch.org_id, batch.delivery_id, batch.release_id],
      ),
      /store_batches_unanswered/,
    );
  });
});

describe('files', () => {
  const update = async (deliveryId: string) => {
    await fixture.expect(200, 'POST', `/v1/deliveries/${deliveryId}/update`, {});
    await fixture.exchange();
  };
  const counts = async (deliveryId: string) =>
    (await fixture.batchesOf(deliveryId)).map(({ files }) => files.length);

  test('are sent only if they changed', async () => {
    const { id } = await fixture.givenRelease(2);
    const deliveryId = await fixture.deliver(id);
    await fixture.exchange();
    await fixture.expect(200, 'PATCH', `/v1/releases/${id}`, { title: 'Other Title' });
    await update(deliveryId);
    const artwork_asset_id = await fixture.givenFile('artwork');
    await fixture.expect(200, 'PATCH', `/v1/releases/${id}`, { artwork_asset_id });
    await update(deliveryId);
    assert.deepEqual(await counts(deliveryId), [3, 0, 1]);
    assert.equal((await fixture.shareOf(deliveryId)).status, 'delivered');
    assert.equal(fixture.store.history().at(-1)?.fileStatus, 'FileOK');
  });

  test('are all sent again if the store asks for them', async () => {
    const { id } = await fixture.givenRelease(1);
    const deliveryId = await fixture.deliver(id);
    reactions = [
      {
        kind: 'refuse',
        status: 'ProcessingErrorAtReleaseDistributor',
        fileStatus: 'ResourceCorrupt',
        reason: 'Track 1 is truncated.',
        proposedAction: 'ResendXmlAndResources',
      },
      accept,
    ];
    await fixture.exchange();
    await fixture.expect(200, 'PATCH', `/v1/releases/${id}`, { title: 'Again' });
    await fixture.expect(200, 'POST', `/v1/releases/${id}/submit`);
    await fixture.driver.runUntilIdle();
    await fixture.expect(200, 'POST', `/v1/deliveries/${deliveryId}/resubmit`, {});
    await fixture.exchange();
    assert.deepEqual(await counts(deliveryId), [2, 2]);
    assert.equal((await fixture.shareOf(deliveryId)).status, 'delivered');
  });
});

describe('acknowledgements', () => {
  for (const form of acknowledgementForms.filter((each) => each !== 'unaddressed')) {
    test(`in the form "${form}" are understood`, async () => {
      const { id, upc } = await fixture.givenRelease(1);
      const deliveryId = await fixture.deliver(id);
      reactions = [silence];
      await fixture.exchange();
      const last = fixture.store.history().at(-1);
      const answer = {
        messageId: last?.messageId ?? '',
        batchId: last?.batchId ?? '',
        code: upc,
        status: 'ReleaseMadeAvailableToConsumers',
        fileStatus: 'FileOK',
        reason: null,
        proposedAction: null,
      };
      fixture.store.acknowledge({ ...answer, status: 'ReleaseReceivedByReleaseDistributor' }, form);
      await fixture.exchange();
      assert.equal((await fixture.shareOf(deliveryId)).status, 'in_progress');
      fixture.store.acknowledge(answer, form);
      await fixture.exchange();
      assert.equal((await fixture.shareOf(deliveryId)).status, 'delivered');
      const [{ acknowledgements }] = await fixture.batchesOf(deliveryId);
      assert.equal(acknowledgements.length, 2);
      assert.equal(acknowledgements[0].warnings.length > 0, form !== 'standard');
    });
  }

  test('a store that only received a message has not delivered it', async () => {
    const { id } = await fixture.givenRelease(1);
    const deliveryId = await fixture.deliver(id);
    reactions = [received];
    await fixture.exchange();
    const share = await fixture.shareOf(deliveryId);
    assert.equal(share.status, 'in_progress');
    assert.notEqual(share.acknowledged_at, null);
  });

  test('broken, hostile and strange files are kept, removed at the store, and hold up no other', async () => {
    const { id, upc } = await fixture.givenRelease(1);
    const deliveryId = await fixture.deliver(id);
    const inbox = join(fixture.folder, 'acknowledgements');
    mkdirSync(inbox, { recursive: true });
    const entity = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>';
    const files = {
      'ACK_0_a.xml': 'not xml',
      'ACK_0_b.xml': entity,
      'ACK_0_c.xml':
        '<ReleaseStatus><ReleaseStatus>ReleaseMadeAvailableToConsumers</ReleaseStatus></ReleaseStatus>',
      'ACK_0_d.xml':
        '<AcknowledgementMessage><ReleaseStatus><ReleaseId><ICPN>0000000000000</ICPN></ReleaseId><ReleaseStatus>RightsConflict</ReleaseStatus></ReleaseStatus></AcknowledgementMessage>',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(inbox, name), text);
    await fixture.exchange();
    assert.deepEqual(readdirSync(inbox), []);
    assert.equal((await fixture.shareOf(deliveryId)).status, 'delivered');
    const kept = await fixture.service.storage.list('acknowledgements/aurora/');
    const digests = Object.values(files).map((text) => hash('sha256', text));
    for (const digest of digests) assert.ok(kept.some((key) => key.includes(digest)));
    assert.equal(fixture.store.book().get(upc)?.isLive, true);
  });

  test('one that is too large stays, and the others are read', async () => {
    const { id } = await fixture.givenRelease(1);
    const deliveryId = await fixture.deliver(id);
    const large = join(fixture.folder, 'acknowledgements', 'ACK_0_large.xml');
    writeFileSync(large, ' '.repeat(1_100_000));
    await fixture.exchange();
    assert.equal((await fixture.shareOf(deliveryId)).status, 'delivered');
    assert.ok(existsSync(large));
  });
});

describe('the operator', () => {
  test('tests a connection: a file is written, read and removed', async () => {
    const shown = await fixture.service.admin('stores', 'test', '--store', 'aurora');
    assert.deepEqual(shown['steps'], ['connected', 'wrote', 'read', 'removed']);
    assert.deepEqual(
      readdirSync(fixture.folder).filter((name) => name.includes('probe')),
      [],
    );
  });

  test('sees the settings, never the secret, which is sealed', async () => {
    const shown = await fixture.service.admin('stores', 'connection', '--store', 'aurora');
    assert.deepEqual(shown['settings'], fixture.connection);
    const [{ secret }] = await fixture.service.query('select secret from store_connections');
    assert.equal(secret.includes('OPENSSH'), false);
    assert.equal(JSON.stringify(shown).includes('OPENSSH'), false);
  });

  test('is told what is wrong with settings, and changes nothing', async () => {
    const file = join(fixture.server.access.root, 'wrong.json');
    const connect = (settings: unknown) => {
      writeFileSync(file, JSON.stringify(settings));
      const secret = ['--secret-file', join(fixture.server.access.root, 'secret')];
      const flags = ['--store', 'aurora', '--file', file, ...secret];
      return fixture.service.admin('stores', 'connect', ...flags);
    };
    const { connection } = fixture;
    const transport = { ...(connection.transport as object), folder: '../other' };
    await assert.rejects(connect({ ...connection, recipients: [] }), /recipients/);
    await assert.rejects(connect({ ...connection, transport }), /transport/);
    await assert.rejects(connect({ ...connection, ftp: true }), /file|ftp/i);
    const shown = await fixture.service.admin('stores', 'connection', '--store', 'aurora');
    assert.deepEqual(shown['settings'], connection);
  });

  test('a second `stores seed` leaves the store connected', async () => {
    await fixture.service.admin('stores', 'seed');
    const [{ connector }] = await fixture.service.query(
      `select connector from stores where store_id = 'aurora'`,
    );
    assert.equal(connector, 'ddex');
  });
});
