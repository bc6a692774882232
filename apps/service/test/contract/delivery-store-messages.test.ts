/** GET /v1/deliveries/{id}/stores/{store_id}/messages: contract §1, §4, §5, §7 (ADR 0050). */

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { recordAnswers } from '../../src/delivery/commands/record-answers.ts';
import { answerKey, messageKey } from '../../src/delivery/connectors/ddex/kept-messages.ts';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { interactiveTimeouts, openS3 } from '../../src/platform/storage/s3-storage.ts';
import type { Reaction } from '../../src/sandbox/connectors/sftp-store/sftp-store.ts';
import { type DdexFixture, openDdexFixture } from '../ddex-fixture.ts';
import { codeOf, withoutRequestIds } from '../delivery-fixture.ts';
import type { Reply } from '../test-service.ts';

type Json = Reply['json'];

const refusal: Reaction = {
  kind: 'refuse',
  status: 'ProcessingErrorAtReleaseDistributor',
  fileStatus: 'ResourceCorrupt',
  reason: 'Track 1 is truncated.',
  proposedAction: 'ResendXmlOnly',
};
const silence: Reaction = { kind: 'silence' };

let fixture: DdexFixture;
let reactions: Reaction[] = [];
let journey: Awaited<ReturnType<typeof makeJourney>>;
before(async () => {
  fixture = await openDdexFixture(27_922, { react: () => reactions.shift() ?? { kind: 'accept' } });
  journey = await makeJourney();
});
after(() => fixture.close());

/** Rejected, delivered again, updated and taken down. */
async function makeJourney() {
  const { id, upc } = await fixture.givenRelease(2);
  reactions = [refusal];
  const deliveryId = await fixture.deliver(id);
  await fixture.exchange();
  await fixture.expect(200, 'PATCH', `/v1/releases/${id}`, { title: 'Corrected' });
  await fixture.expect(200, 'POST', `/v1/releases/${id}/submit`);
  await fixture.driver.runUntilIdle();
  await fixture.expect(200, 'POST', `/v1/deliveries/${deliveryId}/resubmit`, {});
  await fixture.exchange();
  await retitle(id, deliveryId, 'Once More');
  await fixture.exchange();
  await fixture.expect(200, 'POST', `/v1/deliveries/${deliveryId}/takedown`, {});
  await fixture.exchange();
  return { upc, deliveryId };
}

const pathOf = (id: string, storeId = 'aurora') =>
  `/v1/deliveries/${id}/stores/${storeId}/messages`;
const messagesOf = async (id: string, query = '', storeId = 'aurora'): Promise<Json[]> =>
  (await fixture.expect(200, 'GET', pathOf(id, storeId) + query)).data;
const onlyMessageOf = async (id: string): Promise<Json> => {
  const messages = await messagesOf(id);
  assert.equal(messages.length, 1);
  return messages[0];
};
const givenDelivered = async () => {
  const release = await fixture.givenRelease(1);
  const deliveryId = await fixture.deliver(release.id);
  await fixture.exchange();
  return { release, deliveryId };
};
const retitle = async (releaseId: string, deliveryId: string, title: string): Promise<void> => {
  await fixture.expect(200, 'PATCH', `/v1/releases/${releaseId}`, { title });
  await fixture.expect(200, 'POST', `/v1/deliveries/${deliveryId}/update`, {});
};
const receive = async (name: string, xml: string): Promise<void> => {
  const inbox = join(fixture.folder, 'acknowledgements');
  mkdirSync(inbox, { recursive: true });
  writeFileSync(join(inbox, name), xml);
  await fixture.exchange();
};
const report = (code: string, messageId: string, status: string) =>
  `<ReleaseStatus><ReleaseId><ICPN>${code}</ICPN></ReleaseId><ReleaseStatus>${status}</ReleaseStatus>
   <Acknowledgement><MessageId>${messageId}</MessageId></Acknowledgement></ReleaseStatus>`;

