/** What follows the sandbox clock, and what follows real time: contract §4, §5, §6, §8, §9. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import type { RateLimiter } from '../../src/kernel/rate.ts';
import { createLocalLimiter } from '../../src/platform/cache/local-limiter.ts';
import { codeOf, type Json, monday } from '../delivery-fixture.ts';
import {
  addMs,
  dayMs,
  hourMs,
  openSandboxFixture,
  type DrivenPartner,
  type SandboxFixture,
} from '../sandbox-fixture.ts';
import { draft, openTestService } from '../test-service.ts';
import { openWorkerDriver } from '../worker-driver.ts';

describe('real time, independent of the sandbox clock', () => {
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

  const file = {
    type: 'audio',
    file_name: 'a.wav',
    content_type: 'audio/wav',
    size_bytes: 1_000,
  };

  test('contract §2: the upload URL and the expiry of an upload follow real time', async () => {
    await partner.advance({ by: '30d' });
    const asset = await partner.ask('POST', '/v1/assets', file);
    assert.equal(asset.upload.expires_at, addMs(monday, hourMs), 'an hour of real time');
    assert.equal(asset.created_at, addMs(monday, 30 * dayMs), 'created on the moved clock');
    assert.equal(asset.upload.expires_in_seconds, 3_600, 'needs no clock to compare with');
    assert.equal(
      (await partner.clock()).next_due_at,
      null,
      'its expiry does not follow the sandbox clock',
    );
    await partner.advance({ by: '30d' });
    await partner.setMode('manual');
    await partner.advance({ by: '30d' });
    assert.equal((await partner.ask('GET', `/v1/assets/${asset.id}`)).status, 'pending_upload');
  });

  test('contract §2: an upload expires in real time, although the clock is frozen', async () => {
    await partner.setMode('manual');
    const { id } = await partner.ask('POST', '/v1/assets', file);
    const [timer] = await sandbox.service.query(
      `select is_real, due_at, recheck_at from timers where entity_ref like $1`,
      [`%${id}`],
    );
    const expiry = new Date(addMs(monday, dayMs));
    assert.deepEqual(timer, { is_real: true, due_at: expiry, recheck_at: expiry });
    const [message] = await sandbox.service.query(
      'select send_at from outbox where entity_ref like $1',
      [`%${id}`],
    );
    assert.deepEqual(
      message.send_at,
      expiry,
      'the message is enqueued although the clock is frozen',
    );
  });

  test('spec §5.3, contract §8: idempotency keys are stored for 24 hours of real time', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const create = () => partner.caller.call('POST', '/v1/releases', draft(), key);
    const first = await create();
    await partner.advance({ by: '40d' });
    const replayed = await create();
    assert.deepEqual([replayed.status, replayed.text], [201, first.text]);
    assert.equal(replayed.headers.get('idempotency-replayed'), 'true');
    await partner.setMode('manual');
    await sandbox.advanceTimeWithoutWorker(3 * dayMs);
    const renewed = await create();
    assert.equal(renewed.headers.get('idempotency-replayed'), null, 'three real days later');
    assert.notEqual(renewed.json.id, first.json.id);
  });

  test('contract §5: API keys expire in real time', async () => {
    const flags = ['--org', partner.caller.orgId, '--expires', addMs(monday, 5 * dayMs)];
    const { secret = '' } = await sandbox.service.admin('key', 'create', ...flags);
    const list = () => sandbox.service.request(secret, 'GET', '/v1/releases');
    await partner.advance({ by: '30d' });
    assert.equal((await list()).status, 200, 'only business time is past its expiry');
    await partner.setMode('manual');
    await sandbox.advanceTimeWithoutWorker(5 * dayMs);
    assert.deepEqual(
      codeOf(await list()),
      [401, 'token_expired'],
      'it expires although the clock is frozen',
    );
  });

  test('contract §1: cursors stay valid after any advance', async () => {
    const created: string[] = [];
    for (let i = 0; i < 3; i++) {
      created.push((await partner.ask('POST', '/v1/releases', draft())).id);
      await partner.advance({ by: '10d' });
    }
    const first = await partner.ask('GET', '/v1/releases?limit=1');
    await partner.advance({ by: '400d' });
    const second = await partner.ask('GET', `/v1/releases?limit=1&cursor=${first.next_cursor}`);
    const third = await partner.ask('GET', `/v1/releases?limit=1&cursor=${second.next_cursor}`);
    const found = [first, second, third].map(({ data }) => data[0].id);
    assert.deepEqual(found, created.toReversed());
    assert.equal(third.next_cursor, null);
  });

  test('contract §1: request ids and the Date header have real time', async () => {
    await partner.advance({ by: '400d' });
    const { headers } = await partner.call('GET', '/clock');
    const date = Date.parse(headers.get('date') ?? '');
    assert.ok(Math.abs(Date.now() - date) < 60_000);
    const requestId = headers.get('x-request-id') as Id<'req'>;
    const createdAt = Number.parseInt(toUuid(requestId).replaceAll('-', '').slice(0, 12), 16);
    assert.ok(createdAt < Date.parse(monday) + 30 * dayMs, 'ids contain real time');
  });

  test('spec §8, contract §9: rate limits count real minutes', async () => {
    let local: RateLimiter | undefined;
    const limiter: RateLimiter = {
      consume: (...args) => local?.consume(...args) ?? assert.fail('not yet'),
      close: async () => undefined,
    };
    const service = await openTestService({ now: monday, limiter });
    local = createLocalLimiter(service.clock);
    const { runUntilIdle } = openWorkerDriver(service);
    const { call } = await service.givenOrganization();
    const remainingAndReset = async (): Promise<readonly (string | null)[]> => {
      const { headers } = await call('GET', '/v1/sandbox/clock');
      return [headers.get('ratelimit-remaining'), headers.get('ratelimit-reset')];
    };
    assert.deepEqual(await remainingAndReset(), ['11999', '60']);
    assert.equal((await call('POST', '/v1/sandbox/clock/advance', { by: '10d' })).status, 202);
    await runUntilIdle();
    assert.deepEqual(await remainingAndReset(), ['11997', '60'], 'the same minute still');
    await call('PATCH', '/v1/sandbox/clock', { mode: 'manual' });
    await service.clock.set(addMs(monday, 60_000));
    assert.deepEqual(
      await remainingAndReset(),
      ['11999', '60'],
      'the next minute, although the clock is frozen',
    );
    await service.close();
  });
});

describe('business time', () => {
  let sandbox: SandboxFixture;
  let partner: DrivenPartner;
  before(async () => {
    sandbox = await openSandboxFixture();
    partner = await sandbox.newPartner();
  });
  after(() => sandbox.close());

  test('contract §1: “future” means after today, business time', async () => {
    const { id } = await partner.ask('POST', '/v1/releases', draft({ release_date: '2026-12-01' }));
    await sandbox.service.makeSubmittable(partner.caller, id);
    await partner.advance({ to: '2026-12-01T00:00:00Z' });
    const reply = await partner.caller.call('POST', `/v1/releases/${id}/submit`);
    assert.deepEqual(codeOf(reply), [422, 'release_not_submittable']);
  });

  test('contract §4: resources, scenarios and events are created at business time', async () => {
    const { now } = await partner.advance({ by: '7d' });
    const release = await partner.ask('POST', '/v1/releases', draft());
    const scenario = await partner.addScenario([{ action: 'confirm' }]);
    assert.deepEqual(
      [release.created_at, release.updated_at, scenario.created_at],
      [now, now, now],
    );
    const [event] = await partner.events(release.id);
    assert.deepEqual([event.type, event.created_at], ['release.created', now]);
  });

  test('contract §6: created_at of an organization’s events never decreases', async () => {
    const triggerEvent = () => partner.ask('POST', '/v1/releases', draft());
    const moves: readonly (() => Promise<unknown>)[] = [
      () => partner.advance({ by: '1d' }),
      () => partner.setMode('manual'),
      () => sandbox.advanceTimeWithoutWorker(2 * dayMs),
      () => partner.advance({ by: '1h' }),
      () => partner.setMode('running'),
      () => sandbox.advanceTimeWithoutWorker(hourMs),
      () => partner.advance({ by: '0s' }),
      () => partner.call('POST', '/clock/advance', { by: '3d' }),
      () => sandbox.advanceTimeWithoutWorker(hourMs),
      () => sandbox.runUntilIdle(),
      () => sandbox.advanceTimeWithoutWorker(1_000),
      () => partner.givenDelivery(['aurora', 'indigo'], { release_date: '2027-02-01' }),
      () => partner.advance({ by: '90d' }),
    ];
    for (const move of moves) {
      await triggerEvent();
      await move();
    }
    await triggerEvent();
    const events = await partner.events();
    assert.ok(events.length > 20, `only ${events.length} events`);
    const times: string[] = events.map(({ created_at }: Json) => created_at);
    assert.deepEqual(times, times.toSorted(), 'by sequence');
    assert.deepEqual(
      events.map(({ sequence }: Json) => sequence),
      events.map((_, i) => i + 1),
    );
    assert.ok(times.at(-1) === (await partner.clock()).now);
  });
});
