/** The sandbox clock over HTTP: contract §1, §4, §5, §7, §8. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { codeOf, fieldsOf, monday } from '../delivery-fixture.ts';
import {
  addMs,
  dayMs,
  hourMs,
  openSandboxFixture,
  type DrivenPartner,
  type SandboxFixture,
} from '../sandbox-fixture.ts';

describe('the sandbox’s clock', () => {
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

  const advance = (body: object, headers?: Record<string, string>) =>
    partner.call('POST', '/clock/advance', body, headers);
  const initialClock = {
    now: monday,
    mode: 'running',
    status: 'idle',
    advancing_to: null,
    next_due_at: null,
  };

  describe('GET /v1/sandbox/clock', () => {
    test('contract §4: real time, running and idle, until it is moved', async () => {
      const { status, json } = await partner.call('GET', '/clock');
      assert.deepEqual([status, json], [200, initialClock]);
    });

    test('contract §4: it runs with real time', async () => {
      await sandbox.advanceTimeWithoutWorker(90_000);
      assert.deepEqual(await partner.clock(), { ...initialClock, now: addMs(monday, 90_000) });
    });

    test('contract §4: next_due_at is the time of the partner’s next timer', async () => {
      await partner.submit();
      assert.equal((await partner.clock()).next_due_at, monday, 'the review, at once');
      await sandbox.runUntilIdle();
      assert.equal((await partner.clock()).next_due_at, null);
    });
  });

  describe('POST /v1/sandbox/clock/advance', () => {
    test('contract §4: 202 at once; advancing and frozen until the engine has moved it', async () => {
      const target = addMs(monday, 72 * hourMs);
      const { status, json } = await advance({ by: '72h' });
      const advancing = { ...initialClock, status: 'advancing', advancing_to: target };
      assert.deepEqual([status, json], [202, advancing]);
      await sandbox.advanceTimeWithoutWorker(60_000);
      assert.deepEqual(await partner.clock(), advancing, 'real time does not move it');
      await sandbox.runUntilIdle();
      assert.deepEqual(await partner.clock(), { ...initialClock, now: target });
      await sandbox.advanceTimeWithoutWorker(1_000);
      assert.equal((await partner.clock()).now, addMs(target, 1_000), 'it continues from there');
    });

    for (const [text, ms] of [
      ['45s', 45_000],
      ['30m', 1_800_000],
      ['5h', 5 * hourMs],
      ['10d', 10 * dayMs],
      ['0s', 0],
      ['400d', 400 * dayMs],
    ] as const) {
      test(`contract §4: by ${text}`, async () => {
        assert.equal((await partner.advance({ by: text })).now, addMs(monday, ms));
      });
    }

    for (const [to, at] of [
      ['2026-11-16T12:00:00.000Z', monday],
      ['2027-01-15T00:00:00Z', '2027-01-15T00:00:00.000Z'],
      ['2027-01-15T02:30:00.250+02:30', '2027-01-15T00:00:00.250Z'],
    ] as const) {
      test(`contract §4: to ${to}`, async () => {
        assert.equal((await partner.advance({ to })).now, at);
      });
    }

    test('contract §4: several advances add up', async () => {
      await partner.advance({ by: '1d' });
      await partner.advance({ by: '1h' });
      await partner.advance({ to: addMs(monday, 2 * dayMs) });
      assert.equal((await partner.clock()).now, addMs(monday, 2 * dayMs));
    });

    /** The code and the named fields of each refused request. */
    const refusals: readonly (readonly [body: object, code: string, fields: readonly string[]])[] =
      [
        [{}, 'missing_required_field', ['by']],
        [{ by: '1h', to: '2027-01-01T00:00:00Z' }, 'invalid_field', ['to']],
        [{ by: '1h', until: 'x' }, 'unknown_field', ['until']],
        [{ by: '1h', now: 'x' }, 'unknown_field', ['now']],
        [{ by: '401d' }, 'invalid_field', ['by']],
        [{ by: '9601h' }, 'invalid_field', ['by']],
        [{ by: '999999d' }, 'invalid_field', ['by']],
        [{ to: '2026-11-16T11:59:59.999Z' }, 'invalid_field', ['to']],
        [{ to: '2027-12-21T12:00:00.001Z' }, 'invalid_field', ['to']],
        [{ to: '9999-12-31T23:59:59Z' }, 'invalid_field', ['to']],
        ...['', '1', 'h', '1.5h', '-1h', '1w', '1h30m', 'PT1H', '1000000s', 'now', '1H', ' 1h'].map(
          (by) => [{ by }, 'invalid_field', ['by']] as const,
        ),
        ...[60, null, {}, ['1h']].map((by) => [{ by }, 'invalid_field', ['by']] as const),
        ...[
          '2027-02-30T00:00:00Z',
          '2027-01-15',
          '2027-01-15T00:00:00',
          'tomorrow',
          '',
          '1800000000',
        ].map((to) => [{ to }, 'invalid_field', ['to']] as const),
        [{ to: null }, 'invalid_field', ['to']],
      ];
    for (const [body, code, fields] of refusals) {
      test(`contract §4, §7: ${JSON.stringify(body)} → 422 ${code}, and the clock does not move`, async () => {
        const reply = await advance(body);
        assert.deepEqual(codeOf(reply), [422, code]);
        assert.deepEqual(fieldsOf(reply), fields);
        await sandbox.runUntilIdle();
        assert.deepEqual(await partner.clock(), initialClock);
      });
    }

    test('contract §4: a refused advance leaves the clock running', async () => {
      assert.equal((await advance({ by: '401d' })).status, 422);
      await sandbox.service.clock.set(addMs(monday, hourMs));
      assert.equal((await partner.clock()).now, addMs(monday, hourMs));
      const timers = await sandbox.service.query(
        `select 1 from timers where handler = 'advance' and key = $1`,
        [partner.caller.orgId],
      );
      assert.deepEqual(timers, []);
    });

    test('contract §4: only forward in business time', async () => {
      await partner.advance({ by: '10d' });
      const reply = await advance({ to: addMs(monday, 9 * dayMs) });
      assert.deepEqual([codeOf(reply), fieldsOf(reply)], [[422, 'invalid_field'], ['to']]);
      assert.equal((await partner.clock()).now, addMs(monday, 10 * dayMs));
    });

    test('contract §4: in steps of 400 days, and no more than ten years ahead of real time', async () => {
      for (let i = 0; i < 9; i++) await partner.advance({ by: '400d' });
      assert.deepEqual(codeOf(await advance({ by: '61d' })), [422, 'invalid_field']);
      assert.equal((await partner.advance({ by: '60d' })).now, addMs(monday, 3_660 * dayMs));
      assert.deepEqual(codeOf(await advance({ by: '1s' })), [422, 'invalid_field']);
      await partner.advance({ by: '0s' });
    });

    test('contract §4: the mode manual while it is advancing stops it where it is', async () => {
      const { json } = await advance({ by: '1h' });
      assert.equal(json.status, 'advancing');
      const stopped = await partner.call('PATCH', '/clock', { mode: 'manual' });
      const { mode, status, now } = stopped.json;
      assert.deepEqual([mode, status, now], ['manual', 'idle', monday]);
      await sandbox.runUntilIdle();
      assert.equal((await partner.clock()).now, monday, 'it does not move any more');
      await partner.call('PATCH', '/clock', { mode: 'running' });
    });

    test('contract §4, §7: while it is advancing, an advance and the mode running are 409', async () => {
      const { json } = await advance({ by: '1h' });
      for (const refused of [
        await advance({ by: '1h' }),
        await advance({ by: '0s' }),
        await partner.call('PATCH', '/clock', { mode: 'running' }),
      ]) {
        assert.deepEqual(codeOf(refused), [409, 'invalid_state']);
        assert.ok(
          refused.json.error.message.includes(json.advancing_to),
          'the message names the target time',
        );
      }
      await sandbox.runUntilIdle();
      assert.equal((await partner.clock()).now, addMs(monday, hourMs), 'once');
      assert.equal((await advance({ by: '1h' })).status, 202);
      await sandbox.runUntilIdle();
    });

    test('contract §8: a replay does not move it again, and a stored refusal stays one', async () => {
      const [key, other] = [randomUUID(), randomUUID()];
      const first = await advance({ by: '1h' }, { 'idempotency-key': key });
      const refused = await advance({ by: '2h' }, { 'idempotency-key': other });
      assert.equal(refused.status, 409);
      await sandbox.runUntilIdle();
      const replay = await advance({ by: '1h' }, { 'idempotency-key': key });
      assert.deepEqual([replay.status, replay.text], [202, first.text]);
      assert.equal(replay.headers.get('idempotency-replayed'), 'true');
      const refusedAgain = await advance({ by: '2h' }, { 'idempotency-key': other });
      assert.deepEqual([refusedAgain.status, refusedAgain.text], [409, refused.text]);
      await sandbox.runUntilIdle();
      assert.equal((await partner.clock()).now, addMs(monday, hourMs));
      const reused = await advance({ by: '3h' }, { 'idempotency-key': key });
      assert.deepEqual(codeOf(reused), [422, 'idempotency_key_reused']);
    });

    test('contract §8: an invalid field is not stored: the corrected request may use the key', async () => {
      const key = { 'idempotency-key': randomUUID() };
      assert.equal((await advance({ by: '401d' }, key)).status, 422);
      assert.equal((await advance({ by: '400d' }, key)).status, 202);
      await sandbox.runUntilIdle();
    });
  });

  describe('PATCH /v1/sandbox/clock', () => {
    const patch = (body: object, headers?: Record<string, string>) =>
      partner.call('PATCH', '/clock', body, headers);

    test('contract §4: a manual clock is frozen, also after an advance', async () => {
      const { status, json } = await patch({ mode: 'manual' });
      assert.deepEqual([status, json], [200, { ...initialClock, mode: 'manual' }]);
      await sandbox.advanceTimeWithoutWorker(dayMs);
      assert.equal((await partner.clock()).now, monday);
      const arrived = await partner.advance({ by: '1h' });
      assert.deepEqual([arrived.now, arrived.mode], [addMs(monday, hourMs), 'manual']);
      await sandbox.advanceTimeWithoutWorker(dayMs);
      assert.equal((await partner.clock()).now, addMs(monday, hourMs));
    });

    test('contract §4: running again, it continues from where it was frozen', async () => {
      await patch({ mode: 'manual' });
      await partner.advance({ by: '1h' });
      await sandbox.advanceTimeWithoutWorker(5 * dayMs);
      const { json } = await patch({ mode: 'running' });
      assert.deepEqual(json, { ...initialClock, now: addMs(monday, hourMs) });
      await sandbox.advanceTimeWithoutWorker(1_000);
      assert.equal((await partner.clock()).now, addMs(monday, hourMs + 1_000));
    });

    test('contract §4: the same mode again changes nothing', async () => {
      const running = await patch({ mode: 'running' });
      assert.deepEqual([running.status, running.json], [200, initialClock]);
      await patch({ mode: 'manual' });
      await sandbox.advanceTimeWithoutWorker(dayMs);
      const manual = await patch({ mode: 'manual' });
      assert.deepEqual([manual.status, manual.json], [200, { ...initialClock, mode: 'manual' }]);
    });

    test('contract §8: a replayed PATCH does not freeze it again', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const first = await patch({ mode: 'manual' }, key);
      await patch({ mode: 'running' });
      const replay = await patch({ mode: 'manual' }, key);
      assert.equal(replay.text, first.text);
      assert.equal((await partner.clock()).mode, 'running');
    });

    for (const [body, code, field] of [
      [{}, 'missing_required_field', 'mode'],
      [{ mode: 'paused' }, 'invalid_field', 'mode'],
      [{ mode: null }, 'invalid_field', 'mode'],
      [{ mode: 'manual', now: monday }, 'unknown_field', 'now'],
    ] as const) {
      test(`contract §1, §7: ${JSON.stringify(body)} → 422 ${code}`, async () => {
        const reply = await patch(body);
        assert.deepEqual([codeOf(reply), fieldsOf(reply)], [[422, code], [field]]);
        assert.deepEqual(await partner.clock(), initialClock);
      });
    }
  });

  test('contract §4: each organization has its own clock: others do not move', async () => {
    const other = await sandbox.newPartner();
    await partner.advance({ by: '30d' });
    await partner.setMode('manual');
    await sandbox.runUntilIdle();
    assert.deepEqual(await other.clock(), initialClock);
    const { json } = await other.caller.call('POST', '/v1/releases', {
      title: 'Elsewhere',
      artists: [{ name: 'A', role: 'main' }],
      release_date: '2027-01-15',
    });
    assert.equal(json.created_at, monday);
  });
});