describe('contract §4: what was sent, what came back, hashes', () => {
  test('newest first: each message byte for byte, its files, and the answers of the store', async () => {
    const { upc, deliveryId } = journey;
    const messages = await messagesOf(deliveryId);
    assert.deepEqual(
      messages.map(({ type, status, acknowledgements: [{ answer }] }) => [type, status, answer]),
      [
        ['takedown', 'answered', 'removed'],
        ['update', 'answered', 'delivered'],
        ['redelivery', 'answered', 'delivered'],
        ['new_release', 'answered', 'rejected'],
      ],
    );
    const batches = (await fixture.batchesOf(deliveryId)).toReversed();
    for (const [i, message] of messages.entries()) {
      assert.equal(message.batch_id, batches[i].batch_id);
      const [file] = globSync(`${fixture.folder}/N_${message.batch_id}/${upc}/${upc}.xml`);
      assert.equal(message.document.xml, readFileSync(file ?? '', 'utf8'), 'as it is at the store');
      assert.equal(message.document.sha256, hash('sha256', message.document.xml));
      assert.equal(message.document.size_bytes, Buffer.byteLength(message.document.xml));
      assert.match(message.document.xml, new RegExp(message.id));
      assert.deepEqual(
        [message.format, message.ern_version, message.document.unavailable_reason],
        ['ern', '4.3.2', null],
      );
      for (const { file: answer } of message.acknowledgements) {
        assert.equal(answer.sha256, hash('sha256', answer.xml));
        assert.match(answer.xml, new RegExp(message.id));
      }
    }
    const [takedown, , redelivery, first] = messages;
    assert.deepEqual(takedown.files, []);
    const sentOf = ({ files }: Json) => files.map(({ is_sent }: Json) => is_sent);
    assert.deepEqual(sentOf(first), [true, true, true]);
    assert.deepEqual(sentOf(redelivery), [false, false, false], 'the store kept them');
    for (const { asset_id, uri, sha256, size_bytes } of first.files) {
      const asset = await fixture.expect(200, 'GET', `/v1/assets/${asset_id}`);
      assert.deepEqual([sha256, size_bytes], [asset.sha256, asset.size_bytes]);
      const bytes = readFileSync(`${fixture.folder}/N_${first.batch_id}/${upc}/${uri}`);
      assert.equal(hash('sha256', bytes), sha256);
    }
    const [{ file, received_at: _, ...refused }] = first.acknowledgements;
    assert.deepEqual(refused, {
      about: 'message',
      answer: 'rejected',
      statuses: ['ProcessingErrorAtReleaseDistributor', 'ResourceCorrupt'],
      reason: 'Track 1 is truncated.',
      proposed_action: 'ResendXmlOnly',
    });
    assert.deepEqual(file.warnings, []);
  });

  test('an answer that names only the release is with the last message; the next message still waits', async () => {
    const { release, deliveryId } = await givenDelivered();
    reactions = [silence];
    await retitle(release.id, deliveryId, 'Second');
    await fixture.exchange();
    const flag = { fileStatus: 'FileOK', reason: 'A claim.', proposedAction: null, batchId: '' };
    fixture.store.acknowledge(
      { ...flag, messageId: '', code: release.upc, status: 'RightsConflict' },
      'unaddressed',
    );
    await fixture.exchange();
    await fixture.expect(200, 'POST', `/v1/deliveries/${deliveryId}/takedown`, {});
    await fixture.exchange();
    const [takedown, update] = await messagesOf(deliveryId);
    assert.equal(update.status, 'sent');
    const [{ about, answer, statuses, reason, file }] = update.acknowledgements;
    assert.deepEqual(
      [about, answer, statuses, reason],
      ['release', 'action_required', ['RightsConflict', 'FileOK'], 'A claim.'],
    );
    assert.equal(file.sha256, hash('sha256', file.xml));
    const { id: _, created_at: _at, revision: _revision, ...waiting } = takedown;
    assert.deepEqual(waiting, {
      type: 'takedown',
      status: 'waiting',
      format: 'ern',
      ern_version: null,
      delivery_type: null,
      batch_id: null,
      sent_at: null,
      document: null,
      files: [],
      acknowledgements: [],
    });
  });

  test('a simulated store is sent nothing: the messages have its answers, and no file', async () => {
    const release = await fixture.givenRelease(1);
    const request = { release_id: release.id, stores: ['cascade'], territory_codes: ['WORLDWIDE'] };
    const { id } = await fixture.expect(201, 'POST', '/v1/deliveries', request);
    await fixture.driver.runUntilIdle();
    const [sent] = await messagesOf(id, '', 'cascade');
    assert.deepEqual([sent.type, sent.status, sent.format], ['new_release', 'sent', 'simulated']);
    const rejection = { code: 'metadata_error', reason: 'The title is wrong.' };
    await recordAnswers(fixture.deps, [{ messageId: sent.id, kind: 'rejected', rejection }]);
    await fixture.driver.runUntilIdle();
    await fixture.expect(200, 'POST', `/v1/deliveries/${id}/resubmit`, { force: true });
    await fixture.driver.runUntilIdle();
    const [again, first] = await messagesOf(id, '', 'cascade');
    assert.deepEqual([again.type, again.status], ['redelivery', 'sent']);
    assert.deepEqual(first, {
      ...sent,
      status: 'answered',
      acknowledgements: [
        {
          received_at: fixture.service.clock.now().toISOString(),
          about: 'message',
          answer: 'rejected',
          statuses: ['metadata_error'],
          reason: 'The title is wrong.',
          proposed_action: null,
          file: null,
        },
      ],
    });
    const nothing = { document: null, ern_version: null, batch_id: null, sent_at: null, files: [] };
    assert.deepEqual({ ...first, ...nothing }, first);
  });

  test('nothing of the store’s connection is shown', async () => {
    const { text } = await fixture.label.call('GET', pathOf(journey.deliveryId));
    const { host, user, host_key } = fixture.connection.transport as unknown as Record<
      'host' | 'user' | 'host_key',
      string
    >;
    for (const secret of [host, user, host_key, fixture.folder, fixture.label.orgId]) {
      assert.equal(text.includes(secret), false, secret);
    }
  });
});

