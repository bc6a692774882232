/** While storage is unavailable, the examination of a file frees its lane and is retried by a timer. */

import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../scripts/servers/server.ts';
import { assetWorkflow } from '../src/assets/workflows/assets.ts';
import { reconcileTimers } from '../src/platform/engine/timers.ts';
import { type Storage, StorageUnavailable } from '../src/platform/storage/storage.ts';
import { waitUntilProcessed, uploadAsset, toneWav } from './asset-files.ts';
import { kill, type RoleProcess, startRelay } from './processes.ts';
import { openServiceWithEngine } from './service-with-engine.ts';
import type { OrgClient } from './test-service.ts';

describe('storage that is unavailable', () => {
  let stack: Awaited<ReturnType<typeof openServiceWithEngine>>;
  let relay: RoleProcess;
  let partner: OrgClient;
  let isUnavailable = true;
  let findCalls = 0;
  before(async () => {
    stack = await openServiceWithEngine(26_380);
    const { storage } = stack.service;
    const unreliable: Storage = {
      ...storage,
      find: async (key) => {
        findCalls++;
        if (isUnavailable) throw new StorageUnavailable('unavailable');
        return storage.find(key);
      },
    };
    await stack.serve(
      [assetWorkflow({ storage: unreliable, scratchFolder: tmpdir() }, 3)],
      'unreliable',
    );
    relay = await startRelay(stack.service.database, stack.urls);
    partner = await stack.service.givenOrganization();
  });
  after(async () => {
    await kill(relay);
    await stack.close();
  });

  const timersOf = (id: string) =>
    stack.service.query(
      `select state, due_at > now() as is_ahead from timers
        where entity_ref = $1 and handler = 'process' order by id`,
      [`${partner.orgId}:${id}`],
    );

  test('is tried three times; then the asset waits for its next timer and does not fail', async () => {
    const id = await uploadAsset(partner, toneWav());
    await until('a second timer is set', async () => (await timersOf(id)).length === 2);
    await until('the first timer has fired', async () => (await timersOf(id))[0].state === 'fired');
    assert.deepEqual((await timersOf(id))[1], { state: 'waiting', is_ahead: true });
    assert.equal(findCalls, 3);
    const { json } = await partner.call('GET', `/v1/assets/${id}`);
    assert.equal(json.status, 'processing');

    isUnavailable = false;
    await stack.service.query(
      `update timers set due_at = now(), recheck_at = now() - interval '1 hour' where state = 'waiting'
          and handler = 'process'`,
    );
    await reconcileTimers(stack.service.workerDb, stack.service.clock);
    assert.equal((await waitUntilProcessed(partner, id)).status, 'ready');
  });
});
