/**
 * Every route × every state of a credential and its organization (spec §5.1, contract §5, §7). The routes come from the
 * service itself: a new one is visited without a new test. What each cell must answer follows from contract §5 and from
 * what the route says about itself; `scopeOf` says independently, from the path, which scope contract §5 demands.
 */

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { keyRandomBytes, makeKey } from '../../src/identity/domain/api-key.ts';
import { accessTokenForm } from '../../src/identity/domain/oauth-token.ts';
import { makeSecret } from '../../src/identity/domain/secret-form.ts';
import { type Scope, scopes } from '../../src/kernel/scope.ts';
import { type Tier, tiers } from '../../src/kernel/tier.ts';
import type { AnyOperation } from '../../src/platform/http/operation.ts';
import { scopeOf } from '../contract-scopes.ts';
import { givenOAuthClient, givenToken } from '../oauth-fixture.ts';
import {
  bodyFor,
  comparable,
  fillPath,
  givenPathIds,
  type PathIds,
  unknownIds,
} from '../path-ids.ts';
import { type OrgClient, openTestService, type Reply, type TestService } from '../test-service.ts';

const begin = '2026-11-15T12:00:00Z';
const anHourLater = '2026-11-15T13:00:00Z';

/** Each refuses every route that needs a credential, with this code. */
type BadCredential = { readonly secret: string | undefined; readonly code: string };

