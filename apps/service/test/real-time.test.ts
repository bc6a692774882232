/**
 * Architecture §4: business time moves releases and what happens to them. Keys, suspensions and the
 * audit log are of the world outside, where a partner's sandbox clock says nothing.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid } from '../src/kernel/ids.ts';
import { type OrgClient, draft, openTestService, type TestService } from './test-service.ts';

const begin = '2026-11-15T12:00:00.000Z';
const aheadMs = 400 * 86_400_000;

describe('an organization whose sandbox clock is 400 days ahead', () => {
  let service: TestService;
  let label: OrgClient;
  let orgUuid: string;
  before(async () => {
    service = await openTestService({ now: begin });
    label = await service.givenOrganization();
    orgUuid = toUuid(label.orgId as Id<'org'>);
    await service.query('update organizations set clock_offset_ms = $2 where org_id = $1', [
      orgUuid,
      aheadMs,
    ]);
  });
  after(() => service.close());

  const later = (seconds: number) => new Date(Date.parse(begin) + seconds * 1_000);
  const statusWith = async (secret: string) =>
    (await service.request(secret, 'GET', '/v1/releases')).status;

  test('a key is made and revoked in real time, and works until then', async () => {
    const { id = '', secret = '' } = await service.admin('key', 'create', '--org', label.orgId);
    assert.equal(await statusWith(secret), 200);
    await service.clock.set(later(60).toISOString());
    await service.admin('key', 'revoke', '--org', label.orgId, '--key', id);
    await service.clock.set(later(65).toISOString());
    assert.equal(await statusWith(secret), 401);
    const [row] = await service.query(
      'select created_at, revoked_at, updated_at from api_keys where id = $1',
      [toUuid(id as Id<'key'>)],
    );
    assert.deepEqual(row, {
      created_at: later(0),
      revoked_at: later(60),
      updated_at: later(60),
    });
  });

  test('a key that expires within those 400 days works until that day has come', async () => {
    const expires = ['--expires', later(3_600).toISOString()];
    const { secret = '' } = await service.admin('key', 'create', '--org', label.orgId, ...expires);
    await service.clock.set(later(3_599).toISOString());
    assert.equal(await statusWith(secret), 200);
    await service.clock.set(later(3_600).toISOString());
    const { status, json } = await service.request(secret, 'GET', '/v1/releases');
    assert.deepEqual([status, json.error.code], [401, 'token_expired']);
  });

  test('it is suspended in real time', async () => {
    await service.clock.set(later(7_200).toISOString());
    await service.admin('org', 'suspend', '--org', label.orgId);
    const [row] = await service.query(
      'select suspended_at, updated_at from organizations where org_id = $1',
      [orgUuid],
    );
    assert.deepEqual(row, { suspended_at: later(7_200), updated_at: later(7_200) });
    await service.admin('org', 'resume', '--org', label.orgId);
  });

  test('what it does is told in business time and put on record in real time', async () => {
    await service.clock.set(later(10_800).toISOString());
    const { status, json } = await label.call(
      'POST',
      '/v1/releases',
      draft({ release_date: '2029-01-15' }),
    );
    assert.equal(status, 201);
    const businessNow = new Date(later(10_800).getTime() + aheadMs);
    assert.equal(json.created_at, businessNow.toISOString());
    const [record] = await service.query(
      `select (select created_at from events where org_id = $1 and type = 'release.created') as told_at,
              (select occurred_at from audit where org_id = $1 and action = 'release.create') as recorded_at`,
      [orgUuid],
    );
    assert.deepEqual(record, { told_at: businessNow, recorded_at: later(10_800) });
  });
});
