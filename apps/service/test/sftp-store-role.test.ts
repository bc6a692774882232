/**
 * The fictional store over SFTP as a process of its own (ADR 0049), which an operator adds to the network: create, connect,
 * test, resume, first delivery; and what it knows after `kill -9`.
 */

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../scripts/servers/server.ts';
import { dispatchResumedStores } from '../src/delivery/commands/dispatch-resumed-stores.ts';
import { pollStore } from '../src/delivery/messages.ts';
import { type DdexFixture, openDdexFixture } from './ddex-fixture.ts';
import { schemaFolder } from './ddex-given.ts';
import { kill, runToExit, startSftpStore } from './processes.ts';
import { fridayAhead } from './test-service.ts';

const storeId = 'meadowlark';
const readTimeoutMs = 60_000;

describe('a store that an operator adds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-sftp-store-'));
  const sheet = (name: string) => join(folder, name);
  const connection = ['--file', sheet('connection.json'), '--secret-file', sheet('client.key')];
  let fixture: DdexFixture;
  let store: Awaited<ReturnType<typeof startSftpStore>>;
  const admin = (...argv: string[]) => fixture.service.admin('stores', ...argv);
  const create = (file = sheet('store.json')) => admin('create', '--file', file);
  const connect = () => admin('connect', '--store', storeId, ...connection);
  const description = () => JSON.parse(readFileSync(sheet('store.json'), 'utf8'));
  const described = (changes: object): string => {
    writeFileSync(sheet('other.json'), JSON.stringify({ ...description(), ...changes }));
    return sheet('other.json');
  };
  const auditRows = async () =>
    Number(
      (await fixture.service.query(`select count(*) from audit where action like 'stores.%'`))[0]
        .count,
    );
  const start = async () => {
    store = await startSftpStore(folder, { DDEX_SCHEMA_DIR: schemaFolder });
  };

  before(async () => {
    fixture = await openDdexFixture(27_522);
    await start();
  });
  after(async () => {
    await kill(store);
    await fixture.close();
    rmSync(folder, { recursive: true });
  });

  type Book = {
    readonly messages_read: number;
    readonly releases: readonly { readonly code: string; readonly status: string }[];
  };
  const readBook = async () => (await (await fetch(`${store.bookUrl}/holdings`)).json()) as Book;
  const holdings = async (): Promise<Record<string, string>> =>
    Object.fromEntries((await readBook()).releases.map(({ code, status }) => [code, status]));
  const messagesRead = async (): Promise<number> => (await readBook()).messages_read;
  /** Sends what is to be sent, waits until the store has read `count` messages, and applies its answers. */
  const exchange = async (count: number) => {
    await fixture.driver.runUntilIdle();
    await until(
      'the store has read it',
      async () => (await messagesRead()) >= count,
      readTimeoutMs,
    );
    await fixture.driver.handle(pollStore(storeId));
    await fixture.driver.runUntilIdle();
  };
  const deliver = async (releaseId: string): Promise<string> => {
    const request = { release_id: releaseId, stores: [storeId], territory_codes: ['DE', 'US'] };
    return (await fixture.expect(201, 'POST', '/v1/deliveries', request)).id;
  };

  test('is described by a file, whose mistakes are named before anything is stored', async () => {
    const refused: readonly [object, RegExp][] = [
      [{ store_id: 'Meadow Lark' }, /store_id/],
      [{ name: 'Meadow\u0000lark' }, /name must not contain/],
      [{ territory_codes: ['DE', 'XX'] }, /territory_codes/],
      [{ territory_codes: ['DE', 'DE'] }, /listed twice/],
      [{ audio_formats: ['mp3'] }, /audio_formats/],
      [{ use_types: [] }, /use_types/],
      [{ confirmation: 'maybe' }, /confirmation/],
      [{ lead_time_business_days: 61 }, /lead_time_business_days/],
      [{ max_concurrent_sends: 0 }, /max_concurrent_sends/],
      [{ colour: 'blue' }, /colour|properties/],
    ];
    for (const [changes, message] of refused)
      await assert.rejects(create(described(changes)), message);
    await assert.rejects(create(sheet('nowhere.json')), /--file: .*no such file/);
    await assert.rejects(create(described({ name: 'Aurora Music' })), /aurora has the name/);
    assert.equal((await fixture.label.call('GET', `/v1/stores/${storeId}`)).status, 404);
  });

  test('is created once, paused; the same again changes nothing, another under its id is refused', async () => {
    const earlier = await auditRows();
    assert.deepEqual(await create(), { created: true, store_id: storeId, name: 'Meadowlark' });
    const { status, territory_codes } = await fixture.expect(200, 'GET', `/v1/stores/${storeId}`);
    assert.equal(status, 'paused');
    assert.deepEqual(territory_codes, description().territory_codes);
    assert.equal((await create())['created'], false);
    assert.equal(await auditRows(), earlier + 1, 'the second has no audit row');
    await assert.rejects(
      create(described({ confirmation: 'none', territory_codes: ['DE'] })),
      /a store meadowlark already, and it differs in territory_codes, confirmation/,
    );
  });

  test('is connected, tested and resumed; then the first delivery arrives and is answered', async () => {
    const { id, upc } = await fixture.givenRelease(2, { release_date: fridayAhead() });
    await connect();
    const tested = await admin('test', '--store', storeId);
    assert.deepEqual(tested['steps'], ['connected', 'wrote', 'read', 'removed']);
    const deliveryId = await deliver(id);
    await fixture.driver.runUntilIdle();
    assert.equal((await fixture.shareOf(deliveryId)).waiting_for, 'store_paused');
    await admin('resume', '--store', storeId);
    assert.equal((await create())['created'], false, 'it is the same store');
    await dispatchResumedStores({ db: fixture.service.workerDb });
    await exchange(1);
    assert.equal((await fixture.shareOf(deliveryId)).status, 'delivered');
    assert.deepEqual(await holdings(), { [upc]: 'scheduled' });
    const table = await (await fetch(`${store.bookUrl}/holdings.txt`)).text();
    assert.match(table, /^CODE +STATUS +TRACKS +START +TERRITORIES +TITLE\n/);
    assert.match(table, new RegExp(`^${upc} +scheduled +2 +\\d{4}-\\S+ +DE US +`, 'm'));
    assert.deepEqual(readdirSync(join(folder, 'files')), ['acknowledgements'], 'it keeps no files');
    assert.equal((await fetch(`${store.bookUrl}/healthz`)).status, 200);
  });

  test('knows after kill -9 what it has, and which files it need not get again', async () => {
    const { id, upc } = await fixture.givenRelease(1, { release_date: fridayAhead() });
    const deliveryId = await deliver(id);
    const earlier = await messagesRead();
    await exchange(earlier + 1);
    const known = await holdings();
    await kill(store);
    await start();
    // Its port is another one now, as after a move.
    await connect();
    assert.deepEqual(await holdings(), known);
    assert.equal(await messagesRead(), earlier + 1);
    await fixture.expect(200, 'PATCH', `/v1/releases/${id}`, { title: 'Night Drive II' });
    await fixture.expect(200, 'POST', `/v1/deliveries/${deliveryId}/update`, {});
    await exchange(earlier + 2);
    assert.equal((await fixture.shareOf(deliveryId)).update, null);
    const batches = await fixture.batchesOf(deliveryId);
    assert.deepEqual(
      batches.map(({ kind, files, state }) => [kind, files.length, state]),
      [
        ['deliver', 2, 'acknowledged'],
        ['update', 0, 'acknowledged'],
      ],
    );
    await fixture.expect(200, 'POST', `/v1/deliveries/${deliveryId}/takedown`, {});
    await exchange(earlier + 3);
    assert.equal((await fixture.shareOf(deliveryId)).status, 'taken_down');
    assert.equal((await holdings())[upc], 'removed');
  });

  test('ends cleanly when it is asked to, and does not start in live', async () => {
    const ended = new Promise((resolve) => store.child.once('exit', resolve));
    store.child.kill('SIGTERM');
    assert.equal(await ended, 0);
    assert.match(store.log(), /"shut down"/);
    await assert.rejects(admin('test', '--store', storeId), /ECONNREFUSED/);
    const { code, stderr } = await runToExit(['sftp-store'], { TONEARM_ENVIRONMENT: 'live' });
    assert.equal(code, 1);
    assert.match(stderr, /must be sandbox: the fictional store sells nothing/);
    await start();
  });
});
