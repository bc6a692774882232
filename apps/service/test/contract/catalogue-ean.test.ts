/** The EAN of a release: catalogue §4, and contract §3 for duplicates. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { upcFromNumber } from '../../src/kernel/upc.ts';
import {
  codeOf,
  deliveredAnswer,
  type DeliveryFixture,
  type Json,
  openDeliveryFixture,
  removedAnswer,
  storeDeliveryOf,
} from '../delivery-fixture.ts';
import { completeDraft, draft } from '../test-service.ts';

/** Valid EANs, none of which is a UPC. */
const eans = ['4006381333931', '9780201379624', '5901234123457', '7350053850019', '4012345678901'];

describe('the EAN of a release', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const create = (fields: object) =>
    fixture.label.call('POST', '/v1/releases', completeDraft(fields));
  const codesOf = async (delivery: Json): Promise<string[]> =>
    (
      await fixture.service.query(
        `select code from store_holdings
          where delivery_id = $1 and track_id is null and held_to is null`,
        [toUuid(delivery.id as Id<'dlv'>)],
      )
    ).map(({ code }) => code);

  describe('at stores', () => {
    test('catalogue §4: is sent instead of the UPC, and the store has the release under it', async () => {
      const [ean] = eans;
      const delivery = await fixture.givenDelivery({
        stores: ['indigo'],
        simulate: '',
        release: { ean },
      });
      await fixture.advanceTime(5_000);
      const live = await fixture.get(delivery.id);
      assert.equal(live.status, 'delivered');
      assert.equal(
        storeDeliveryOf(live, 'indigo').store_url,
        `https://indigo.example/releases/${ean}`,
      );
      assert.deepEqual(await codesOf(delivery), [ean]);
    });

    test('catalogue §1.2: a store that names a release by its EAN is heard, also if it was changed since', async () => {
      const [, ean, next] = eans;
      const delivery = await fixture.givenDelivery({ stores: ['indigo'], release: { ean } });
      await fixture.answer(delivery, { indigo: deliveredAnswer });
      await fixture.patchRelease(delivery.release_id, { ean: next });
      const unknown = await fixture.applyAnswers({
        storeId: 'indigo',
        code: ean ?? '',
        ...removedAnswer,
      });
      assert.deepEqual(unknown, []);
      const removed = storeDeliveryOf(await fixture.get(delivery.id), 'indigo');
      assert.deepEqual([removed.status, removed.taken_down_by], ['taken_down', 'store']);
    });

    test('catalogue §4: a store may write a UPC as an EAN', async () => {
      const delivery = await fixture.givenDelivery({ stores: ['indigo'] });
      await fixture.answer(delivery, { indigo: deliveredAnswer });
      const { upc } = await fixture.releaseOf(delivery.release_id);
      const answer = { storeId: 'indigo', code: `0${upc}`, ...removedAnswer };
      assert.deepEqual(await fixture.applyAnswers(answer), []);
      assert.equal((await fixture.get(delivery.id)).status, 'taken_down');
    });

    test('an update ends what the store has under the UPC, and begins it under the EAN', async () => {
      const ean = eans[3];
      const delivery = await fixture.givenDelivery({ stores: ['glasshouse'] });
      await fixture.answer(delivery, { glasshouse: deliveredAnswer });
      await fixture.advanceTime(1_000);
      await fixture.patchRelease(delivery.release_id, { ean });
      const update = await fixture.post(`/${delivery.id}/update`);
      assert.equal(update.status, 200, update.text);
      await fixture.runUntilIdle();
      await fixture.answer(delivery, { glasshouse: deliveredAnswer });
      assert.deepEqual(await codesOf(delivery), [ean]);
    });

    for (const [named, whichEan] of [
      ['the EAN that it has', 'has'],
      ['an EAN that it was sent with', 'was sent with'],
    ]) {
      test(`catalogue §1.2: a legal takedown finds a release by ${named}`, async () => {
        const ean = eans[4] ?? '';
        const delivery = await fixture.givenDelivery({
          stores: ['indigo'],
          simulate: '',
          release: { ean, label: `Label of the release that ${whichEan} it` },
        });
        if (whichEan !== 'has') await fixture.patchRelease(delivery.release_id, { ean: null });
        await fixture.service.admin('legal', 'takedown', '--ean', ean, '--reason', 'Infringes');
        await fixture.advanceTime(5_000);
        await fixture.advanceTime(5_000);
        assert.equal((await fixture.get(delivery.id)).status, 'taken_down');
      });
    }

    test('a legal takedown by the UPC that the EAN is; an invalid EAN is refused', async () => {
      const delivery = await fixture.givenDelivery({
        stores: ['indigo'],
        simulate: '',
        release: { ean: '0036000291452' },
      });
      const takeDown = (...flags: string[]) =>
        fixture.service.admin('legal', 'takedown', ...flags, '--reason', 'Infringes');
      await takeDown('--upc', '036000291452');
      await fixture.advanceTime(5_000);
      await fixture.advanceTime(5_000);
      assert.equal((await fixture.get(delivery.id)).status, 'taken_down');
      await assert.rejects(takeDown('--ean', '4006381333932'), /--ean must be 13 digits/);
      await assert.rejects(
        takeDown('--ean', eans[0] ?? '', '--upc', '036000291452'),
        /--upc, or --ean/,
      );
    });
  });

  describe('in the duplicate check', () => {
    const ean = '3574661734705';
    const fields = { label: 'One Label', release_date: '2027-06-01' };
    let submitted: string;
    before(async () => {
      submitted = await fixture.service.givenSubmittedRelease(fixture.label, { ...fields, ean });
    });

    test('contract §3: the same EAN, label and release date of a submitted release → 409, on create and PATCH', async () => {
      const created = await create({ ...fields, ean });
      assert.deepEqual(codeOf(created), [409, 'duplicate_submission']);
      assert.ok(created.json.error.message.startsWith(submitted), created.text);
      const { json } = await create(fields);
      const path = `/v1/releases/${json.id}`;
      assert.deepEqual(codeOf(await fixture.label.call('PATCH', path, { ean })), [
        409,
        'duplicate_submission',
      ]);
      const { json: unchanged } = await fixture.label.call('GET', path);
      assert.deepEqual([unchanged.ean, unchanged.revision], [null, 1], 'no trace');
    });

    test('contract §3: and on submit, for drafts that had it before', async () => {
      const other = { label: 'Two Labels', release_date: '2027-06-01', ean: '5012345678900' };
      const ids: string[] = [];
      for (let i = 0; i < 2; i++) {
        const { json } = await create(other);
        await fixture.service.makeSubmittable(fixture.label, json.id);
        ids.push(json.id);
      }
      const submit = (id: string | undefined) =>
        fixture.label.call('POST', `/v1/releases/${id}/submit`);
      assert.equal((await submit(ids[0])).status, 200);
      assert.deepEqual(codeOf(await submit(ids[1])), [409, 'duplicate_submission']);
    });

    test('contract §3: another label, another date, or another organization is no duplicate', async () => {
      assert.equal((await create({ ...fields, ean, label: 'Other' })).status, 201);
      assert.equal((await create({ ...fields, ean, release_date: '2027-06-02' })).status, 201);
      const stranger = await fixture.service.givenOrganization();
      const reply = await stranger.call('POST', '/v1/releases', draft({ ...fields, ean }));
      assert.equal(reply.status, 201, reply.text);
    });

    test('catalogue §4: a UPC is the EAN with a leading 0, in both directions', async () => {
      const { upc } = await fixture.releaseOf(submitted);
      const asEan = await create({ ...fields, ean: `0${upc}` });
      assert.deepEqual(codeOf(asEan), [409, 'duplicate_submission']);
      const label = 'Three Labels';
      await fixture.service.givenSubmittedRelease(fixture.label, {
        ...fields,
        label,
        ean: '0614141000036',
      });
      const asUpc = await create({ ...fields, label, upc: '614141000036' });
      assert.deepEqual(codeOf(asUpc), [409, 'duplicate_submission']);
      // The first digit of an EAN that is not 0 makes another code.
      assert.equal((await create({ ...fields, label, ean: '5614141000031' })).status, 201);
    });

    test('catalogue §4: the pool does not give out a UPC that is the EAN of a release', async () => {
      const partner = await fixture.service.givenOrganization();
      const org = toUuid(partner.orgId as Id<'org'>);
      // One block, so that the next codes are known.
      await fixture.service.query(
        `delete from upc_blocks where org_id = $1
            and first_number > (select min(first_number) from upc_blocks where org_id = $1)`,
        [org],
      );
      const [{ next_number: next }] = await fixture.service.query(
        'select next_number::int8::text from upc_blocks where org_id = $1',
        [org],
      );
      const upcAfter = (count: number) => upcFromNumber(Number(next) + count);
      const named = await partner.call('POST', '/v1/releases', draft({ ean: `0${upcAfter(1)}` }));
      assert.equal(named.json.upc, upcAfter(0), named.text);
      assert.equal((await partner.call('POST', '/v1/releases', draft())).json.upc, upcAfter(2));
    });
  });

  test('contract §4: GET /v1/releases by ean', async () => {
    const ean = '4260123456788';
    const { json } = await create({ ean });
    const { data } = (await fixture.label.call('GET', `/v1/releases?ean=${ean}`)).json;
    assert.deepEqual(
      data.map(({ id }: Json) => id),
      [json.id],
    );
    const refused = await fixture.label.call('GET', '/v1/releases?ean=4260123456789');
    assert.deepEqual(codeOf(refused), [400, 'invalid_parameter']);
  });
});