describe('contract §1: a page of messages', () => {
  test('by cursor, each message once', async () => {
    const { deliveryId } = journey;
    const all = await messagesOf(deliveryId);
    assert.equal(all.length, 4);
    const paged: Json[] = [];
    let query = '?limit=1';
    for (;;) {
      const page = await fixture.expect(200, 'GET', pathOf(deliveryId) + query);
      paged.push(...page.data);
      assert.equal(page.has_more, page.next_cursor !== null);
      if (page.next_cursor === null) break;
      query = `?limit=1&cursor=${page.next_cursor}`;
    }
    assert.deepEqual(paged, all);
    const { next_cursor } = await fixture.expect(200, 'GET', `${pathOf(deliveryId)}?limit=1`);
    const other = await fixture.deliver((await fixture.givenRelease(1)).id);
    const refused = await fixture.label.call('GET', `${pathOf(other)}?cursor=${next_cursor}`);
    assert.deepEqual(codeOf(refused), [400, 'invalid_cursor']);
  });

  test('ends early if its messages are large, and continues there', async () => {
    const { release, deliveryId } = await givenDelivered();
    await retitle(release.id, deliveryId, 'Second');
    await fixture.exchange();
    // As if a store had answered a message 50 times with 30 KB of words.
    const [{ acknowledgements }] = await fixture.batchesOf(deliveryId);
    const answer = { ...acknowledgements[0], reason: 'x'.repeat(30_000), is_readable: false };
    await fixture.service.query(
      'update store_batches set acknowledgements = $2 where delivery_id = $1',
      [toUuid(deliveryId as Id<'dlv'>), JSON.stringify(Array.from({ length: 50 }, () => answer))],
    );
    const first = await fixture.expect(200, 'GET', pathOf(deliveryId));
    assert.deepEqual([first.data.length, first.has_more], [1, true]);
    const query = `?cursor=${first.next_cursor}`;
    const second = await fixture.expect(200, 'GET', pathOf(deliveryId) + query);
    assert.deepEqual([second.data.length, second.has_more], [1, false]);
    assert.deepEqual([first.data[0].type, second.data[0].type], ['update', 'new_release']);
  });
});

