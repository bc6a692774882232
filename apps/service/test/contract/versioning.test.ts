/** Versioning (spec §3.1, §9 and contract §3, §10): the sunset of `status` in PATCH, in business time. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toUuid } from '../../src/kernel/ids.ts';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

describe('spec §9: versioning', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const create = async () =>
    (await label.call('POST', '/v1/releases', draft({ release_date: '2027-06-01' }))).json.id;
  const patchStatus = (id: string, status: string) =>
    label.call('PATCH', `/v1/releases/${id}`, { status });
  const setOffset = (instant: string) =>
    service.query(
      `update organizations set clock_offset_ms = (extract(epoch from $2::timestamptz) - extract(epoch from $3::timestamptz)) * 1000 where org_id = $1`,
      [toUuid(label.orgId as `org_${string}`), instant, service.clock.now()],
    );

  test('§9.1: v1 is in every path', () => {
    for (const { path } of service.api.operations) assert.match(path, /^\/v1\//);
  });

  test('spec §3.1: after 2024-09-01 status in PATCH is refused, with the headers of contract §3', async () => {
    const id = await create();
    const { status, json, headers } = await patchStatus(id, 'submitted');
    assert.equal(status, 422);
    assert.equal(json.error.code, 'deprecated_feature_removed');
    assert.equal(json.error.details[0].field, 'status');
    assert.equal(headers.get('deprecation'), '@1713139200', 'RFC 9745, 2024-04-15');
    assert.equal(headers.get('sunset'), 'Sun, 01 Sep 2024 00:00:00 GMT', 'RFC 8594');
    assert.equal(headers.get('link'), `</v1/releases/${id}/submit>; rel="successor-version"`);
    assert.equal((await label.call('GET', `/v1/releases/${id}`)).json.status, 'draft', 'no trace');
  });

  test('contract §10: every response to its use has the headers, also when the request is refused for other reasons', async () => {
    const id = await create();
    const path = `/v1/releases/${id}`;
    const key = { 'idempotency-key': '8d2ab1d5-9c7f-4a52-9f43-0a3ad31f2f3a' };
    const uses: readonly [what: string, body: object, status: number, headers?: typeof key][] = [
      ['a body that fails validation', { status: 'submitted', title: '' }, 422],
      ['an unknown field', { status: 'submitted', nothing: 1 }, 422],
      ['an unknown status', { status: 'gone' }, 422],
      ['a status that is not text', { status: null }, 422],
      ['an invalid key', { status: 'submitted' }, 400, { 'idempotency-key': 'x' }],
      ['the first with a key', { status: 'submitted' }, 422, key],
      ['a replay', { status: 'submitted' }, 422, key],
    ];
    for (const [what, body, expected, sent] of uses) {
      const { status, headers } = await label.call('PATCH', path, body, sent);
      assert.equal(status, expected, what);
      assert.equal(headers.get('deprecation'), '@1713139200', what);
      assert.equal(headers.get('sunset'), 'Sun, 01 Sep 2024 00:00:00 GMT', what);
      assert.equal(headers.get('link'), `<${path}/submit>; rel="successor-version"`, what);
    }
    for (const other of ['rel_%C3%A9%0A', 'rel_01h455vb4pex5vsknk084sn02q']) {
      const use = { status: 'submitted' };
      const { status, headers } = await label.call('PATCH', `/v1/releases/${other}`, use);
      assert.deepEqual([status, headers.get('deprecation')], [404, '@1713139200'], other);
    }
  });

  test('contract §3: a removed feature is refused before any other mistake in the body', async () => {
    const mistakes: readonly object[] = [
      { title: 7 },
      { title: '' },
      { nothing: 1 },
      { upc: '614141000036' },
      { artists: [{}] },
      { artwork_asset_id: 'ast_x' },
      { territories: ['XX'] },
      { label_id: 'lbl_x' },
    ];
    const path = `/v1/releases/${await create()}`;
    for (const mistake of mistakes) {
      const { status, json, headers } = await label.call('PATCH', path, {
        status: 'submitted',
        ...mistake,
      });
      const what = JSON.stringify(mistake);
      assert.deepEqual([status, json.error.code], [422, 'deprecated_feature_removed'], what);
      assert.deepEqual(
        json.error.details,
        [
          {
            field: 'status',
            issue: 'status cannot be set since 2024-09-01; remove it, and use the submit endpoint.',
          },
        ],
        what,
      );
      assert.equal(headers.get('sunset'), 'Sun, 01 Sep 2024 00:00:00 GMT', what);
      assert.equal(headers.get('link'), `<${path}/submit>; rel="successor-version"`, what);
    }
    for (const value of [null, 7, 'gone', ['submitted']]) {
      const { json } = await label.call('PATCH', path, { status: value });
      assert.equal(json.error.code, 'deprecated_feature_removed', JSON.stringify(value));
    }
  });

  test('other PATCH requests have no Deprecation header', async () => {
    const { headers } = await label.call('PATCH', `/v1/releases/${await create()}`, { title: 'X' });
    assert.equal(headers.get('deprecation'), null);
  });

  describe('with the clock before the sunset', () => {
    before(() => setOffset('2024-08-31T23:00:00Z'));
    after(() => setOffset('2026-11-15T12:00:00Z'));

    test('contract §3: a body with another mistake is refused for that mistake', async () => {
      const body = { status: 'submitted', title: 7 };
      const { json, headers } = await label.call('PATCH', `/v1/releases/${await create()}`, body);
      assert.equal(json.error.code, 'invalid_field');
      assert.equal(json.error.details[0].field, 'title');
      assert.equal(headers.get('deprecation'), '@1713139200');
    });

    test('spec §4.1: the preconditions of submission apply, and all unmet ones are listed', async () => {
      const id = await create();
      const { status, json, headers } = await patchStatus(id, 'submitted');
      assert.deepEqual([status, json.error.code], [422, 'release_not_submittable']);
      assert.deepEqual(
        json.error.details.map(({ field }: { field: string }) => field),
        ['tracks', 'artwork_asset_id'],
      );
      assert.equal(headers.get('sunset'), 'Sun, 01 Sep 2024 00:00:00 GMT');
    });

    test('spec §3.1: a release that meets them becomes submitted, in business time', async () => {
      const id = await create();
      await service.makeSubmittable(label, id);
      const { status, json, headers } = await patchStatus(id, 'submitted');
      assert.deepEqual([status, json.status], [200, 'submitted']);
      assert.equal(json.updated_at, '2024-08-31T23:00:00.000Z');
      assert.equal(headers.get('deprecation'), '@1713139200');
    });

    test('contract §10: every response to its use has the headers, a refusal too', async () => {
      const id = await create();
      const body = { status: 'submitted', artwork_asset_id: 'ast_x' };
      const { status, headers } = await label.call('PATCH', `/v1/releases/${id}`, body);
      assert.equal(status, 422);
      assert.ok(headers.get('deprecation') && headers.get('sunset') && headers.get('link'));
    });

    test('contract §1: future means after today in business time', async () => {
      const past = draft({ release_date: '2025-01-01' });
      const { json } = await label.call('POST', '/v1/releases', past);
      await service.makeSubmittable(label, json.id);
      assert.equal(
        (await patchStatus(json.id, 'submitted')).status,
        200,
        'in 2024 it is in the future',
      );
      const { json: list } = await label.call('GET', `/v1/releases/${json.id}/revisions`);
      assert.equal(list.data[0].created_at, '2024-08-31T23:00:00.000Z');
    });

    test('contract §3: the fingerprint of another submitted release is refused', async () => {
      const fields = { upc: '614141000036', label: 'L', release_date: '2027-06-01' };
      const created = await Promise.all(
        [1, 2].map(() => label.call('POST', '/v1/releases', draft(fields))),
      );
      const [first, second] = created.map(({ json }) => json.id);
      for (const id of [first, second]) await service.makeSubmittable(label, id);
      assert.equal((await patchStatus(first, 'submitted')).status, 200);
      const { status, json } = await patchStatus(second, 'submitted');
      assert.deepEqual([status, json.error.code], [409, 'duplicate_submission']);
    });

    test('a status that cannot follow → 409 invalid_state; the same status changes nothing', async () => {
      const id = await create();
      for (const next of ['delivered', 'rejected']) {
        const { status, json } = await patchStatus(id, next);
        assert.deepEqual([status, json.error.code], [409, 'invalid_state']);
      }
      assert.equal((await patchStatus(id, 'draft')).status, 200);
    });
  });
});
