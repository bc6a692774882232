/** Acknowledgements that a store should not have sent, over real SFTP: none holds up another, and the operator sees each. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { S3ServiceException } from '@aws-sdk/client-s3';
import { receiveFiles } from '../src/delivery/commands/receive-acknowledgements.ts';
import { pollStore } from '../src/delivery/messages.ts';
import { listWaitingBatches } from '../src/delivery/store/batches.ts';
import { listFailingStores } from '../src/delivery/store/store-polls.ts';
import { countUnusable } from '../src/delivery/store/unusable-acknowledgements.ts';
import { type Id, toUuid } from '../src/kernel/ids.ts';
import { findStore } from '../src/network/face.ts';
import { contactFailureOf } from '../src/platform/transport/contact-failure.ts';
import { openTransport } from '../src/platform/transport/open-transport.ts';
import {
  type Acknowledgement,
  writeAcknowledgement,
} from '../src/sandbox/connectors/sftp-store/write-acknowledgement.ts';
import { type DdexFixture, openDdexFixture } from './ddex-fixture.ts';
import type { Json } from './delivery-fixture.ts';
import { sftpSettings } from './sftp-fixture.ts';

const other = 'cascade';
let fixture: DdexFixture;
let inbox: string;
before(async () => {
  fixture = await openDdexFixture(27_325, { react: () => ({ kind: 'silence' }) });
  inbox = join(fixture.folder, 'acknowledgements');
  mkdirSync(inbox, { recursive: true });
});
after(() => fixture.close());
beforeEach(async () => {
  for (const name of readdirSync(inbox)) rmSync(join(inbox, name));
  await fixture.service.admin('stores', 'dismiss', '--store', 'aurora');
});

// The type of what a command shows is a record of texts.
const health = async () =>
  (await fixture.service.admin('stores', 'health', '--store', 'aurora')) as Json;
const unusable = async (): Promise<Record<string, string>> => {
  const files: Json[] = (await health()).unusable_acknowledgements;
  return Object.fromEntries(files.map(({ name, problem }) => [name, problem]));
};
const put = (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(inbox, name), text);
};

/** Another store, in another folder of the same server. */
const connectOther = async (): Promise<string> => {
  const { root } = fixture.server.access;
  const transport = { ...(fixture.connection.transport as object), folder: other };
  writeFileSync(join(root, 'other.json'), JSON.stringify({ ...fixture.connection, transport }));
  const files = ['--file', join(root, 'other.json'), '--secret-file', join(root, 'secret')];
  await fixture.service.admin('stores', 'connect', '--store', other, ...files);
  mkdirSync(join(root, other, 'acknowledgements'), { recursive: true });
  return join(root, other);
};

/** A delivery that waits for the store's answer, and the answer that makes it live. */
const givenWaiting = async () => {
  const { id, upc } = await fixture.givenRelease(1);
  const deliveryId = await fixture.deliver(id);
  await fixture.exchange();
  const last = fixture.store.history().at(-1);
  const answer: Omit<Acknowledgement, 'createdAt'> = {
    messageId: last?.messageId ?? '',
    batchId: last?.batchId ?? '',
    code: upc,
    status: 'ReleaseMadeAvailableToConsumers',
    fileStatus: 'FileOK',
    reason: null,
    proposedAction: null,
  };
  return { deliveryId, answer };
};
const statusOf = async (deliveryId: string) => (await fixture.shareOf(deliveryId)).status;

