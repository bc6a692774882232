/**
 * Scopes and organizations on every operation of webhooks and events (contract §5); a refusal leaves no trace
 * (contract §7).
 */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Scope, scopes } from '../../src/kernel/scope.ts';
import type { AnyOperation } from '../../src/platform/http/operation.ts';
import { withoutRequestIds, codeOf, type Json } from '../delivery-fixture.ts';
import type { OrgClient, Reply } from '../test-service.ts';
import { openWebhookFixture, type WebhookFixture } from '../webhook-fixture.ts';

/** The scope that each operation requires (contract §4, §5). */
const scopeOf: Readonly<Record<string, Scope>> = {
  createWebhook: 'webhooks:write',
  listWebhooks: 'webhooks:read',
  getWebhook: 'webhooks:read',
  updateWebhook: 'webhooks:write',
  deleteWebhook: 'webhooks:write',
  pingWebhook: 'webhooks:write',
  rotateWebhookSecret: 'webhooks:write',
  redeliverToWebhook: 'webhooks:write',
  listEvents: 'events:read',
  getEvent: 'events:read',
  redeliverEvent: 'webhooks:write',
};

describe('access to webhooks and events', () => {
  let fixture: WebhookFixture;
  let owner: OrgClient;
  let webhook: Json;
  let event: Json;
  let bodies: Readonly<Record<string, object>>;
  before(async () => {
    fixture = await openWebhookFixture();
    const created = await fixture.givenWebhook({ description: 'Secret Title' });
    ({ caller: owner, webhook } = created);
    await fixture.triggerEvent(owner, 'Secret Title');
    [event] = await fixture.eventsOf(owner);
    bodies = {
      createWebhook: { url: created.receiver.url, event_type: '*' },
      updateWebhook: { description: 'Mine now', url: created.receiver.url },
      rotateWebhookSecret: {},
      redeliverToWebhook: { since: webhook.created_at },
      redeliverEvent: {},
    };
  });
  after(() => fixture.close());

  const operations = (): readonly AnyOperation[] =>
    fixture.service.api.operations.filter(({ path }) => /^\/v1\/(webhooks|events)/.test(path));
  const call = (
    caller: Pick<OrgClient, 'call'>,
    { id, method, path }: AnyOperation,
    ids: { readonly webhook: string; readonly event: string },
  ): Promise<Reply> => {
    const resolved = path.replace(':webhook_id', ids.webhook).replace(':event_id', ids.event);
    return caller.call(method, resolved, bodies[id], { 'idempotency-key': randomUUID() });
  };
  const own = () => ({ webhook: webhook.id, event: event.id });
  /** Another key of the same organization. */
  const keyWith = async (granted: readonly string[]): Promise<Pick<OrgClient, 'call'>> => {
    const argv = ['--org', owner.orgId, '--scopes', granted.join(',')];
    const { secret } = await fixture.service.admin('key', 'create', ...argv);
    return { call: (...args) => fixture.service.request(secret, ...args) };
  };

  test('the operations to check, with their scopes', () => {
    assert.deepEqual(Object.fromEntries(operations().map(({ id, scope }) => [id, scope])), scopeOf);
  });

  test('contract §5: with every scope except the required one → 403 insufficient_scope, and no trace', async () => {
    for (const operation of operations()) {
      const lacking = await keyWith(scopes.filter((scope) => scope !== operation.scope));
      const earlier = await fixture.traceOf(owner);
      const reply = await call(lacking, operation, own());
      assert.deepEqual(codeOf(reply), [403, 'insufficient_scope'], operation.id);
      assert.deepEqual(await fixture.traceOf(owner), earlier, operation.id);
    }
  });

  test('contract §5: the required scope alone is enough', async () => {
    const withoutDelete = operations().filter(({ id }) => id !== 'deleteWebhook');
    assert.ok(withoutDelete.length >= 10);
    for (const operation of withoutDelete) {
      const reply = await call(await keyWith([operation.scope]), operation, own());
      assert.ok(reply.status < 300, `${operation.id}: ${reply.text}`);
    }
    await fixture.deliverPending();
  });

  test('contract §5: without a credential → 401, and no trace', async () => {
    const anonymous = {
      call: (...args: Parameters<OrgClient['call']>) => fixture.service.request(undefined, ...args),
    };
    const earlier = await fixture.traceOf(owner);
    for (const operation of operations()) {
      const reply = await call(anonymous, operation, own());
      assert.deepEqual(codeOf(reply), [401, 'authentication_required'], operation.id);
    }
    assert.deepEqual(await fixture.traceOf(owner), earlier);
  });

  test('contract §5: another organization’s id answers byte for byte as an unknown one, and nothing changes', async () => {
    const stranger = await fixture.service.givenOrganization();
    const unknown = '01h455vb4pex5vsknk084sn02q';
    const [mine, theirs] = [await fixture.traceOf(owner), await fixture.traceOf(stranger)];
    const byId = operations().filter(({ params }) => params !== undefined);
    assert.equal(byId.length, 8);
    for (const operation of byId) {
      const foreign = await call(stranger, operation, own());
      const missing = await call(stranger, operation, {
        webhook: `wh_${unknown}`,
        event: `evt_${unknown}`,
      });
      assert.deepEqual(codeOf(foreign), [404, 'resource_not_found'], operation.id);
      assert.equal(withoutRequestIds(foreign), withoutRequestIds(missing), operation.id);
    }
    assert.deepEqual(await fixture.traceOf(owner), mine);
    assert.deepEqual(await fixture.traceOf(stranger), theirs);
  });

  test('contract §5: lists show nothing of another organization, and events are sent only to their own organization', async () => {
    const { caller: stranger, receiver } = await fixture.givenWebhook();
    await fixture.triggerEvent(owner);
    assert.deepEqual(receiver.events(), []);
    const { json } = await stranger.call('GET', '/v1/webhooks');
    assert.equal(json.data.length, 1);
    for (const query of ['', '&delivery_status=delivered', '&after=0', '&type=release.created']) {
      assert.deepEqual(await fixture.eventsOf(stranger, query), [], query);
    }
  });

  test('contract §7: a wrong method → 405, which names the allowed ones', async () => {
    for (const [path, allow] of [
      ['/v1/webhooks', 'GET, HEAD, POST'],
      [`/v1/webhooks/${webhook.id}`, 'DELETE, GET, HEAD, PATCH'],
      [`/v1/webhooks/${webhook.id}/ping`, 'POST'],
      [`/v1/events/${event.id}`, 'GET, HEAD'],
    ] as const) {
      const reply = await owner.call('PUT', path);
      assert.deepEqual(codeOf(reply), [405, 'method_not_allowed'], path);
      assert.equal(reply.headers.get('allow'), allow);
    }
  });
});
