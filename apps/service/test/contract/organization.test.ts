/** The partner's own organization: contract §1, §4, §7. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  draft,
  type OrgClient,
  openTestService,
  type Reply,
  type TestService,
} from '../test-service.ts';

const now = '2026-11-16T12:00:00.000Z';
const path = '/v1/organization';

describe('contract §4: /v1/organization', () => {
  let service: TestService;
  let partner: OrgClient;
  before(async () => {
    service = await openTestService({ now });
  });
  beforeEach(async () => {
    partner = await service.givenOrganization({ label: 'Northern Lights', territories: 'DE,AT' });
  });
  after(() => service.close());

  const get = async () => (await partner.call('GET', path)).json;
  const patch = (body: object, headers = {}): Promise<Reply> =>
    partner.call('PATCH', path, body, headers);
  const codeOf = ({ status, json }: Reply) => [status, json.error.code];
  const advance = (ms: number) =>
    service.clock.set(new Date(service.clock.now().getTime() + ms).toISOString());

  test('contract §4: GET returns the organization of the credential, with an ETag', async () => {
    const { status, json, headers } = await partner.call('GET', path);
    assert.equal(status, 200);
    assert.deepEqual(json, {
      id: partner.orgId,
      name: 'Test Records',
      tier: 'growth',
      environment: 'sandbox',
      default_label_id: json.default_label_id,
      default_label: 'Northern Lights',
      default_metadata_language: 'en',
      contacts: [],
      licensed_territories: ['DE', 'AT'],
      statement_currency: 'USD',
      verification: { status: 'verified', requirements: [] },
      suspended_at: null,
      created_at: json.created_at,
      updated_at: json.created_at,
    });
    const label = await partner.call('GET', `/v1/labels/${json.default_label_id}`);
    assert.deepEqual([label.json.name, label.json.is_default], ['Northern Lights', true]);
    const etag = headers.get('etag') ?? '';
    const unchanged = await partner.call('GET', path, undefined, { 'if-none-match': etag });
    assert.equal(unchanged.status, 304);
  });

  test('the currency of statements is set with the organization, and only an operator changes it', async () => {
    const yen = ['--statement-currency', 'JPY'];
    const other = await service.admin(
      'org',
      'create',
      '--name',
      'Aurora',
      '--tier',
      'growth',
      ...yen,
    );
    assert.equal(other['statement_currency'], 'JPY');
    assert.equal((await get()).statement_currency, 'USD');
    const refused = await patch({ statement_currency: 'EUR' });
    assert.deepEqual(codeOf(refused), [422, 'read_only_field']);
    const set = ['org', 'set-statement-currency', '--org'];
    await service.admin(...set, partner.orgId, '--currency', 'EUR');
    assert.equal((await get()).statement_currency, 'EUR');
    await assert.rejects(service.admin(...set, partner.orgId, '--currency', 'XXX'), /ISO 4217/);
    const unknown = 'org_01h455vb4pex5vsknk084sn02q';
    await assert.rejects(service.admin(...set, unknown, '--currency', 'EUR'), /no organization/);
  });

  test('contract §4: PATCH sets the default label, and releases created from then on have it', async () => {
    const { default_label_id: oldId } = await get();
    const { json: label } = await partner.call('POST', '/v1/labels', { name: 'Southern Cross' });
    const earlier = await partner.call('POST', '/v1/releases', draft());
    await advance(1_000);
    const { status, json } = await patch({ default_label_id: label.id });
    assert.equal(status, 200);
    assert.deepEqual([json.default_label_id, json.default_label], [label.id, 'Southern Cross']);
    assert.equal(json.updated_at, service.clock.now().toISOString());
    assert.deepEqual(await get(), json);
    const { json: release } = await partner.call('POST', '/v1/releases', draft());
    assert.deepEqual([release.label, release.label_id], ['Southern Cross', label.id]);
    const unchanged = await partner.call('GET', `/v1/releases/${earlier.json.id}`);
    assert.equal(unchanged.json.label, 'Northern Lights');
    const listed = (await partner.call('GET', '/v1/labels')).json.data;
    assert.deepEqual(
      listed
        .filter((each: { is_default: boolean }) => each.is_default)
        .map(({ id }: { id: string }) => id),
      [label.id],
    );
    const kept = await partner.call('DELETE', `/v1/labels/${label.id}`);
    assert.deepEqual(codeOf(kept), [409, 'invalid_state'], 'the new default cannot be deleted');
    await partner.call('DELETE', `/v1/releases/${earlier.json.id}`);
    assert.equal((await partner.call('DELETE', `/v1/labels/${oldId}`)).status, 204);
  });

  test('contract §4: concurrent changes of the default label leave exactly one', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      ids.push((await partner.call('POST', '/v1/labels', { name })).json.id);
    }
    const answers = await Promise.all(ids.map((id) => patch({ default_label_id: id })));
    assert.deepEqual(
      answers.map(({ status, json }) => [status, json.default_label_id]),
      ids.map((id) => [200, id]),
    );
    const labels = (await partner.call('GET', '/v1/labels')).json.data;
    const defaults = labels.filter((each: { is_default: boolean }) => each.is_default);
    assert.equal(defaults.length, 1);
    assert.equal(defaults[0].id, (await get()).default_label_id);
  });

  test('contract §4: PATCH sets the language of releases that name none, in canonical spelling', async () => {
    const { json } = await patch({ default_metadata_language: 'PT-br' });
    assert.equal(json.default_metadata_language, 'pt-BR');
    const { json: release } = await partner.call('POST', '/v1/releases', draft());
    assert.equal(release.metadata_language, 'pt-BR');
  });

  test('contract §4: PATCH replaces the contacts; the name is optional', async () => {
    const contacts = [
      { type: 'technical', name: 'Mette Krogh', email: 'mette@partner.example' },
      { type: 'billing', email: 'bills@partner.example' },
    ];
    const { json } = await patch({ contacts });
    assert.deepEqual(json.contacts, [contacts[0], { ...contacts[1], name: null }]);
    assert.deepEqual((await patch({ contacts: [] })).json.contacts, []);
  });

  const contact = { type: 'technical', email: 'a@b.example' };
  const refusals: readonly (readonly [what: string, body: object, code: string, field: string])[] =
    [
      [
        'eleven contacts',
        { contacts: Array.from({ length: 11 }, () => contact) },
        'invalid_field',
        'contacts',
      ],
      [
        'a contact of an unknown type',
        { contacts: [{ ...contact, type: 'boss' }] },
        'invalid_field',
        'contacts[0].type',
      ],
      [
        'an address without a host',
        { contacts: [contact, { ...contact, email: 'nobody@localhost' }] },
        'invalid_field',
        'contacts[1].email',
      ],
      [
        'an address of 255 characters',
        { contacts: [{ ...contact, email: `a@${'b'.repeat(245)}.example` }] },
        'invalid_field',
        'contacts[0].email',
      ],
      [
        'a contact without an address',
        { contacts: [{ type: 'legal' }] },
        'missing_required_field',
        'contacts[0].email',
      ],
      [
        'a contact with an unknown field',
        { contacts: [{ ...contact, phone: '1' }] },
        'unknown_field',
        'contacts[0].phone',
      ],
      [
        'an unknown label',
        { default_label_id: 'lbl_01h455vb4pex5vsknk084sn02q' },
        'invalid_field',
        'default_label_id',
      ],
      ['a malformed label', { default_label_id: 'mine' }, 'invalid_field', 'default_label_id'],
      [
        'a language that is none',
        { default_metadata_language: 'english!' },
        'invalid_field',
        'default_metadata_language',
      ],
      ['an unknown field', { colour: 'blue' }, 'unknown_field', 'colour'],
      ...[
        'id',
        'name',
        'tier',
        'environment',
        'default_label',
        'licensed_territories',
        'verification',
        'suspended_at',
        'created_at',
        'updated_at',
      ].map(
        (field) => [`the read-only ${field}`, { [field]: 'x' }, 'read_only_field', field] as const,
      ),
    ];
  for (const [what, body, code, field] of refusals) {
    test(`contract §7: ${what} → 422 ${code}, and nothing changes`, async () => {
      const earlier = await get();
      const refused = await patch({ ...body, default_metadata_language: 'de', ...body });
      assert.deepEqual(codeOf(refused), [422, code]);
      assert.equal(refused.json.error.details[0].field, field);
      assert.deepEqual(await get(), earlier);
    });
  }

  test('contract §5: a label of another organization is refused as an unknown one', async () => {
    const other = await service.givenOrganization();
    const { default_label_id: foreign } = (await other.call('GET', path)).json;
    const refused = await patch({ default_label_id: foreign });
    const unknown = await patch({ default_label_id: 'lbl_01h455vb4pex5vsknk084sn02q' });
    const text = (reply: Reply) => reply.text.replace(/req_\w+/, 'req');
    assert.equal(text(refused), text(unknown));
  });

  test('contract §1: If-Match with an old ETag → 412, with the current one → 200', async () => {
    const { headers } = await partner.call('GET', path);
    const etag = headers.get('etag') ?? '';
    await advance(1_000);
    const changed = await patch({ default_metadata_language: 'da' }, { 'if-match': etag });
    assert.equal(changed.status, 200);
    const late = await patch({ default_metadata_language: 'de' }, { 'if-match': etag });
    assert.deepEqual(codeOf(late), [412, 'precondition_failed']);
    const current = { 'if-match': changed.headers.get('etag') ?? '' };
    assert.equal((await patch({ default_metadata_language: 'de' }, current)).status, 200);
  });

  test('contract §4: a PATCH that changes nothing leaves updated_at; a replay returns the first answer', async () => {
    const earlier = await get();
    await advance(1_000);
    assert.deepEqual(
      (await patch({ default_metadata_language: 'en', contacts: [] })).json,
      earlier,
    );
    const headers = { 'idempotency-key': randomUUID() };
    const first = await patch({ default_metadata_language: 'fr' }, headers);
    await patch({ default_metadata_language: 'it' });
    const replay = await patch({ default_metadata_language: 'fr' }, headers);
    assert.deepEqual(replay.json, first.json);
    assert.equal((await get()).default_metadata_language, 'it');
  });
});
