/** examples/catalogue-sync as a nightly job: a first run, incremental runs, a killed run, and deleted releases. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { root } from '../../../../scripts/servers/server.ts';
import { deliveredAnswer, openDeliveryFixture } from '../delivery-fixture.ts';
import { openRecordingProxy } from '../guides/recording-proxy.ts';
import { scriptStores } from '../scripted-stores.ts';
import { draft, type OrgClient } from '../test-service.ts';

describe('examples/catalogue-sync', () => {
  let fixture: Awaited<ReturnType<typeof openDeliveryFixture>>;
  let proxy: Awaited<ReturnType<typeof openRecordingProxy>>;
  let partner: OrgClient;
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-sync-'));
  const file = join(folder, 'catalogue.sqlite');
  before(async () => {
    fixture = await openDeliveryFixture();
    proxy = await openRecordingProxy(fixture.service.url);
    partner = await fixture.service.givenOrganization();
    await fixture.service.admin(
      'isrc',
      'add-registrant',
      '--org',
      partner.orgId,
      '--code',
      'QZSYN',
    );
  });
  after(async () => {
    await proxy.close();
    await fixture.close();
    rmSync(folder, { recursive: true });
  });

  /** Returns what it printed, and the requests it sent. */
  const sync = async (...args: string[]) => {
    const program = join(root, 'examples', 'catalogue-sync', 'sync.ts');
    const env = {
      ...process.env,
      TONEARM_URL: proxy.url,
      TONEARM_API_KEY: partner.key,
      PAGE_SIZE: '3',
    };
    proxy.takeAnswers();
    const { stdout } = await promisify(execFile)(process.execPath, [program, file, ...args], {
      env,
    });
    return { stdout, requests: proxy.takeAnswers().map(({ what }) => what) };
  };
  const read = (sql: string, ...values: string[]) => {
    const db = new DatabaseSync(file);
    try {
      return db.prepare(sql).all(...values) as Record<string, unknown>[];
    } finally {
      db.close();
    }
  };
  const execute = (sql: string, ...values: string[]) => {
    const db = new DatabaseSync(file);
    db.prepare(sql).run(...values);
    db.close();
  };
  const send = async (method: string, path: string, body?: object) => {
    const { status, json, text } = await partner.call(method, path, body);
    assert.ok(status < 300, text);
    return json;
  };
  const createRelease = (title: string) => send('POST', '/v1/releases', { ...draft(), title });
  const titles = () => read('select title from releases order by title').map(({ title }) => title);

  test('the first run reads everything, later runs only what changed', async () => {
    const first = await createRelease('First');
    await createRelease('Second');
    const track = await send('POST', '/v1/tracks', { release_id: first.id, title: 'One' });
    assert.match((await sync()).stdout, /^2 releases and \d+ events read/);
    assert.deepEqual(titles(), ['First', 'Second']);
    assert.deepEqual(
      read('select title, isrc from tracks').map(({ title }) => title),
      ['One'],
    );

    // Within the overlap, releases are listed again, but their tracks are not read again.
    const again = await sync();
    assert.deepEqual(
      again.requests.filter((what) => what.includes('/tracks')),
      [],
    );

    await send('PATCH', `/v1/tracks/${track.id}`, { title: 'One, again' });
    const { requests } = await sync();
    assert.deepEqual(requests.filter((what) => what.includes('/tracks')).length, 1);
    assert.ok(requests.some((what) => what.includes('updated_since=')));
    assert.deepEqual(
      read('select title from tracks').map(({ title }) => title),
      ['One, again'],
    );
  });

  test('states at stores come from the event feed, after the last event that was read', async () => {
    const { service, runUntilIdle, answer } = fixture;
    const release_id = await service.givenSubmittedRelease(partner);
    await scriptStores(partner, '*=silent', release_id);
    await runUntilIdle();
    const delivery = await send('POST', '/v1/deliveries', {
      release_id,
      stores: ['aurora'],
      territory_codes: ['WORLDWIDE'],
    });
    await runUntilIdle();
    await service.sequenceEvents();
    await sync();
    await answer({ id: delivery.id }, { aurora: deliveredAnswer }, partner);
    await service.sequenceEvents();
    const { requests } = await sync();
    const [place] = read(`select value from places where name = 'sequence'`);
    assert.ok(Number(place?.['value']) > 0);
    assert.ok(requests.some((what) => /\/v1\/events\?.*after=[1-9]/.test(what)));
    assert.deepEqual(
      read('select store_id, status from store_states').map((row) => ({ ...row })),
      [{ store_id: 'aurora', status: 'delivered' }],
    );
  });

  test('a run that was killed continues with its next page', async () => {
    for (const title of ['Third', 'Fourth', 'Fifth']) await createRelease(title);
    const { data: all } = await send('GET', '/v1/releases?limit=100');
    const page = await send('GET', '/v1/releases?limit=3');
    // As a run leaves it that was killed after its first page: only that page is written.
    execute('delete from releases');
    const run = {
      run: 'r1',
      since: null,
      cursor: page.next_cursor,
      begunAt: Date.now(),
      newest: 1,
      count: 3,
    };
    execute(`insert or replace into places values ('progress', ?)`, JSON.stringify(run));
    for (const { id } of page.data) {
      execute(`insert into releases (id, revision, title, run) values (?, 0, 'x', 'r1')`, id);
    }
    const { requests, stdout } = await sync();
    const lists = requests.filter((what) => what.startsWith('GET /v1/releases?'));
    assert.ok(
      lists.every((what) => what.includes('cursor=')),
      lists.join(),
    );
    assert.match(stdout, new RegExp(`^${all.length} releases`));
    assert.equal(read('select 1 from releases').length, all.length);
    assert.deepEqual(read(`select 1 from places where name = 'progress'`), []);
  });

  test('--full removes releases that were deleted', async () => {
    const gone = await createRelease('Gone');
    await sync();
    await send('DELETE', `/v1/releases/${gone.id}`);
    await sync();
    assert.ok(
      titles().includes('Gone'),
      'a deleted release is not listed, so only a full run notices',
    );
    await sync('--full');
    assert.ok(!titles().includes('Gone'));
  });
});
