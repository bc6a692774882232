/**
 * Architecture §4: releases and deliveries follow business time. API keys, suspensions and the audit log follow real
 * time, which does not depend on a partner's sandbox clock.
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

  const afterSeconds = (seconds: number) => new Date(Date.parse(begin) + seconds * 1_000);
  const statusWith = async (secret: string) =>
    (await service.request(secret, 'GET', '/v1/releases')).status;

  test('a key is created and revoked in real time, and works until then', async () => {
    const { id = '', secret = '' } = await service.admin('key', 'create', '--org', label.orgId);
    assert.equal(await statusWith(secret), 200);
    await service.clock.set(afterSeconds(60).toISOString());
    await service.admin('key', 'revoke', '--org', label.orgId, '--key', id);
    await service.clock.set(afterSeconds(65).toISOString());
    assert.equal(await statusWith(secret), 401);
    const [row] = await service.query(
      'select created_at, revoked_at, updated_at from api_keys where id = $1',
      [toUuid(id as Id<'key'>)],
    );
    assert.deepEqual(row, {
      created_at: afterSeconds(0),
      revoked_at: afterSeconds(60),
      updated_at: afterSeconds(60),
    });
  });

  test('a key that expires within those 400 days works until that day in real time', async () => {
    const expires = ['--expires', afterSeconds(3_600).toISOString()];
    const { secret = '' } = await service.admin('key', 'create', '--org', label.orgId, ...expires);
    await service.clock.set(afterSeconds(3_599).toISOString());
    assert.equal(await statusWith(secret), 200);
    await service.clock.set(afterSeconds(3_600).toISOString());
    const { status, json } = await service.request(secret, 'GET', '/v1/releases');
    assert.deepEqual([status, json.error.code], [401, 'token_expired']);
  });

  test('the organization is suspended in real time', async () => {
    await service.clock.set(afterSeconds(7_200).toISOString());
    await service.admin('org', 'suspend', '--org', label.orgId);
    const [row] = await service.query(
      'select suspended_at, updated_at from organizations where org_id = $1',
      [orgUuid],
    );
    assert.deepEqual(row, { suspended_at: afterSeconds(7_200), updated_at: afterSeconds(7_200) });
    await service.admin('org', 'resume', '--org', label.orgId);
  });

  test('its events have business time, and its audit rows have real time', async () => {
    await service.clock.set(afterSeconds(10_800).toISOString());
    const { status, json } = await label.call(
      'POST',
      '/v1/releases',
      draft({ release_date: '2029-01-15' }),
    );
    assert.equal(status, 201);
    const businessNow = new Date(afterSeconds(10_800).getTime() + aheadMs);
    assert.equal(json.created_at, businessNow.toISOString());
    const [record] = await service.query(
      `select (select created_at from events where org_id = $1 and type = 'release.created') as announced_at,
              (select occurred_at from audit where org_id = $1 and action = 'release.create') as recorded_at`,
      [orgUuid],
    );
    assert.deepEqual(record, { announced_at: businessNow, recorded_at: afterSeconds(10_800) });
  });
});
