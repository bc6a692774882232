/** When fictional stores answer. It is decided in the transaction that claims their message. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoreConnector } from '../src/delivery/connectors/store-connector.ts';
import { addMs } from '../src/kernel/duration.ts';
import { simulatedStore } from '../src/sandbox/commands/simulate-store.ts';
import { monday } from './delivery-fixture.ts';
import { scriptStores } from './scripted-stores.ts';
import { openTestService } from './test-service.ts';
import { openWorkerDriver } from './worker-driver.ts';

test('an answer of a fictional store does not come early if the sandbox clock is frozen while the message is sent', async (t) => {
  const service = await openTestService({ now: monday });
  t.after(() => service.close());
  await service.admin('stores', 'seed');
  const claimedAt = service.clock.now();
  /** The transaction that freezes the clock has read it before the claim, and commits after it. */
  const send: StoreConnector['send'] = async (...sent) => {
    await service.clock.set(addMs(claimedAt, -14).toISOString());
    return simulatedStore.send(...sent);
  };
  const { runUntilIdle } = openWorkerDriver(service, { simulated: { ...simulatedStore, send } });
  const label = await service.givenOrganization();
  const release_id = await service.givenSubmittedRelease(label);
  await scriptStores(label, 'aurora=confirm', release_id);
  await runUntilIdle();
  const { status, text } = await label.call('POST', '/v1/deliveries', {
    release_id,
    stores: ['aurora'],
    territory_codes: ['WORLDWIDE'],
  });
  assert.equal(status, 201, text);
  await runUntilIdle();
  const answers = await service.query('select due_at from store_answers');
  assert.deepEqual(answers, [{ due_at: addMs(claimedAt, 1_000) }]);
});