describe('files that cannot be used', () => {
  test('300 that are too large or no XML hold up no answer behind them, and are counted once', async () => {
    const { deliveryId, answer } = await givenWaiting();
    for (let i = 0; i < 210; i++) {
      const large = join(inbox, `ACK_0_${i}.xml`);
      writeFileSync(large, '');
      truncateSync(large, 1_048_577);
    }
    put(Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`ACK_0_${i}.txt`, 'notes'])));
    fixture.store.acknowledge(answer);
    await fixture.exchange();
    assert.equal(await statusOf(deliveryId), 'delivered');
    for (let round = 0; round < 3; round++) await fixture.poll();
    const [counted] = await countUnusable(fixture.deps.db.withoutTenant);
    assert.deepEqual(counted, { store_id: 'aurora', count: 210 });
    const { unusable_acknowledgements: shown } = await health();
    const [first] = shown;
    assert.equal(shown.length, 100);
    assert.equal(first.problem, 'too_large');
    assert.equal(first.size_bytes, 1_048_577);
    assert.match(first.reason, /still at the store/);
    assert.ok(existsSync(join(inbox, 'ACK_0_0.xml')));
  });

  test('hostile, broken and strange ones are kept and listed; one with processing instructions is read', async () => {
    const { deliveryId, answer } = await givenWaiting();
    const laughs = `<!DOCTYPE a [<!ENTITY b "${'&c;'.repeat(9)}"><!ENTITY c "x">]><a>&b;</a>`;
    put({
      'ACK_0_bomb.xml': laughs,
      'ACK_0_deep.xml': '<a>'.repeat(9_000) + '</a>'.repeat(9_000),
      'ACK_0_empty.xml': '',
      'ACK_0_strange.xml': '<AcknowledgementMessage/>',
      'ACK_0_unknown.xml':
        '<AcknowledgementMessage><ReleaseStatus><ReleaseId><ICPN>0000000000000</ICPN></ReleaseId><ReleaseStatus>RightsConflict</ReleaseStatus></ReleaseStatus></AcknowledgementMessage>',
      'ACK_0_wide.xml': `<a>${'<b/>'.repeat(30_000)}</a>`,
      'ACK_1.xml': `<?a?><acknowledgement><?b?><releasestatus><?c?><messageid>${answer.messageId}</messageid><releasestatus>${answer.status}</releasestatus></releasestatus></acknowledgement>`,
    });
    await fixture.exchange();
    assert.equal(await statusOf(deliveryId), 'delivered');
    assert.deepEqual(readdirSync(inbox), []);
    const found = await unusable();
    assert.equal(found['ACK_0_bomb.xml'], 'not_understood');
    assert.equal(found['ACK_0_deep.xml'], 'not_understood');
    assert.equal(found['ACK_0_empty.xml'], 'not_understood');
    assert.equal(found['ACK_0_wide.xml'], 'not_understood');
    assert.equal(found['ACK_0_unknown.xml'], 'unmatched');
    assert.equal(found['ACK_1.xml'], undefined);
    await fixture.service.admin(
      'stores',
      'dismiss',
      '--store',
      'aurora',
      '--name',
      'ACK_0_bomb.xml',
    );
    assert.equal((await unusable())['ACK_0_bomb.xml'], undefined);
    assert.equal((await unusable())['ACK_0_deep.xml'], 'not_understood');
  });

  test('ten thousand statuses fill no row', async () => {
    const { deliveryId, answer } = await givenWaiting();
    const statuses = Array.from(
      { length: 4_000 },
      (_, i) => `<MessageStatus><Status>Odd${'x'.repeat(100)}${i}</Status></MessageStatus>`,
    ).join('');
    put({
      'ACK_1.xml': `<AcknowledgementMessage><ReleaseStatus><ReleaseId><ICPN>${answer.code}</ICPN></ReleaseId><ReleaseStatus>${answer.status}</ReleaseStatus><Acknowledgement><MessageId>${answer.messageId}</MessageId>${statuses}</Acknowledgement></ReleaseStatus></AcknowledgementMessage>`,
    });
    await fixture.exchange();
    assert.equal(await statusOf(deliveryId), 'delivered');
    const [batch] = await fixture.batchesOf(deliveryId);
    assert.equal(JSON.stringify(batch.acknowledgements).length < 20_000, true);
  });

  test('one that may not be read or removed stays, is listed, and the others are read', async () => {
    const { deliveryId, answer } = await givenWaiting();
    put({ 'ACK_0_locked.xml': '<a/>', 'ACK_0_mine.xml': '<a/>' });
    fixture.store.acknowledge(answer);
    const { deps, server } = fixture;
    const settings = { kind: 'sftp', ...sftpSettings(server, 'aurora') } as const;
    const { signal } = new AbortController();
    const real = await openTransport(settings, signal);
    const denied = (isDenied: boolean) => {
      if (isDenied) throw new Error('Permission denied');
    };
    const transport: typeof real = {
      ...real,
      read: async (path, bytesMax) => {
        denied(path.includes('locked'));
        return real.read(path, bytesMax);
      },
      remove: async (path) => {
        denied(path.includes('mine'));
        return real.remove(path);
      },
    };
    const store = await findStore(deps.db.withoutTenant, 'aurora');
    assert.ok(store);
    const folder = 'acknowledgements';
    const poll = { deps, store, transport, folder, signal };
    assert.equal(await receiveFiles(poll, await real.list(folder, 100)), false);
    await real.close();
    await fixture.driver.runUntilIdle();
    assert.equal(await statusOf(deliveryId), 'delivered');
    assert.deepEqual(readdirSync(inbox), ['ACK_0_locked.xml', 'ACK_0_mine.xml']);
    assert.deepEqual(await unusable(), {
      'ACK_0_locked.xml': 'not_readable',
      'ACK_0_mine.xml': 'not_removable',
    });
    await fixture.exchange();
    assert.deepEqual(readdirSync(inbox), []);
  });
});

