/** POST /v1/deliveries: spec §2.2, §3.2, §4.2, §7 and contract §1–§4, §7. One case per rule. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  codeOf,
  fieldsOf,
  type Json,
  monday,
  openDeliveryFixture,
  type DeliveryFixture,
} from '../delivery-fixture.ts';

describe('POST /v1/deliveries', () => {
  let fixture: DeliveryFixture;
  let approved: string;
  before(async () => {
    fixture = await openDeliveryFixture();
    approved = await fixture.givenApprovedRelease({ simulate: '*=silent' });
  });
  after(() => fixture.close());

  const body = (fields: object = {}) => ({
    release_id: approved,
    stores: ['aurora'],
    territory_codes: ['WORLDWIDE'],
    ...fields,
  });
  const create = (fields: object = {}, caller = fixture.label) =>
    fixture.post('', body(fields), caller);
  const countDeliveries = async (): Promise<number> => {
    const [row] = await fixture.service.query('select count(*)::int as count from deliveries');
    return row.count;
  };

  test('spec §4.2: 201 with the id; contract §2, §4: every field, and Location', async () => {
    const release_id = await fixture.givenApprovedRelease();
    const { status, json, headers } = await create({
      release_id,
      stores: ['indigo', 'cascade'],
      territory_codes: ['US', 'DE', 'CH'],
    });
    assert.equal(status, 201);
    assert.match(json.id, /^dlv_[0-9a-z]{26}$/);
    assert.equal(headers.get('location'), `/v1/deliveries/${json.id}`);
    const store = {
      status: 'pending',
      waiting_for: null,
      revision: 3,
      pending_revision: null,
      rejection_code: null,
      rejection_reason: null,
      update: null,
      takedown_requested_at: null,
      taken_down_by: null,
      acknowledged_at: null,
      expected_by: null,
      updated_at: monday,
      live_at: null,
      live_basis: null,
      store_url: null,
    };
    const cascade = {
      store_id: 'cascade',
      territory_codes: ['CH', 'DE'],
      territory_count: 2,
      use_types: ['ad_supported_stream', 'subscription_stream'],
    };
    const indigo = {
      store_id: 'indigo',
      territory_codes: ['US'],
      territory_count: 1,
      use_types: ['ad_supported_stream'],
    };
    assert.deepEqual(json, {
      id: json.id,
      reference: null,
      metadata: {},
      release_id,
      revision: 3,
      status: 'in_progress',
      territory_codes: ['US', 'DE', 'CH'],
      stores: [
        { ...cascade, ...store },
        { ...indigo, ...store },
      ],
      created_at: monday,
      updated_at: monday,
      completed_at: null,
    });
    assert.deepEqual(await fixture.get(json.id), json);
  });

  test('spec §3.2: each store progresses by itself, under one aggregate status', async () => {
    const { status, stores } = await fixture.givenDelivery({ stores: ['aurora', 'cascade'] });
    assert.equal(status, 'in_progress');
    assert.deepEqual(
      stores.map((store: Json) => store.status),
      ['in_progress', 'in_progress'],
    );
  });

  test('contract §3: a draft → 409 invalid_state', async () => {
    const { json } = await fixture.label.call('POST', '/v1/releases', {
      title: 'Draft',
      artists: [{ name: 'A', role: 'main' }],
      release_date: '2027-01-15',
    });
    await fixture.service.makeSubmittable(fixture.label, json.id);
    const count = await countDeliveries();
    assert.deepEqual(codeOf(await create({ release_id: json.id })), [409, 'invalid_state']);
    assert.equal(await countDeliveries(), count, 'no trace');
  });

  test('spec §3.3, §7: a file that is no longer ready → 409 asset_not_ready', async () => {
    const release_id = await fixture.givenApprovedRelease();
    const audio_asset_id = await fixture.service.givenAsset(fixture.label, 'audio', 'processing');
    const tracks = (await fixture.label.call('GET', `/v1/tracks?release_id=${release_id}`)).json
      .data;
    const patched = await fixture.label.call('PATCH', `/v1/tracks/${tracks[0].id}`, {
      audio_asset_id,
    });
    assert.equal(patched.status, 200, patched.text);
    const reply = await create({ release_id });
    assert.deepEqual(codeOf(reply), [409, 'asset_not_ready']);
    assert.deepEqual(fieldsOf(reply), ['tracks[0].audio_asset_id']);
  });

  test('spec §7: all missing fields are listed at once', async () => {
    const reply = await fixture.post('');
    assert.deepEqual(codeOf(reply), [422, 'missing_required_field']);
    assert.deepEqual(fieldsOf(reply), ['release_id', 'stores', 'territory_codes']);
  });

  test('contract §7: missing_required_field comes before every other error', async () => {
    const reply = await fixture.post('', { stores: [], status: 'delivered', colour: 'red' });
    assert.deepEqual(codeOf(reply), [422, 'missing_required_field']);
    assert.deepEqual(fieldsOf(reply).slice(0, 2), ['release_id', 'territory_codes']);
  });

  test('contract §1: an unknown release and one of another organization are invalid fields, with the same answer', async () => {
    const other = await fixture.service.givenOrganization();
    const foreign = await fixture.givenApprovedRelease({}, other);
    const texts = new Set<string>();
    for (const release_id of [foreign, 'rel_01h455vb4pex5vsknk084sn02q', 'rel_x', '']) {
      const reply = await create({ release_id });
      assert.deepEqual(codeOf(reply), [422, 'invalid_field'], release_id);
      assert.deepEqual(fieldsOf(reply), ['release_id']);
      texts.add(reply.text.replaceAll(/req_\w{26}/g, ''));
    }
    assert.equal(texts.size, 1);
  });

  const many = Array.from({ length: 501 }, (_, i) => `store${i}`);
  const bad: readonly [what: string, fields: object, code: string, fields: readonly string[]][] = [
    ['an unknown store', { stores: ['aurora', 'nowhere'] }, 'invalid_field', ['stores[1]']],
    ['a store twice', { stores: ['aurora', 'aurora'] }, 'invalid_field', ['stores[1]']],
    ['no store', { stores: [] }, 'invalid_field', ['stores']],
    ['501 stores', { stores: many }, 'invalid_field', ['stores']],
    ['a store that is not text', { stores: [1] }, 'invalid_field', ['stores[0]']],
    ['stores that are not a list', { stores: 'aurora' }, 'invalid_field', ['stores']],
    ['a store of 51 characters', { stores: ['x'.repeat(51)] }, 'invalid_field', ['stores[0]']],
    ['no territory', { territory_codes: [] }, 'invalid_field', ['territory_codes']],
    [
      'a territory twice',
      { territory_codes: ['DE', 'DE'] },
      'invalid_field',
      ['territory_codes[1]'],
    ],
    [
      'WORLDWIDE with others',
      { territory_codes: ['WORLDWIDE', 'DE'] },
      'invalid_field',
      ['territory_codes'],
    ],
    [
      'WORLD with others',
      { territory_codes: ['DE', 'WORLD'] },
      'invalid_field',
      ['territory_codes'],
    ],
    [
      'unknown codes',
      { territory_codes: ['DE', 'XX', 'de'] },
      'territory_not_supported',
      ['territory_codes[1]', 'territory_codes[2]'],
    ],
    [
      'a code no store supports',
      { territory_codes: ['AQ'] },
      'territory_not_supported',
      ['territory_codes[0]'],
    ],
    [
      'a reference of 201 characters',
      { reference: 'x'.repeat(201) },
      'invalid_field',
      ['reference'],
    ],
    ['a blank reference', { reference: ' ' }, 'invalid_field', ['reference']],
    [
      '21 pairs',
      { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, 'v'])) },
      'invalid_field',
      ['metadata'],
    ],
    ['a pair that is not text', { metadata: { a: 1 } }, 'invalid_field', ['metadata.a']],
    ['an unknown field', { colour: 'red' }, 'unknown_field', ['colour']],
    ...['id', 'status', 'revision', 'created_at', 'updated_at', 'completed_at'].map(
      (field): [string, object, string, string[]] => [
        `read-only ${field}`,
        { [field]: 'x' },
        'read_only_field',
        [field],
      ],
    ),
  ];
  for (const [what, fields, code, badFields] of bad) {
    test(`contract §1, §2, §7: ${what} → 422 ${code}`, async () => {
      const count = await countDeliveries();
      const reply = await create(fields);
      assert.deepEqual(codeOf(reply), [422, code]);
      assert.deepEqual(fieldsOf(reply), badFields);
      assert.equal(await countDeliveries(), count, 'no trace');
    });
  }

  test('contract §2: reference and metadata are stored as sent; a reference is unique', async () => {
    const other = await fixture.service.givenOrganization();
    const [firstRelease, secondRelease] = [
      await fixture.givenApprovedRelease(),
      await fixture.givenApprovedRelease(),
    ];
    const own = { reference: 'order-1', metadata: { b: '2', a: '1' } };
    const first = await create({ release_id: firstRelease, ...own });
    assert.deepEqual([first.json.reference, first.json.metadata], ['order-1', { a: '1', b: '2' }]);
    const duplicate = await create({ release_id: secondRelease, reference: 'order-1' });
    assert.deepEqual(
      [...codeOf(duplicate), ...fieldsOf(duplicate)],
      [422, 'invalid_field', 'reference'],
    );
    assert.match(duplicate.json.error.message, new RegExp(first.json.id));
    const release_id = await fixture.givenApprovedRelease({}, other);
    assert.equal((await create({ release_id, ...own }, other)).status, 201, 'per organization');
  });
});
