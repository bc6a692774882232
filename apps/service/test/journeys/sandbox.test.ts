/**
 * The sandbox as a partner uses it: over HTTP alone, with the real engine, a relay and a worker. Weeks pass in
 * seconds, and every outcome is scripted.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { partnerOf } from '../sandbox-partner.ts';
import { openWorkingWorld } from '../working-world.ts';
import type { Reply } from '../world.ts';

type Json = Reply['json'];

describe('the sandbox', () => {
  let lab: Awaited<ReturnType<typeof openWorkingWorld>>;
  before(async () => {
    lab = await openWorkingWorld(26_680);
    await lab.world.admin('stores', 'seed');
  });
  after(() => lab.close());

  const newPartner = async () => partnerOf(lab.world, await lab.world.givenOrganization());

  test('spec §8: a release is out on its day, and taken down within 72 hours', async () => {
    const partner = await newPartner();
    const release = await partner.submit({ release_date: '2027-01-15' });
    const { id } = await partner.deliver(release, ['aurora', 'cascade', 'hanami']);
    await partner.advance({ to: '2027-01-14T23:59:00Z' });
    assert.equal((await partner.delivery(id)).status, 'in_progress', 'nobody is early');
    await partner.advance({ by: '2m' });
    const out = await partner.delivery(id);
    assert.equal(out.status, 'delivered');
    assert.deepEqual(
      out.stores.map(({ live_at }: Json) => live_at),
      Array.from({ length: 3 }, () => '2027-01-15T00:00:00.000Z'),
    );
    await partner.ask('POST', `/v1/deliveries/${id}/takedown`, {});
    await partner.advance({ by: '23h' });
    assert.deepEqual(await partner.statuses(id), {
      aurora: 'takedown_requested',
      cascade: 'takedown_requested',
      hanami: 'takedown_requested',
    });
    await partner.advance({ by: '49h' });
    assert.equal((await partner.delivery(id)).status, 'taken_down');
  });
});
