/** A file that cannot be examined now, for reasons that are not its own, makes way and comes again. */

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

describe('a store that is away', () => {
  let lab: Awaited<ReturnType<typeof openServiceWithEngine>>;
  let relay: RoleProcess;
  let partner: OrgClient;
  let isAway = true;
  let asked = 0;
  before(async () => {
    lab = await openServiceWithEngine(26_380);
    const { storage } = lab.service;
    const unreliable: Storage = {
      ...storage,
      find: async (key) => {
        asked++;
        if (isAway) throw new StorageUnavailable('away');
        return storage.find(key);
      },
    };
    await lab.serve(
      [assetWorkflow({ storage: unreliable, scratchFolder: tmpdir() }, 3)],
      'unreliable',
    );
    relay = await startRelay(lab.service.database, lab.urls);
    partner = await lab.service.givenOrganization();
  });
  after(async () => {
    await kill(relay);
    await lab.close();
  });

  const timersOf = (id: string) =>
    lab.service.query(
      `select state, due_at > now() as is_ahead from timers
        where entity_ref = $1 and handler = 'process' order by id`,
      [`${partner.orgId}:${id}`],
    );

  test('is asked a few times; then the asset waits for its next turn, and nothing is blamed on the file', async () => {
    const id = await uploadAsset(partner, toneWav());
    await until('it has made way', async () => (await timersOf(id)).length === 2, 20_000);
    await until('its lane is free', async () => (await timersOf(id))[0].state === 'fired', 10_000);
    assert.deepEqual((await timersOf(id))[1], { state: 'waiting', is_ahead: true });
    assert.equal(asked, 3);
    const { json } = await partner.call('GET', `/v1/assets/${id}`);
    assert.equal(json.status, 'processing');

    isAway = false;
    await lab.service.query(
      `update timers set due_at = now(), recheck_at = now() - interval '1 hour' where state = 'waiting'
          and handler = 'process'`,
    );
    await reconcileTimers(lab.service.workerDb, lab.service.clock);
    assert.equal((await waitUntilProcessed(partner, id)).status, 'ready');
  });
});