describe('two stores', () => {
  test('thousands of wrong values at one: the answers of the other are read meanwhile', async () => {
    const { answer, deliveryId } = await givenWaiting();
    const folder = await connectOther();
    const status = '<MessageStatus><Status>Odd</Status></MessageStatus>';
    const hostile = writeAcknowledgement('standard', { ...answer, createdAt: new Date() }).replace(
      /<MessageStatus>.*<\/MessageStatus>/,
      status.repeat(9_000),
    );
    put({ 'ACK_1.xml': hostile, 'ACK_2.xml': hostile.replace('Odd', 'Odder') });
    const strange = join(folder, 'acknowledgements', 'ACK_1.xml');
    writeFileSync(strange, '<a/>');
    const ended: string[] = [];
    const pollOf = async (storeId: string) => {
      await fixture.driver.handle(pollStore(storeId));
      ended.push(storeId);
    };
    const start = process.threadCpuUsage();
    await Promise.all([pollOf('aurora'), pollOf(other)]);
    const { user, system } = process.threadCpuUsage(start);
    assert.deepEqual(ended, [other, 'aurora']);
    assert.equal(existsSync(strange), false);
    assert.ok((user + system) / 1_000 < 2_000, `${(user + system) / 1_000} ms of the main thread`);
    await fixture.driver.runUntilIdle();
    assert.notEqual(await statusOf(deliveryId), 'queued');
    const [batch] = await fixture.batchesOf(deliveryId);
    // A slow machine reaches the deadline of the comparison with the schema first.
    assert.match(batch.acknowledgements[0].warnings[0], /The value 'Odd' is not|too many errors/);
  });
});

describe('a store that is not reached', () => {
  const failing = async () => {
    const stores = await listFailingStores(fixture.deps.db.withoutTenant);
    return stores.map(({ store_id, failure }) => [store_id, failure]);
  };
  const connect = async (change: object, secretFile = 'secret') => {
    const transport = { ...(fixture.connection.transport as object), ...change };
    const file = join(fixture.server.access.root, 'changed.json');
    writeFileSync(file, JSON.stringify({ ...fixture.connection, transport }));
    const secret = join(fixture.server.access.root, secretFile);
    const flags = ['--store', 'aurora', '--file', file, '--secret-file', secret];
    await fixture.service.admin('stores', 'connect', ...flags);
  };
  const pollFails = () => assert.rejects(fixture.poll());

  test('is told apart by what an operator must do, and is healthy again when it answers', async () => {
    const { clock } = fixture.service;
    await connect({ host_key: `SHA256:${'A'.repeat(43)}` });
    await pollFails();
    assert.deepEqual(await failing(), [['aurora', 'host_key_wrong']]);
    const first = await health();
    assert.match(first.reason, /the host key of .* is SHA256:/);
    await connect({ port: 1 });
    await clock.set(new Date(clock.now().getTime() + 60_000).toISOString());
    await pollFails();
    assert.deepEqual(await failing(), [['aurora', 'unreachable']]);
    assert.deepEqual((await health()).failing_since, first.failing_since, 'of the first');
    const wrong = join(fixture.server.access.root, 'wrong-key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', wrong]);
    await connect({}, 'wrong-key');
    await pollFails();
    assert.deepEqual(await failing(), [['aurora', 'credentials_refused']]);
    writeFileSync(wrong, 'no key');
    await connect({}, 'wrong-key');
    await pollFails();
    assert.deepEqual(await failing(), [['aurora', 'misconfigured']]);
    await connect({});
    await fixture.poll();
    assert.deepEqual(await failing(), []);
    const { failing_since, failure, reached_at } = await health();
    assert.deepEqual([failing_since, failure], [null, null]);
    assert.notEqual(reached_at, null);
  });

  test('a bucket that refuses our keys, or is not there, is told apart too', () => {
    const refused = (httpStatusCode: number) =>
      contactFailureOf(
        new S3ServiceException({
          name: 'AccessDenied',
          $fault: 'client',
          $metadata: { httpStatusCode },
        }),
      );
    assert.deepEqual([403, 404, 503].map(refused), [
      'credentials_refused',
      'misconfigured',
      'unreachable',
    ]);
  });
});

describe('batches that wait', () => {
  test('one that is still being sent, and one that the store should have answered', async () => {
    const { deliveryId } = await givenWaiting();
    const waiting = async () => {
      const all = await listWaitingBatches(fixture.deps.db.withoutTenant);
      return all.find(({ store_id }) => store_id === 'aurora');
    };
    const change = (assignment: string) =>
      fixture.service.query(`update store_batches set ${assignment} where delivery_id = $1`, [
        toUuid(deliveryId as Id<'dlv'>),
      ]);
    await fixture.service.query(
      `update store_batches set state = 'acknowledged' where state = 'complete' and delivery_id <> $1`,
      [toUuid(deliveryId as Id<'dlv'>)],
    );
    await change(`completed_at = now() - interval '23 hours', created_at = now()`);
    assert.equal((await waiting())?.overdue_since ?? null, null);
    await change(`completed_at = now() - interval '25 hours'`);
    const { overdue_since } = (await waiting())!;
    assert.ok(Math.abs(Date.now() - overdue_since!.getTime() - 3_600_000) < 60_000);
    await change(`state = 'open', created_at = now() - interval '3 hours'`);
    const { open_since } = (await waiting())!;
    assert.ok(Math.abs(Date.now() - open_since!.getTime() - 3 * 3_600_000) < 60_000);
    await change(`state = 'acknowledged'`);
    assert.equal(await waiting(), undefined);
  });
});