describe('contract §5: every route × every credential', () => {
  let service: TestService;
  let owner: OrgClient;
  let ids: PathIds;
  let suspended: OrgClient;
  let stranger: OrgClient;
  let ofTier: Readonly<Record<Tier, OrgClient>>;
  let bad: Readonly<Record<string, BadCredential>>;
  /** A key with every scope but this one. */
  let without: ReadonlyMap<Scope, string>;
  const tokens = new Map<string, Promise<string>>();

  const keyOf = async ({ orgId }: OrgClient, ...flags: string[]) =>
    service.admin('key', 'create', '--org', orgId, ...flags);

  before(async () => {
    service = await openTestService({ now: begin });
    const given = (tier: Tier) => service.givenOrganization({ tier });
    owner = await given('enterprise');
    stranger = await given('enterprise');
    suspended = await given('enterprise');
    ofTier = {
      starter: await given('starter'),
      growth: await given('growth'),
      enterprise: await given('enterprise'),
    };
    const expiring = await keyOf(owner, '--expires', anHourLater);
    const expiringToken = await givenToken(service, await givenOAuthClient(owner));
    await service.clock.set(anHourLater);
    ids = await givenPathIds(service, owner);
    await service.admin('org', 'suspend', '--org', suspended.orgId);
    const revoked = await keyOf(owner);
    await service.admin('key', 'revoke', '--org', owner.orgId, '--key', revoked['id'] ?? '');
    const client = await givenOAuthClient(owner);
    const revokedToken = await givenToken(service, client);
    await owner.call('DELETE', `/v1/oauth_clients/${client.id}`);
    const random = () => randomBytes(keyRandomBytes);
    bad = {
      'no credential': { secret: undefined, code: 'authentication_required' },
      malformed: { secret: `${owner.key.slice(0, -1)}!`, code: 'invalid_credentials' },
      'cut off': { secret: owner.key.slice(0, -1), code: 'invalid_credentials' },
      'wrong environment': {
        secret: makeKey('live', random(), crc32),
        code: 'invalid_credentials',
      },
      'unknown key': { secret: makeKey('sandbox', random(), crc32), code: 'invalid_credentials' },
      'revoked key': { secret: revoked['secret'], code: 'invalid_credentials' },
      'expired key': { secret: expiring['secret'], code: 'token_expired' },
      'unknown token': {
        secret: makeSecret(accessTokenForm, random(), crc32),
        code: 'invalid_credentials',
      },
      "revoked client's token": { secret: revokedToken, code: 'invalid_credentials' },
      'expired token': { secret: expiringToken, code: 'token_expired' },
    };
    const lacking = scopes.map(async (scope) => {
      const others = scopes.filter((each) => each !== scope).join(',');
      return [scope, (await keyOf(owner, '--scopes', others))['secret'] ?? ''] as const;
    });
    without = new Map(await Promise.all(lacking));
  });
  after(() => service.close());

  const guarded = () => service.api.operations.filter(({ scope }) => scope !== 'public');
  const neededBy = ({ scope, alsoNeeds = [] }: AnyOperation): Scope[] =>
    scope === 'public' ? [] : [scope, ...alsoNeeds];
  const sendTo = (operation: AnyOperation, secret: string | undefined): Promise<Reply> =>
    service.request(secret, operation.method, operation.path.replaceAll(/:\w+/g, 'unknown'));
  /** A token with exactly these scopes. */
  const tokenWith = (needed: readonly Scope[]): Promise<string> => {
    const scope = needed.join(' ');
    const token =
      tokens.get(scope) ??
      givenOAuthClient(stranger, needed).then((client) => givenToken(service, client));
    tokens.set(scope, token);
    return token;
  };

  const visited = { cells: 0 };
  const assertCode = (reply: Reply, status: number, code: string, cell: string): void => {
    visited.cells++;
    assert.deepEqual([reply.status, reply.json?.error?.code], [status, code], cell);
  };
  /** The credential is accepted: the answer is 2xx, or refuses the request for another reason. */
  const assertAdmitted = (reply: Reply, cell: string): void => {
    visited.cells++;
    assert.ok(reply.status < 500 && ![401, 403].includes(reply.status), `${cell}: ${reply.text}`);
  };
  const nameOf = ({ method, path }: AnyOperation, cell: string) => `${method} ${path}, ${cell}`;

  /** Runs one kind of cell for every route, and says how many cells it saw. */
  const forEach = async (
    operations: readonly AnyOperation[],
    visit: (operation: AnyOperation) => Promise<void>,
  ): Promise<number> => {
    assert.ok(operations.length > 70, `only ${operations.length} routes`);
    const earlier = visited.cells;
    await Promise.all(operations.map(visit));
    return visited.cells - earlier;
  };

  test('the scope of every route is that of its path, or it is public', () => {
    for (const operation of service.api.operations)
      assert.equal(operation.scope, scopeOf(operation), operation.id);
    const opened = service.api.operations.filter(({ scope }) => scope === 'public');
    assert.ok(opened.length >= 8);
  });

  test('no credential, and each that is malformed, of the other environment, unknown, revoked or expired → 401', async () => {
    const cells = await forEach(guarded(), async (operation) => {
      for (const [what, { secret, code }] of Object.entries(bad)) {
        const reply = await sendTo(operation, secret);
        assertCode(reply, 401, code, nameOf(operation, what));
        assert.match(reply.headers.get('www-authenticate') ?? '', /^Bearer realm="tonearm"/);
      }
    });
    assert.equal(cells, guarded().length * Object.keys(bad).length);
  });

  test('each missing scope → 403 insufficient_scope, which names it; exactly the needed ones are enough', async () => {
    const cells = await forEach(guarded(), async (operation) => {
      const needed = neededBy(operation);
      for (const scope of needed) {
        const reply = await sendTo(operation, without.get(scope));
        assertCode(reply, 403, 'insufficient_scope', nameOf(operation, `without ${scope}`));
        assert.match(reply.json.error.message, new RegExp(`\\b${scope}\\b`));
        assert.ok(reply.headers.get('www-authenticate')?.includes(`scope="${scope}"`));
      }
      const token = await tokenWith(needed);
      assertAdmitted(await sendTo(operation, token), nameOf(operation, 'a token with its scopes'));
    });
    const expected = guarded().map((operation) => neededBy(operation).length + 1);
    assert.equal(
      cells,
      expected.reduce((sum, each) => sum + each, 0),
    );
  });

  test('each tier: 403 tier_not_allowed below the tier of the route', async () => {
    const cells = await forEach(guarded(), async (operation) => {
      const lowest = tiers.indexOf(operation.tier ?? 'starter');
      for (const [i, tier] of tiers.entries()) {
        const reply = await sendTo(operation, ofTier[tier].key);
        const cell = nameOf(operation, tier);
        if (i < lowest) assertCode(reply, 403, 'tier_not_allowed', cell);
        else assertAdmitted(reply, cell);
      }
    });
    assert.equal(cells, guarded().length * tiers.length);
    assert.ok(guarded().some(({ tier }) => tier === 'enterprise'));
  });

  test('a suspended organization reads; each change → 403 organization_suspended', async () => {
    const rows = () => service.query('select count(*)::int as n from audit');
    const earlier = await rows();
    const cells = await forEach(guarded(), async (operation) => {
      const reply = await sendTo(operation, suspended.key);
      const cell = nameOf(operation, 'suspended');
      if (operation.action === undefined) assertAdmitted(reply, cell);
      else assertCode(reply, 403, 'organization_suspended', cell);
    });
    assert.equal(cells, guarded().length);
    assert.deepEqual(await rows(), earlier, 'nothing was changed');
    const readsWithPost = new Set(['validateRelease', 'dryRunDelivery']);
    for (const { id, method, action } of guarded()) {
      const changes = method !== 'GET' && !readsWithPost.has(id);
      assert.equal(action !== undefined, changes, `${id}: a change has an action`);
    }
  });

  test("another organization's id → byte for byte the answer of an unknown id", async () => {
    // Stores belong to no organization.
    const withIds = guarded().filter(
      ({ params, scope }) => params !== undefined && scope !== 'stores:read',
    );
    assert.ok(withIds.length >= 30, `only ${withIds.length} routes with ids`);
    const earlier = (await owner.call('GET', `/v1/releases/${ids['release_id']}`)).text;
    for (const operation of withIds) {
      const { method, path } = operation;
      const send = (caller: OrgClient, which: PathIds) =>
        caller.call(method, fillPath(path, which), bodyFor(operation), {
          'idempotency-key': randomUUID(),
        });
      const [foreign, missing] = [await send(stranger, ids), await send(stranger, unknownIds)];
      const cell = nameOf(operation, 'other organization');
      assert.deepEqual(comparable(foreign), comparable(missing), cell);
      assertCode(foreign, 404, 'resource_not_found', `${cell}: ${foreign.text}`);
      if (method !== 'GET') continue;
      assert.equal((await send(owner, ids)).status, 200, `${cell}: its owner reads it`);
    }
    const { text } = await owner.call('GET', `/v1/releases/${ids['release_id']}`);
    assert.equal(text, earlier, 'unchanged');
  });

  test('public routes need no credential', async () => {
    const opened = service.api.operations.filter(({ scope }) => scope === 'public');
    for (const operation of opened) {
      const reply = await sendTo(operation, undefined);
      assertAdmitted(reply, nameOf(operation, 'no credential'));
    }
  });

  test('the matrix has all its cells', (t) => {
    t.diagnostic(`${visited.cells} cells of ${service.api.operations.length} routes`);
    assert.ok(visited.cells >= guarded().length * 16, `only ${visited.cells} cells`);
  });
});
