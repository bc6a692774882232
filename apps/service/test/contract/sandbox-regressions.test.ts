/** Regressions: bugs of the sandbox that were fixed. */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { simulatedStore } from '../../src/sandbox/commands/simulate-store.ts';
import { monday } from '../delivery-fixture.ts';
import { openSandboxFixture, type DrivenPartner, type SandboxFixture } from '../sandbox-fixture.ts';
import { openWorkerDriver } from '../worker-driver.ts';

describe('regressions of the sandbox', () => {
  let sandbox: SandboxFixture;
  let partner: DrivenPartner;
  before(async () => {
    sandbox = await openSandboxFixture();
  });
  beforeEach(async () => {
    await sandbox.service.clock.set(monday);
    partner = await sandbox.newPartner();
  });
  after(() => sandbox.close());

  test('contract §4: an outage ends, also for a message that met an outage of a deleted scenario before', async () => {
    const deleted = await partner.addScenario([{ action: 'outage', lasts: '10m' }]);
    const { id } = await partner.givenDelivery();
    await partner.call('DELETE', `/scenarios/${deleted.id}`);
    await partner.addScenario([
      { action: 'outage', lasts: '2h' },
      { action: 'confirm', after: '1m' },
    ]);
    await partner.advance({ by: '10d' });
    assert.equal((await partner.storeOf(id)).status, 'delivered');
  });
  test('contract §4: a message’s use of the scenario that replaced a deleted one is counted', async () => {
    const deleted = await partner.addScenario([{ action: 'outage', lasts: '10m' }]);
    const { id } = await partner.givenDelivery();
    await partner.call('DELETE', `/scenarios/${deleted.id}`);
    await partner.addScenario([
      { action: 'reject', code: 'first', after: '1m' },
      { action: 'reject', code: 'second', after: '1m' },
    ]);
    await partner.advance({ by: '2h' });
    assert.equal((await partner.storeOf(id)).rejection_code, 'first');
    await partner.ask('POST', `/v1/deliveries/${id}/resubmit`, { force: true });
    await partner.advance({ by: '2h' });
    assert.equal((await partner.storeOf(id)).rejection_code, 'second');
  });
  test('contract §4: late is after expected_by, also by 0s: overdue comes first', async () => {
    await partner.addScenario([{ action: 'late', after: '0s' }]);
    const { id } = await partner.givenDelivery(['aurora'], { release_date: '2026-11-17' });
    await partner.advance({ by: '60d' });
    assert.deepEqual(
      (await partner.storeTimeline(id, 'aurora')).map(([type]) => type),
      ['created', 'dispatched', 'overdue', 'delivered'],
    );
  });
  test('contract §1: a url that is not an http(s) URL is refused, not dropped', async () => {
    await partner.addScenario([{ action: 'lose' }]);
    const { id } = await partner.givenDelivery(['aurora']);
    const { status, json } = await partner.answer(id, 'aurora', {
      answer: 'delivered',
      url: 'aurora.example/1',
    });
    assert.equal(status, 422, JSON.stringify(json.stores?.[0].store_url));
  });
  test('contract §1: a code of 100 code points is stored in full', async () => {
    await partner.addScenario([{ action: 'lose' }]);
    const { id } = await partner.givenDelivery(['aurora']);
    const code = '🎧'.repeat(100);
    const { json } = await partner.answer(id, 'aurora', { answer: 'rejected', code });
    assert.equal([...json.stores[0].rejection_code].length, 100);
  });
  test('contract §4: an answer given while the message is being sent replaces the scheduled answer', async () => {
    await partner.addScenario([{ action: 'confirm', after: '1h' }]);
    const releaseId = await partner.submit();
    let id = '';
    const { runUntilIdle } = openWorkerDriver(sandbox.service, {
      simulated: {
        ...simulatedStore,
        send: async (message, ...rest) => {
          const reply = await partner.answer(id, 'aurora', {
            answer: 'action_required',
            reason: 'mine',
          });
          assert.equal(reply.status, 200, reply.text);
          return simulatedStore.send(message, ...rest);
        },
      },
    });
    await runUntilIdle();
    ({ id } = await partner.deliver(releaseId, ['aurora']));
    await runUntilIdle();
    assert.equal((await partner.storeOf(id)).status, 'action_required');
    await partner.advance({ by: '10d' });
    assert.equal((await partner.storeOf(id)).status, 'action_required');
  });
  test('contract §1: resolves_after without resolves is refused, not dropped', async () => {
    const { status } = await partner.call('POST', '/scenarios', {
      steps: [{ action: 'flag', resolves_after: '1h' }],
    });
    assert.equal(status, 422);
  });
  test('contract §4: at most 1,000 scenarios, also when many are created concurrently', async () => {
    const [{ org_id }] = await sandbox.service.query(
      'select org_id from api_keys order by created_at desc, org_id desc limit 1',
    );
    await sandbox.service.query(
      `insert into sandbox_scenarios (org_id, id, seed, steps, repeats, created_at, actor_type, actor_id)
       select $1, uuidv7(), 0, '[{"action":"confirm"}]', false, now(), 'workflow', 'test' from generate_series(1, 995)`,
      [org_id],
    );
    const create = () => partner.call('POST', '/scenarios', { steps: [{ action: 'confirm' }] });
    await Promise.all(Array.from({ length: 30 }, create));
    const [{ n }] = await sandbox.service.query(
      'select count(*)::int as n from sandbox_scenarios where org_id = $1',
      [org_id],
    );
    assert.equal(n, 1_000);
  });
});
