/** GET /v1/organization/deprecations (contract §4, §10) and the registry behind it (spec §9). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deprecatedFeatures, noticeDaysMin, startOf } from '../../src/kernel/deprecation.ts';
import { dayMs } from '../../src/kernel/duration.ts';
import { changelog } from '../../src/webhooks/domain/changelog.ts';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

const path = '/v1/organization/deprecations';
const feature = 'release_status_in_patch';

describe('contract §10: which deprecated features an organization uses', () => {
  let service: TestService;
  let label: OrgClient;
  let release: string;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    label = await service.givenOrganization();
    release = (await label.call('POST', '/v1/releases', draft())).json.id;
  });
  after(() => service.close());

  type Use = { readonly feature: string };
  const usesOf = async (caller: OrgClient) => {
    const { status, json } = await caller.call('GET', path);
    assert.equal(status, 200);
    return json.data.find((use: Use) => use.feature === feature);
  };
  const use = (key: string, body: object = { status: 'submitted' }) =>
    service.request(key, 'PATCH', `/v1/releases/${release}`, body);

  test('every feature of the registry is listed; one that was never used has last_used_at null', async () => {
    const { json } = await label.call('GET', path);
    assert.deepEqual(
      json.data.map((each: Use) => each.feature),
      Object.keys(deprecatedFeatures),
    );
    assert.deepEqual(await usesOf(label), {
      feature,
      description: 'Status submitted in PATCH /v1/releases/{release_id}.',
      successor: '/v1/releases/{release_id}/submit',
      deprecated_on: '2024-04-15',
      sunset_on: '2024-09-01',
      last_used_at: null,
      used_by: [],
    });
  });

  test('a use is listed with its key, its time and its request, also if the request was refused', async () => {
    const { headers } = await use(label.key, { status: 'submitted', title: 7 });
    const { last_used_at: lastUsedAt, used_by: usedBy } = await usesOf(label);
    assert.equal(lastUsedAt, '2026-11-15T12:00:00.000Z');
    assert.equal(usedBy.length, 1);
    assert.match(usedBy[0].id, /^key_/);
    assert.deepEqual(usedBy[0], {
      type: 'api_key',
      id: usedBy[0].id,
      first_used_at: '2026-11-15T12:00:00.000Z',
      last_used_at: '2026-11-15T12:00:00.000Z',
      last_request_id: headers.get('x-request-id'),
    });
  });

  test('each key has its entry, the latest first; a row is written once a minute', async () => {
    const { secret = '', id } = await service.admin('key', 'create', '--org', label.orgId);
    await service.clock.set('2026-11-15T12:00:59Z');
    await use(label.key);
    await use(secret);
    const { last_used_at: lastUsedAt, used_by: usedBy } = await usesOf(label);
    assert.equal(lastUsedAt, '2026-11-15T12:00:59.000Z');
    assert.equal(usedBy[0].id, id);
    assert.equal(usedBy[1].last_used_at, '2026-11-15T12:00:00.000Z', 'less than a minute ago');
    await service.clock.set('2026-11-15T12:01:00Z');
    await use(label.key);
    const [latest] = (await usesOf(label)).used_by;
    assert.equal(latest.last_used_at, '2026-11-15T12:01:00.000Z');
    assert.equal(latest.first_used_at, '2026-11-15T12:00:00.000Z');
  });

  test('other requests are no use, and another organization sees nothing of it', async () => {
    const other = await service.givenOrganization();
    const { json } = await other.call('POST', '/v1/releases', draft());
    await other.call('PATCH', `/v1/releases/${json.id}`, { title: 'New' });
    assert.equal((await usesOf(other)).last_used_at, null);
  });

  test('a use that cannot be recorded is answered all the same, and recorded the next time', async () => {
    const other = await service.givenOrganization();
    const { json } = await other.call('POST', '/v1/releases', draft());
    const patch = () => other.call('PATCH', `/v1/releases/${json.id}`, { status: 'submitted' });
    await service.query('revoke insert on deprecated_uses from tonearm_app');
    assert.equal((await patch()).json.error.code, 'deprecated_feature_removed');
    await service.query('grant insert on deprecated_uses to tonearm_app');
    assert.equal((await usesOf(other)).last_used_at, null);
    await patch();
    assert.notEqual((await usesOf(other)).last_used_at, null);
  });
});

describe('spec §9.3: the registry', () => {
  const features = Object.values(deprecatedFeatures);

  test('every feature was announced at least 90 days before its sunset', () => {
    for (const { deprecatedOn, sunsetOn, description } of features) {
      const noticeMs = startOf(sunsetOn).getTime() - startOf(deprecatedOn).getTime();
      assert.ok(noticeMs >= noticeDaysMin * dayMs, description);
    }
  });

  test('every feature is in the changelog entry of its day, with its sunset', () => {
    for (const { deprecatedOn, sunsetOn, description } of features) {
      const entry = changelog.find(({ date }) => date === deprecatedOn);
      const change = entry?.changes.find(({ text }) => text === description);
      assert.deepEqual([change?.kind, change?.sunset], ['deprecated', sunsetOn]);
    }
    const announced = changelog.flatMap(({ changes }) =>
      changes.filter(({ kind }) => kind === 'deprecated'),
    );
    assert.equal(announced.length, features.length, 'no entry is deprecated outside the registry');
  });
});