describe('contract §4: a file that is not in the answer says why', () => {
  test('too large: it has a signed URL; damaged or missing: never a 500', async () => {
    const { deliveryId } = await givenDelivered();
    const sent = await onlyMessageOf(deliveryId);
    const setBytes = (bytes: number) =>
      fixture.service.query('update store_batches set message_bytes = $2 where delivery_id = $1', [
        toUuid(deliveryId as Id<'dlv'>),
        bytes,
      ]);
    await setBytes(300_000);
    const { document: large } = await onlyMessageOf(deliveryId);
    assert.deepEqual([large.xml, large.unavailable_reason], [null, null]);
    const answer = await fetch(large.download.url);
    assert.equal(hash('sha256', await answer.text()), sent.document.sha256);
    assert.ok(large.download.expires_at > fixture.service.clock.now().toISOString());

    await setBytes(sent.document.size_bytes);
    const { storage } = fixture.service;
    const orgId = fixture.label.orgId as Id<'org'>;
    const [{ file }] = sent.acknowledgements;
    await storage.copy(answerKey(orgId, sent.id, file.sha256), messageKey(orgId, sent.id));
    await storage.remove(answerKey(orgId, sent.id, file.sha256));
    const { document, acknowledgements } = await onlyMessageOf(deliveryId);
    assert.deepEqual(
      [document.xml, document.download, document.unavailable_reason],
      [null, null, 'damaged'],
    );
    assert.equal(acknowledgements[0].file.unavailable_reason, 'missing');
    assert.equal(acknowledgements[0].answer, 'delivered', 'what it said is recorded');
  });

  test('shared: a file about several releases shows each only what is said about it', async () => {
    const shares = [];
    for (const status of ['ReleaseMadeAvailableToConsumers', 'RightsConflict']) {
      const { id, upc } = await fixture.givenRelease(1);
      reactions = [silence];
      const deliveryId = await fixture.deliver(id);
      await fixture.exchange();
      const [{ id: messageId }] = await messagesOf(deliveryId);
      shares.push({ deliveryId, status, report: report(upc, messageId, status) });
    }
    const reports = shares.map((each) => each.report).join('');
    await receive('ACK_daily.xml', `<AcknowledgementMessage>${reports}</AcknowledgementMessage>`);
    for (const { deliveryId, status } of shares) {
      const reply = await fixture.label.call('GET', pathOf(deliveryId));
      const [{ acknowledgements }] = reply.json.data;
      assert.equal(acknowledgements.length, 1);
      const [{ statuses, file }] = acknowledgements;
      assert.deepEqual(statuses, [status]);
      assert.deepEqual(
        [file.name, file.xml, file.download, file.unavailable_reason, file.warnings],
        [null, null, null, 'shared', []],
      );
      for (const other of shares.filter((each) => each.deliveryId !== deliveryId)) {
        assert.equal(reply.text.includes(other.status), false);
      }
    }
  });

  test('shared: a file that names a message of another organization', async () => {
    const { id, upc } = await fixture.givenRelease(1);
    reactions = [silence];
    const deliveryId = await fixture.deliver(id);
    await fixture.exchange();
    const { id: messageId } = await onlyMessageOf(deliveryId);
    const stranger = await fixture.service.givenOrganization();
    const foreign = fixture.deps.newId('msg');
    await fixture.service.query(
      `insert into store_messages (id, org_id, delivery_id, store_id) values ($1, $2, gen_random_uuid(), 'aurora')`,
      [toUuid(foreign), toUuid(stranger.orgId as Id<'org'>)],
    );
    const own = report(upc, messageId, 'ReleaseMadeAvailableToConsumers');
    await receive(
      'ACK_two.xml',
      `<AcknowledgementMessage><Note>${foreign}</Note>${own}</AcknowledgementMessage>`,
    );
    const { acknowledgements } = await onlyMessageOf(deliveryId);
    assert.deepEqual(
      [acknowledgements[0].answer, acknowledgements[0].file.unavailable_reason],
      ['delivered', 'shared'],
    );
  });

  test('contract §7: if the storage does not answer it is 503 with Retry-After', async (t) => {
    const credentials = { accessKeyId: 'x', secretAccessKey: 'x' };
    const nowhere = { bucket: 'none', region: 'us-east-1', endpoint: 'http://127.0.0.1:1' };
    const away = openS3({ ...nowhere, credentials }, interactiveTimeouts);
    t.after(() => away.close());
    t.mock.method(fixture.service.storage, 'find', away.find);
    const reply = await fixture.label.call('GET', pathOf(journey.deliveryId));
    assert.deepEqual(codeOf(reply), [503, 'service_unavailable']);
    assert.ok(Number(reply.headers.get('retry-after')) > 0);
  });
});

describe('contract §5: access to messages', () => {
  const unknown = 'dlv_01h455vb4pex5vsknk084sn02q';

  test('another organization’s delivery answers as an unknown one, byte for byte', async () => {
    const stranger = await fixture.service.givenOrganization();
    const foreign = await stranger.call('GET', pathOf(journey.deliveryId));
    const notFound = await stranger.call('GET', pathOf(unknown));
    assert.deepEqual(codeOf(foreign), [404, 'resource_not_found']);
    assert.equal(withoutRequestIds(foreign), withoutRequestIds(notFound));
    const malformed = await stranger.call('GET', pathOf('dlv_x'));
    assert.equal(withoutRequestIds(malformed), withoutRequestIds(notFound));
  });

  test('a store that is not in the delivery, or is none: 404', async () => {
    for (const storeId of ['cascade', 'nowhere', '%00', 'A B']) {
      const reply = await fixture.label.call(
        'GET',
        pathOf(journey.deliveryId, encodeURIComponent(storeId)),
      );
      assert.deepEqual(codeOf(reply), [404, 'resource_not_found'], storeId);
    }
  });

  test('it needs deliveries:read', async () => {
    const writer = await fixture.service.givenOrganization({ scopes: 'deliveries:write' });
    assert.deepEqual(codeOf(await writer.call('GET', pathOf(unknown))), [
      403,
      'insufficient_scope',
    ]);
  });
});
