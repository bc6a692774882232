/** The territories of a delivery: spec §2.2, §7 and contract §1, §2, §7. One case per rule. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  codeOf,
  fieldsOf,
  type Json,
  openDeliveryFixture,
  storeDeliveryOf,
  type DeliveryFixture,
} from '../delivery-fixture.ts';

describe('the territories of a delivery', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const create = (fields: object, caller = fixture.label) =>
    fixture.post('', { stores: ['aurora'], territory_codes: ['WORLDWIDE'], ...fields }, caller);
  const countDeliveries = async (): Promise<number> => {
    const [row] = await fixture.service.query('select count(*)::int as count from deliveries');
    return row.count;
  };

  test('spec §7: a code outside the licence → 422 territory_not_supported', async () => {
    const german = await fixture.service.givenOrganization({ territories: 'DE,AT' });
    const release_id = await fixture.givenApprovedRelease({}, german);
    const reply = await create({ release_id, territory_codes: ['DE', 'FR'] }, german);
    assert.deepEqual(codeOf(reply), [422, 'territory_not_supported']);
    assert.deepEqual(fieldsOf(reply), ['territory_codes[1]']);
  });

  for (const code of ['WORLD', 'WORLDWIDE']) {
    test(`spec §2.2, contract §2: ${code} is accepted, and WORLDWIDE is returned`, async () => {
      const release_id = await fixture.givenApprovedRelease();
      const stores = ['indigo', 'hanami'];
      const { status, json } = await create({ release_id, stores, territory_codes: [code] });
      assert.equal(status, 201);
      assert.deepEqual(json.territory_codes, ['WORLDWIDE']);
      for (const store of json.stores) {
        assert.deepEqual(
          [store.territory_codes, store.territory_count],
          [['WORLDWIDE'], 1],
          'all territories of the store',
        );
      }
    });
  }

  test('catalogue §1.1: resolved to the territories that licence, release and store share; a track narrows only itself', async () => {
    const partner = await fixture.service.givenOrganization({ territories: 'DE,AT,CH,FR,US' });
    const { json: release } = await partner.call('POST', '/v1/releases', {
      title: 'Somewhere',
      artists: [{ name: 'A', role: 'main' }],
      release_date: '2027-01-15',
      territories: ['DE', 'AT', 'CH', 'US'],
    });
    await fixture.service.makeSubmittable(partner, release.id);
    const { data } = (await partner.call('GET', `/v1/tracks?release_id=${release.id}`)).json;
    await partner.call('PATCH', `/v1/tracks/${data[0].id}`, { territory: ['AT', 'CH', 'US'] });
    await partner.call('POST', `/v1/releases/${release.id}/submit`);
    const stores = ['aurora', 'cascade', 'indigo'];
    const worldwide = await create({ release_id: release.id, stores }, partner);
    assert.deepEqual(
      worldwide.json.stores.map(({ territory_codes }: Json) => territory_codes),
      [['AT', 'CH', 'DE', 'US'], ['AT', 'CH', 'DE'], ['WORLDWIDE']],
    );
    assert.deepEqual(
      worldwide.json.stores.map(({ tracks }: Json) => tracks?.[0].territory_codes),
      [['AT', 'CH', 'US'], ['AT', 'CH'], undefined],
    );
    const toGlasshouse = {
      release_id: release.id,
      stores: ['glasshouse'],
      territory_codes: ['CH', 'DE'],
    };
    const narrowed = await create(toGlasshouse, partner);
    assert.deepEqual(
      storeDeliveryOf(narrowed.json, 'glasshouse').territory_codes,
      ['CH', 'DE'],
      'of the requested territories',
    );
  });

  test('contract §2: no territory left for a store → 422, and no delivery is created', async () => {
    const release_id = await fixture.givenApprovedRelease();
    const fields = { release_id, stores: ['aurora', 'hanami', 'indigo'], territory_codes: ['DE'] };
    const count = await countDeliveries();
    const reply = await create(fields);
    assert.deepEqual(codeOf(reply), [422, 'territory_not_supported']);
    assert.deepEqual(fieldsOf(reply), ['territory_codes', 'territory_codes']);
    assert.match(reply.json.error.details[0].issue, /hanami/);
    assert.match(reply.json.error.details[1].issue, /indigo/);
    assert.equal(await countDeliveries(), count, 'no trace');
  });

  test('contract §2: a resubmission resolves them again', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['glasshouse'], simulate: '*=reject' });
    await fixture.advanceTime(1_000);
    await fixture.patchRelease(delivery.release_id, { territories: ['DE', 'JP'] });
    const { json } = await fixture.post(`/${delivery.id}/resubmit`);
    assert.deepEqual(storeDeliveryOf(json, 'glasshouse').territory_codes, ['DE', 'JP']);
    assert.deepEqual(json.territory_codes, ['WORLDWIDE'], 'as requested');
  });

  test('contract §2: a resubmission that leaves a store without territory is refused', async () => {
    const delivery = await fixture.givenDelivery({
      stores: ['hanami', 'aurora'],
      simulate: '*=reject',
    });
    await fixture.advanceTime(1_000);
    await fixture.patchRelease(delivery.release_id, { territories: ['DE'] });
    const earlier = await fixture.get(delivery.id);
    const reply = await fixture.post(`/${delivery.id}/resubmit`);
    assert.deepEqual(codeOf(reply), [422, 'territory_not_supported']);
    assert.deepEqual(await fixture.get(delivery.id), earlier, 'no trace');
    const named = await fixture.post(`/${delivery.id}/resubmit`, { stores: ['aurora'] });
    assert.equal(named.status, 200);
  });
});
