/**
 * Dual control of payout methods (contract §4), tried as an attacker would who has stolen one API key with every scope:
 * no way leads to an approved method without a second credential that the attacker does not have.
 */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { scopes } from '../../src/kernel/scope.ts';
import { codeOf, type Json } from '../delivery-fixture.ts';
import { germanAccount, givenMethod } from '../money-fixture.ts';
import { givenOAuthClient, givenToken } from '../oauth-fixture.ts';
import { openTestService, type OrgClient, type Reply, type TestService } from '../test-service.ts';
import { openWorkerDriver } from '../worker-driver.ts';

const now = '2026-11-16T09:00:00.000Z';
const hourMs = 3_600_000;

/** A credential of an organization. */
type Holder = Pick<OrgClient, 'call'> & { readonly id: string };

describe('approval of payout methods', () => {
  let service: TestService;
  let stolen: OrgClient;
  let orgId: string;
  before(async () => {
    service = await openTestService({ now });
  });
  after(() => service.close());

  const later = (hours: number) =>
    service.clock.set(new Date(service.clock.now().getTime() + hours * hourMs).toISOString());

  const holderOf = (id: string, secret: string): Holder => ({
    id,
    call: (...args) => service.request(secret, ...args),
  });
  /** A key that the organization asked support for. */
  const issueKey = async (): Promise<Holder> => {
    const { id = '', secret = '' } = await service.admin('key', 'create', '--org', orgId);
    return holderOf(id, secret);
  };
  /** A key with every scope, made with another credential. */
  const makeKey = async ({ call }: Pick<OrgClient, 'call'>): Promise<Holder> => {
    const { status, json, text } = await call('POST', '/v1/api_keys', { name: 'New', scopes });
    assert.equal(status, 201, text);
    return holderOf(json.id, json.secret);
  };
  const makeClient = async ({ call }: Pick<OrgClient, 'call'>) => {
    const client = await givenOAuthClient({ ...stolen, call }, scopes);
    return { ...client, holder: holderOf(client.id, await givenToken(service, client)) };
  };
  const approve = ({ call }: Pick<OrgClient, 'call'>, id: string): Promise<Reply> =>
    call('POST', `/v1/payout_methods/${id}/approve`);
  const statusOf = async (id: string): Promise<Json> =>
    (await stolen.call('GET', `/v1/payout_methods/${id}`)).json.status;

  const assertRefused = async (reply: Reply, id: string, rule: RegExp) => {
    assert.deepEqual(codeOf(reply), [409, 'invalid_state'], reply.text);
    assert.match(reply.json.error.message, rule);
    assert.equal(await statusOf(id), 'pending_approval');
  };

  beforeEach(async () => {
    stolen = await service.givenOrganization({ tier: 'enterprise' });
    ({ orgId } = stolen);
    await service.admin('payouts', 'dual-control', '--org', orgId, '--switch', 'on');
  });

  test('contract §4: another key that is 72 hours old approves; the 72 hours of the method begin then', async () => {
    const second = await issueKey();
    await later(72);
    const requested = await givenMethod(stolen);
    assert.deepEqual(
      [requested.status, requested.usable_from, requested.approved_by],
      ['pending_approval', null, null],
    );
    await later(10);
    const reply = await approve(second, requested.id);
    assert.equal(reply.status, 200, reply.text);
    const { status, usable_from, approved_by } = reply.json;
    const usableFrom = new Date(service.clock.now().getTime() + 72 * hourMs).toISOString();
    assert.deepEqual([status, usable_from, approved_by], ['active', usableFrom, second.id]);
    assert.deepEqual(codeOf(await approve(second, requested.id)), [409, 'invalid_state']);
    await service.sequenceEvents();
    const events = (await stolen.call('GET', '/v1/events?type=payout_method.changed')).json;
    assert.deepEqual(
      events.data.map(({ data }: Json) => data.status),
      ['active', 'pending_approval'],
    );
  });

  test('an OAuth client that is 72 hours old approves too', async () => {
    const other = await issueKey();
    const client = await makeClient(other);
    await later(72);
    const { id } = await givenMethod(stolen);
    const token = await givenToken(service, client);
    const reply = await approve(holderOf(client.id, token), id);
    assert.deepEqual([reply.status, reply.json.approved_by], [200, client.id], reply.text);
  });

  test('the key that requested the method cannot approve it', async () => {
    await later(100);
    const { id } = await givenMethod(stolen);
    await assertRefused(await approve(stolen, id), id, /requested the payout method, so it cannot/);
    const replayed = { 'idempotency-key': randomUUID() };
    const path = `/v1/payout_methods/${id}/approve`;
    for (let i = 0; i < 2; i++) {
      await assertRefused(await stolen.call('POST', path, undefined, replayed), id, /cannot/);
    }
  });

  test('a key that the stolen key made cannot approve, however old it is and however many are between', async () => {
    let made: Holder = await makeKey(stolen);
    const chain = [made];
    for (let i = 0; i < 4; i++) chain.push((made = await makeKey(made)));
    await later(1_000);
    const { id } = await givenMethod(stolen);
    for (const holder of chain) {
      await assertRefused(await approve(holder, id), id, /was made with key_\w+, which requested/);
    }
  });

  test('revoking the keys between does not hide where a key comes from', async () => {
    const between = await makeKey(stolen);
    const last = await makeKey(between);
    await stolen.call('DELETE', `/v1/api_keys/${between.id}`);
    await later(100);
    const { id } = await givenMethod(stolen);
    await assertRefused(await approve(last, id), id, /was made with/);
  });

  test('the stolen key cannot approve what a key that it made has requested', async () => {
    const made = await makeKey(stolen);
    await later(100);
    const { id } = await givenMethod(made);
    await assertRefused(await approve(stolen, id), id, /both come from key_/);
  });

  test('of two keys that the stolen key made, one cannot approve what the other requested', async () => {
    const [one, two] = [await makeKey(stolen), await makeKey(await makeKey(stolen))];
    await later(100);
    const { id } = await givenMethod(one);
    await assertRefused(await approve(two, id), id, /both come from key_/);
  });

  test('a key that is younger than 72 hours of real time cannot approve', async () => {
    await later(100);
    const { id } = await givenMethod(stolen);
    const second = await issueKey();
    await later(71.9);
    await assertRefused(await approve(second, id), id, /less than 72 hours ago/);
    await later(0.2);
    assert.equal((await approve(second, id)).status, 200);
  });

  test('the sandbox clock does not make a key older', async () => {
    const second = await issueKey();
    const moved = await stolen.call('POST', '/v1/sandbox/clock/advance', { by: '90d' });
    assert.equal(moved.status, 202, moved.text);
    await service.query(`update organizations set clock_frozen_at = null, clock_offset_ms = $1`, [
      90 * 24 * hourMs,
    ]);
    const requested = await givenMethod(stolen);
    assert.ok(Date.parse(requested.created_at) > service.clock.now().getTime() + 80 * 24 * hourMs);
    await assertRefused(await approve(second, requested.id), requested.id, /less than 72 hours/);
    await service.query('update organizations set clock_offset_ms = 0');
  });

  test('an OAuth client that the stolen key made cannot approve, nor a key that the client made', async () => {
    const client = await makeClient(stolen);
    const made = await makeKey(client.holder);
    await later(100);
    const { id } = await givenMethod(stolen);
    const fresh = holderOf(client.id, await givenToken(service, client));
    await assertRefused(await approve(fresh, id), id, /was made with/);
    await assertRefused(await approve(made, id), id, /was made with/);
  });

  test('deleting the OAuth client does not hide where the key that it made comes from', async () => {
    const client = await makeClient(stolen);
    const made = await makeKey(client.holder);
    await stolen.call('DELETE', `/v1/oauth_clients/${client.id}`);
    await later(100);
    const { id } = await givenMethod(stolen);
    await assertRefused(await approve(made, id), id, /its origin is unknown/);
    const { id: other } = await givenMethod(made);
    await assertRefused(await approve(stolen, other), other, /its origin is unknown/);
  });

  test('a secret that the stolen key adds to an old OAuth client does not approve', async () => {
    const client = await makeClient(await issueKey());
    await later(100);
    const added = await stolen.call('POST', `/v1/oauth_clients/${client.id}/secrets`, {});
    assert.equal(added.status, 201, added.text);
    const taken = async () =>
      holderOf(client.id, await givenToken(service, { id: client.id, secret: added.json.secret }));
    const { id } = await givenMethod(stolen);
    await assertRefused(await approve(await taken(), id), id, /was made with/);
    await later(100);
    await assertRefused(await approve(await taken(), id), id, /was made with/);
    const { id: other } = await givenMethod(await taken());
    await assertRefused(await approve(stolen, other), other, /both come from key_/);
  });

  test('revoking that secret does not hide it: neither the client nor a key that it made approves', async () => {
    const client = await makeClient(await issueKey());
    await later(100);
    const path = `/v1/oauth_clients/${client.id}/secrets`;
    const added = await stolen.call('POST', path, {});
    const token = await givenToken(service, { id: client.id, secret: added.json.secret });
    const made = await makeKey(holderOf(client.id, token));
    const secretId = added.json.secrets.at(-1).id;
    assert.equal((await stolen.call('DELETE', `${path}/${secretId}`)).status, 204);
    await later(100);
    const { id } = await givenMethod(stolen);
    await assertRefused(await approve(made, id), id, /was made with/);
    const { id: other } = await givenMethod(made);
    await assertRefused(await approve(stolen, other), other, /both come from key_/);
  });

  test('an OAuth client whose secrets changed less than 72 hours ago cannot approve', async () => {
    const owner = await issueKey();
    const client = await makeClient(owner);
    await later(100);
    await owner.call('POST', `/v1/oauth_clients/${client.id}/secrets`, {});
    const { id } = await givenMethod(stolen);
    const holder = holderOf(client.id, await givenToken(service, client));
    await assertRefused(await approve(holder, id), id, /less than 72 hours ago/);
  });

  test('no route switches dual control off', async () => {
    const attempts: readonly (readonly [string, string, object])[] = [
      ['PATCH', '/v1/payout_schedule', { has_dual_control: false }],
      ['PATCH', '/v1/payout_schedule', { dual_control: false }],
      ['PATCH', '/v1/organization', { has_dual_control: false }],
      ['PATCH', '/v1/organization', { dual_control: 'off' }],
      ['POST', '/v1/payout_methods', { ...germanAccount, has_dual_control: false }],
      ['POST', '/v1/payout_methods', { ...germanAccount, status: 'active' }],
      ['POST', '/v1/payout_methods', { ...germanAccount, approved_by: 'key_1' }],
    ];
    for (const [method, path, body] of attempts) {
      const { status, text } = await stolen.call(method, path, body);
      assert.equal(status, 422, text);
    }
    const schedule = { mode: 'monthly', minimum: { EUR: '50.00' } };
    for (const body of [schedule, { mode: 'manual', minimum: {} }]) {
      assert.equal((await stolen.call('PATCH', '/v1/payout_schedule', body)).status, 200);
    }
    await stolen.call('PATCH', '/v1/tax_profile', { residence: 'DE', form: 'none' });
    const { status } = await givenMethod(stolen);
    assert.equal(status, 'pending_approval');
  });

  test('a reset of the sandbox removes the methods and keeps dual control', async () => {
    const { runUntilIdle } = openWorkerDriver(service);
    await stolen.call('PATCH', '/v1/payout_schedule', { mode: 'monthly' });
    await givenMethod(stolen);
    const reset = await stolen.call('POST', '/v1/sandbox/reset', { seed: false });
    assert.equal(reset.status, 202, reset.text);
    await runUntilIdle();
    assert.deepEqual((await stolen.call('GET', '/v1/payout_methods')).json.data, []);
    assert.equal((await stolen.call('GET', '/v1/payout_schedule')).json.mode, 'manual');
    assert.equal((await givenMethod(stolen)).status, 'pending_approval');
  });

  test('the database refuses it to the roles of the api and of the worker', async () => {
    for (const role of ['tonearm_app', 'tonearm_worker']) {
      await assert.rejects(
        service.query(`set role ${role}; update payout_settings set has_dual_control = false`),
        /permission denied/,
      );
    }
  });

  test('removing a method that waits and adding it again makes another one that waits', async () => {
    const first = await givenMethod(stolen);
    assert.equal((await stolen.call('DELETE', `/v1/payout_methods/${first.id}`)).status, 204);
    const second = await givenMethod(stolen);
    assert.equal(second.status, 'pending_approval');
    const approver = await issueKey();
    await later(72);
    const reply = await approve(approver, first.id);
    assert.deepEqual(codeOf(reply), [409, 'invalid_state'], 'a removed method stays removed');
    assert.match(reply.json.error.message, /is removed/);
  });

  test('a key of another organization finds no method to approve', async () => {
    const { id } = await givenMethod(stolen);
    const stranger = await service.givenOrganization();
    await later(100);
    assert.deepEqual(codeOf(await approve(stranger, id)), [404, 'resource_not_found']);
  });

  test('a key without payouts:write cannot approve', async () => {
    const limited = ['key', 'create', '--org', orgId, '--scopes', 'payouts:read'];
    const { secret = '' } = await service.admin(...limited);
    await later(100);
    const { id } = await givenMethod(stolen);
    const reply = await approve(holderOf('', secret), id);
    assert.deepEqual(codeOf(reply), [403, 'insufficient_scope']);
  });

  test('a method that waited for its approval still waits after the operator switched dual control off', async () => {
    const { id } = await givenMethod(stolen);
    await service.admin('payouts', 'dual-control', '--org', orgId, '--switch', 'off');
    await assertRefused(await approve(stolen, id), id, /so it cannot approve it/);
    assert.equal((await givenMethod(stolen)).status, 'active');
  });
});
