/** The tax profile (contract §4). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { codeOf, fieldsOf, type Json } from '../delivery-fixture.ts';
import { openTestService, type OrgClient, type Reply, type TestService } from '../test-service.ts';

const w8 = { residence: 'DE', form: 'w8bene', tin: '12 345-678', signed_on: '2026-11-02' };

describe('the tax profile', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService({ now: '2026-11-16T09:00:00Z' });
  });
  after(() => service.close());

  const patch = ({ call }: OrgClient, body: object, headers = {}): Promise<Reply> =>
    call('PATCH', '/v1/tax_profile', body, headers);
  const get = ({ call }: OrgClient): Promise<Reply> => call('GET', '/v1/tax_profile');
  const given = async (body: object = w8): Promise<OrgClient> => {
    const caller = await service.givenOrganization();
    const reply = await patch(caller, body);
    assert.equal(reply.status, 200, reply.text);
    return caller;
  };

  test('contract §4: before the first PATCH it is 404, with how to create it', async () => {
    const reply = await get(await service.givenOrganization());
    assert.deepEqual(codeOf(reply), [404, 'resource_not_found']);
    assert.match(reply.json.error.message, /PATCH \/v1\/tax_profile: send residence and form/);
  });

  test('contract §4: PATCH creates it; the TIN is sealed, and only its last four characters are shown', async () => {
    const caller = await service.givenOrganization();
    const reply = await patch(caller, w8);
    assert.equal(reply.status, 200, reply.text);
    const { created_at, updated_at, ...profile } = reply.json;
    assert.equal(created_at, updated_at);
    assert.deepEqual(profile, {
      residence: 'DE',
      form: 'w8bene',
      tin_last_four: '5678',
      signed_on: '2026-11-02',
      expires_on: '2029-12-31',
      status: 'valid',
    });
    assert.deepEqual((await get(caller)).json, reply.json);
    const orgId = caller.orgId as Id<'org'>;
    const [row] = await service.query('select sealed_tin from tax_profiles where org_id = $1', [
      toUuid(orgId),
    ]);
    assert.equal(
      service.keyring.open(`tax_profile/${orgId}`, row.sealed_tin).toString(),
      '12345678',
    );
    assert.throws(() => service.keyring.open('tax_profile/org_other', row.sealed_tin));
  });

  test('contract §4: W-8 forms expire at the end of the third year after their signature, others never', async () => {
    for (const [body, expiresOn, status] of [
      [{ ...w8, signed_on: '2026-01-01' }, '2029-12-31', 'valid'],
      [{ ...w8, form: 'w8ben', signed_on: '2023-12-31' }, '2026-12-31', 'valid'],
      [{ ...w8, form: 'w8ben', signed_on: '2022-12-31' }, '2025-12-31', 'expired'],
      [{ residence: 'US', form: 'w9', tin: '123-45-6789', signed_on: '2001-01-01' }, null, 'valid'],
      [{ residence: 'DE', form: 'none' }, null, 'valid'],
    ] as const) {
      const { json } = await get(await given(body));
      assert.deepEqual([json.expires_on, json.status], [expiresOn, status], JSON.stringify(body));
    }
  });

  test('the status follows business time: the last day is valid, the next one is not', async () => {
    const caller = await given({ ...w8, signed_on: '2023-05-01' });
    const setOffset = (to: string) =>
      service.query('update organizations set clock_offset_ms = $2 where org_id = $1', [
        toUuid(caller.orgId as Id<'org'>),
        Date.parse(to) - service.clock.now().getTime(),
      ]);
    await setOffset('2026-12-31T23:59:59Z');
    assert.equal((await get(caller)).json.status, 'valid');
    await setOffset('2027-01-01T00:00:00Z');
    assert.equal((await get(caller)).json.status, 'expired');
    const { json } = await patch(caller, { signed_on: '2027-01-01' });
    assert.deepEqual([json.status, json.expires_on], ['valid', '2030-12-31']);
  });

  test('contract §7: what is missing or wrong is refused by name', async () => {
    const caller = await service.givenOrganization();
    const w9 = { residence: 'US', form: 'w9', tin: '123456789', signed_on: '2026-01-01' };
    for (const [body, code, fields] of [
      [{}, 'missing_required_field', ['residence', 'form']],
      [{ residence: 'DE' }, 'missing_required_field', ['form']],
      [{ form: 'none' }, 'missing_required_field', ['residence']],
      [{ residence: 'DE', form: 'w8ben' }, 'missing_required_field', ['tin', 'signed_on']],
      [{ ...w8, tin: null }, 'missing_required_field', ['tin']],
      [{ ...w8, residence: 'US' }, 'invalid_field', ['form']],
      [{ residence: 'US', form: 'none' }, 'invalid_field', ['form']],
      [{ ...w9, tin: '12345678' }, 'invalid_field', ['tin']],
      [{ ...w8, signed_on: '2026-11-17' }, 'invalid_field', ['signed_on']],
      [{ ...w8, signed_on: '2026-02-30' }, 'invalid_field', ['signed_on']],
      [{ residence: 'DE', form: 'none', signed_on: '2026-01-01' }, 'invalid_field', ['signed_on']],
      [{ ...w8, tin: '<script>' }, 'invalid_field', ['tin']],
      [{ ...w8, form: 'w7' }, 'invalid_field', ['form']],
      [{ ...w8, residence: 'XX' }, 'invalid_field', ['residence']],
      [{ ...w8, expires_on: '2099-12-31' }, 'read_only_field', ['expires_on']],
      [{ ...w8, status: 'valid' }, 'read_only_field', ['status']],
      [{ ...w8, tin_last_four: '1234' }, 'read_only_field', ['tin_last_four']],
    ] as const) {
      const reply = await patch(caller, body);
      const expected = [422, code, ...fields];
      assert.deepEqual([...codeOf(reply), ...fieldsOf(reply)], expected, JSON.stringify(body));
      assert.ok(!reply.text.includes('<script>'), 'the value is not repeated');
    }
    assert.equal((await get(caller)).status, 404, 'refusals leave no trace');
  });

  test('contract §4: PATCH changes what is sent and keeps the rest, the TIN too', async () => {
    const caller = await given();
    const { json } = await patch(caller, { residence: 'AT' });
    assert.deepEqual(
      [json.residence, json.form, json.tin_last_four, json.signed_on],
      ['AT', 'w8bene', '5678', '2026-11-02'],
    );
    const cleared = await patch(caller, { form: 'none', tin: null, signed_on: null });
    assert.deepEqual(
      [cleared.json.form, cleared.json.tin_last_four, cleared.json.expires_on],
      ['none', null, null],
    );
  });

  test('contract §1: If-Match with an old ETag is 412', async () => {
    const caller = await given();
    const etag = (await get(caller)).headers.get('etag') ?? '';
    assert.equal((await patch(caller, { residence: 'AT' }, { 'if-match': etag })).status, 200);
    const stale = await patch(caller, { residence: 'CH' }, { 'if-match': etag });
    assert.deepEqual(codeOf(stale), [412, 'precondition_failed']);
    const none = await service.givenOrganization();
    assert.equal((await patch(none, w8, { 'if-match': etag })).status, 412);
  });

  test('a valid form enqueues the check of payouts on hold; an expired one does not', async () => {
    const messagesOf = async ({ orgId }: OrgClient): Promise<Json[]> =>
      service.query(`select handler from timers where org_id = $1 and service = $2`, [
        toUuid(orgId as Id<'org'>),
        'payout-verifications',
      ]);
    assert.deepEqual(await messagesOf(await given()), [{ handler: 'verified' }]);
    assert.deepEqual(await messagesOf(await given({ ...w8, signed_on: '2020-01-01' })), []);
  });
});
