/**
 * A delivery of 150 stores stays small, in answers and in events: at most 90 KB where every store has the world, and
 * 300 KB at worst. GET /v1/deliveries/{id}/stores/{store_id} has what is left out.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { type Id, toUuid, toWire } from '../../src/kernel/ids.ts';
import { territoryCodes } from '../../src/kernel/territory.ts';
import { actionRequiredAnswer, type Json } from '../delivery-fixture.ts';
import { openRightsFixture, type RightsFixture } from '../rights-fixture.ts';
import type { Reply } from '../test-service.ts';

const compactBytesMax = 90_000;
/** What `update` and `expected_by` of 150 stores add, while an update is under way. */
const updateBytesMax = 20_000;
const worstBytesMax = 300_000;
const stores = Array.from(
  { length: 150 },
  (_, i) => `fictional-store-${String(i + 1).padStart(3, '0')}`,
);
const last = 'fictional-store-150';

describe('the size of a delivery of 150 stores', () => {
  let fixture: RightsFixture;
  before(async () => {
    fixture = await openRightsFixture();
    await fixture.service.query(
      `insert into stores
       select (jsonb_populate_record(aurora, jsonb_build_object(
                'store_id', id, 'territory_codes', $2::text[], 'rule_pack', 'base'))).*
         from stores aurora, unnest($1::text[]) id where store_id = 'aurora'`,
      [stores, territoryCodes],
    );
  });
  after(() => fixture.close());

  /** Delivers the album, and lets every store confirm. */
  const deliver = async (releaseId: string, territory_codes = ['WORLDWIDE']) => {
    const body = { release_id: releaseId, stores, territory_codes };
    const created = await fixture.post('', body);
    assert.equal(created.status, 201, created.text);
    await fixture.runUntilIdle();
    await confirmAll(created.json.id);
    return created;
  };
  /** Every store confirms its newest message. */
  const confirmAll = async (id: string): Promise<void> => {
    const rows = await fixture.service.query(
      'select store_id, message_id from delivery_stores where delivery_id = $1',
      [toUuid(id as Id<'dlv'>)],
    );
    const answers = rows.map(({ store_id, message_id }) => ({
      messageId: toWire('msg', message_id),
      kind: 'delivered' as const,
      url: `https://${store_id}.example/releases/400000000000`,
    }));
    await fixture.applyAnswers(...answers);
  };
  const read = (id: string) => fixture.label.call('GET', `/v1/deliveries/${id}`);
  const lastCompletedEvent = async (releaseId: string): Promise<Json> =>
    (await fixture.eventsOf(releaseId)).findLast(({ type }) => type === 'delivery.completed');

  /** Prints the figures, then checks each. */
  const expectBytes = (t: TestContext, max: number, texts: Readonly<Record<string, string>>) => {
    const bytes = Object.entries(texts).map(([name, text]) => [name, Buffer.byteLength(text)]);
    t.diagnostic(`bytes: ${JSON.stringify(Object.fromEntries(bytes))}`);
    for (const [name, size] of bytes) assert.ok(Number(size) <= max, `${name}: ${size} bytes`);
  };
  const bodyOf = ({ status, text }: Reply): string => {
    assert.ok(status < 300, text);
    return text;
  };

  test('catalogue §2: with all territories of every store, at most 90 KB', async (t) => {
    const album = await fixture.givenAlbum();
    const created = await deliver(album.id);
    const live = await read(created.json.id);
    assert.equal(live.json.status, 'delivered');
    assert.equal(live.json.stores.length, stores.length);
    for (const store of live.json.stores) {
      assert.deepEqual([store.territory_codes, store.territory_count], [['WORLDWIDE'], 249]);
    }
    expectBytes(t, compactBytesMax, {
      created: bodyOf(created),
      live: bodyOf(live),
      'delivery.completed': JSON.stringify(await lastCompletedEvent(album.id)),
    });
    await fixture.patchRelease(album.id, { title: 'Night Driver' });
    await update(created.json.id);
    const updating = bodyOf(await read(created.json.id));
    expectBytes(t, compactBytesMax + updateBytesMax, { 'with an update': updating });
  });

  test('catalogue §2: with 248 codes, requested codes and 100 other tracks at every store, at most 300 KB', async (t) => {
    const album = await fixture.givenAlbum({
      // No store here takes ugc: all tracks but the first are left out, each with a line of its own.
      tracks: Array.from({ length: 100 }, (_, i) =>
        i === 0 ? { territory: ['DE'] } : { use_types: ['ugc'] },
      ),
      release: { territories: ['WORLD'], excluded_territories: ['RU'] },
    });
    const requested = territoryCodes.filter((code) => code !== 'RU');
    const { id } = (await deliver(album.id, requested.slice(1))).json;
    await update(id, { territory_codes: requested });
    const updating = await read(id);
    await confirmAll(id);
    const live = await fixture.get(id);
    for (const store of live.stores) {
      assert.deepEqual([store.territory_codes.length, store.update], [248, null]);
    }
    await expectTruncated(live);
    await fixture.answer(live, { [last]: actionRequiredAnswer });
    const flagged = await read(id);
    const event = await lastCompletedEvent(album.id);
    assert.deepEqual(event.data, flagged.json);
    expectBytes(t, worstBytesMax, {
      'with an update': bodyOf(updating),
      live: JSON.stringify(live),
      flagged: bodyOf(flagged),
      'delivery.completed': JSON.stringify(event),
    });
  });

  const update = async (id: string, body: object = {}): Promise<void> => {
    const reply = await fixture.post(`/${id}/update`, body);
    assert.equal(reply.status, 200, reply.text);
    await fixture.runUntilIdle();
  };

  /** All details of a store are shown or left out, and its own resource has them. */
  const expectTruncated = async (delivery: Json): Promise<void> => {
    const truncated = delivery.stores.filter((store: Json) => store.is_truncated === true);
    assert.ok(truncated.length > 0 && truncated.length < stores.length, 'as many as fit');
    for (const store of truncated) {
      assert.ok(!('tracks' in store) && !('requested_territory_codes' in store));
    }
    const full = await fixture.fullStoreOf(delivery, last);
    assert.equal(full.requested_territory_codes.length, 248);
    assert.equal(full.territory_codes.length, 248);
    assert.equal(full.tracks.length, 100);
  };
});
