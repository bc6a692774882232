/** The example of every error code fits the envelope, and is what the service really answers (spec §7, contract §7). */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { problemCodes } from '../../src/kernel/problem.ts';
import { problemExample } from '../../src/platform/http/problem-examples.ts';
import { ErrorBody } from '../../src/platform/http/schema.ts';
import { addMethod, makePayable } from '../payout-fixture.ts';
import {
  draft,
  openTestService,
  type OrgClient,
  type Reply,
  type TestService,
} from '../test-service.ts';

type Refused = (label: OrgClient, service: TestService) => Promise<Reply>;

const create: (fields: object) => Refused = (fields) => (label) =>
  label.call('POST', '/v1/releases', draft(fields));

const createdId = async (label: OrgClient): Promise<string> =>
  (await label.call('POST', '/v1/releases', draft())).json.id;

const payout =
  (amount: string, balance: string): Refused =>
  async (_, service) => {
    const payee = await service.givenOrganization();
    await makePayable(service, payee, { balance });
    return payee.call('POST', '/v1/payouts', { amount, currency: 'EUR' });
  };

/** A request that is refused with the code. */
const requests: Readonly<Partial<Record<string, Refused>>> = {
  invalid_json: (label) => label.call('POST', '/v1/releases', '{'),
  invalid_parameter: (label) => label.call('GET', '/v1/releases?limit=0'),
  invalid_cursor: (label) => label.call('GET', '/v1/releases?cursor=x'),
  invalid_idempotency_key: (label) =>
    label.call('POST', '/v1/releases', draft(), { 'idempotency-key': 'x' }),
  authentication_required: (_, service) => service.request(undefined, 'GET', '/v1/releases'),
  invalid_credentials: (_, service) => service.request('ta_test_x', 'GET', '/v1/releases'),
  insufficient_scope: async (_, service) =>
    (await service.givenOrganization({ scopes: 'stores:read' })).call('GET', '/v1/releases'),
  tier_not_allowed: (label) => label.call('GET', '/v1/oauth_clients'),
  organization_suspended: async (_, service) => {
    const suspended = await service.givenOrganization();
    await service.admin('org', 'suspend', '--org', suspended.orgId);
    return suspended.call('POST', '/v1/releases', draft());
  },
  resource_not_found: (label) => label.call('GET', '/v1/releases/rel_none'),
  route_not_found: (label) => label.call('GET', '/v1/nowhere'),
  method_not_allowed: (label) => label.call('DELETE', '/v1/releases'),
  asset_not_ready: async (label, service) => {
    const artwork_asset_id = await service.givenAsset(label, 'artwork', 'processing');
    return label.call('PATCH', `/v1/releases/${await createdId(label)}`, { artwork_asset_id });
  },
  upc_pool_exhausted: async (_, service) =>
    (await service.givenOrganization({ prefix: null })).call('POST', '/v1/releases', draft()),
  precondition_failed: async (label) =>
    label.call(
      'PATCH',
      `/v1/releases/${await createdId(label)}`,
      { title: 'New' },
      { 'if-match': '"old"' },
    ),
  payload_too_large: (label) => label.call('POST', '/v1/releases', `"${'x'.repeat(300_000)}"`),
  unsupported_media_type: (label) =>
    label.call('POST', '/v1/releases', 'x', { 'content-type': 'text/plain' }),
  missing_required_field: (label) => label.call('POST', '/v1/releases', {}),
  invalid_field: create({ title: 'x'.repeat(501) }),
  unknown_field: create({ titel: 'x' }),
  read_only_field: create({ status: 'draft' }),
  invalid_isrc_format: async (label) =>
    label.call('POST', '/v1/tracks', {
      release_id: await createdId(label),
      title: 'x',
      isrc: 'none',
    }),
  invalid_upc: create({ upc: '860001000000' }),
  territory_not_supported: create({ territories: ['XX'] }),
  release_not_submittable: async (label) =>
    label.call('POST', `/v1/releases/${await createdId(label)}/submit`),
  idempotency_key_reused: async (label) => {
    const key = { 'idempotency-key': randomUUID() };
    await label.call('POST', '/v1/releases', draft(), key);
    return label.call('POST', '/v1/releases', draft({ title: 'Other' }), key);
  },
  webhook_url_not_allowed: (label) =>
    label.call('POST', '/v1/webhooks', { url: 'ftp://partner.example', event_type: '*' }),
  insufficient_balance: payout('300.00', '250.75'),
  below_minimum: payout('9.00', '250.75'),
  payout_method_missing: (label) =>
    label.call('POST', '/v1/payouts', { amount: '100.00', currency: 'EUR' }),
  tax_profile_missing: async (_, service) => {
    const untaxed = await service.givenOrganization();
    await addMethod(service, untaxed);
    return untaxed.call('POST', '/v1/payouts', { amount: '100.00', currency: 'EUR' });
  },
  deprecated_feature_removed: async (label) =>
    label.call('PATCH', `/v1/releases/${await createdId(label)}`, { status: 'submitted' }),
};

/** Ids and the address of the service differ from one refusal to the next. */
const withoutIds = (body: object): unknown =>
  JSON.parse(
    JSON.stringify(body)
      .replaceAll(/\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, '$1_…')
      .replaceAll(/"doc_url":"[^"]+\/docs/g, '"doc_url":"/docs'),
  );

describe('contract §7: the example of every error code', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService();
    label = await service.givenOrganization();
  });
  after(() => service.close());

  for (const code of problemCodes) {
    test(`${code}: fits the envelope`, () => {
      assert.deepEqual(Compile(ErrorBody).Errors(problemExample(code)), []);
    });
  }

  for (const [code, refused] of Object.entries(requests)) {
    test(`${code}: is what the service really answers`, async () => {
      assert.ok(refused !== undefined);
      const { json } = await refused(label, service);
      assert.equal(json.error.code, code, JSON.stringify(json));
      assert.deepEqual(withoutIds(json), withoutIds(problemExample(json.error.code)));
    });
  }
});
