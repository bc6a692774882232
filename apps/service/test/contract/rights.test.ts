/** Rights and windows of a release: catalogue §2, spec §4.1. One case per rule. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

describe('rights and windows of a release', () => {
  let service: TestService;
  let label: OrgClient;
  let european: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    label = await service.givenOrganization();
    european = await service.givenOrganization({ territories: 'DE,AT,CH' });
  });
  after(() => service.close());

  const create = (fields: object = {}, caller = label) =>
    caller.call('POST', '/v1/releases', draft(fields));
  const patch = (id: string, body: object, caller = label) =>
    caller.call('PATCH', `/v1/releases/${id}`, body);
  const get = async (id: string, caller = label) =>
    (await caller.call('GET', `/v1/releases/${id}`)).json;

  /** The same change as a creation and as a PATCH of a plain release: both refuse it, and leave no trace. */
  const assertRefused = async (
    fields: object,
    [code, field, issue]: readonly [code: string, field: string, issue: RegExp],
    caller = label,
  ) => {
    const { json: plain } = await create({}, caller);
    for (const reply of [await create(fields, caller), await patch(plain.id, fields, caller)]) {
      assert.deepEqual([reply.status, reply.json.error.code], [422, code], reply.text);
      const [detail] = reply.json.error.details;
      assert.equal(detail.field, field);
      assert.match(detail.issue, issue);
    }
    assert.deepEqual(await get(plain.id, caller), plain);
  };

  describe('excluded_territories', () => {
    test('catalogue §2: WORLD with exclusions is the world except these', async () => {
      for (const territories of [['WORLD'], ['WORLDWIDE'], undefined]) {
        const { status, json } = await create({ territories, excluded_territories: ['RU', 'BY'] });
        assert.equal(status, 201);
        assert.deepEqual([json.territories, json.excluded_territories], [['WORLD'], ['RU', 'BY']]);
        assert.deepEqual(await get(json.id), json);
      }
    });

    test('catalogue §2: with codes they are refused', async () => {
      await assertRefused({ territories: ['DE', 'AT'], excluded_territories: ['AT'] }, [
        'invalid_field',
        'excluded_territories',
        /only with WORLD/,
      ]);
    });

    const lists: readonly [what: string, excluded: readonly string[], code: string, RegExp][] = [
      ['a code twice', ['RU', 'RU'], 'invalid_field', /listed twice/],
      ['no ISO code', ['RU', 'XX'], 'territory_not_supported', /must be an ISO 3166-1/],
      ['lower case', ['RU', 'by'], 'territory_not_supported', /must be an ISO 3166-1/],
      ['WORLD', ['RU', 'WORLD'], 'territory_not_supported', /must be an ISO 3166-1/],
      [
        'a territory of no store',
        ['RU', 'AQ'],
        'territory_not_supported',
        /not available at any store/,
      ],
    ];
    for (const [what, excluded_territories, code, issue] of lists) {
      test(`catalogue §2: ${what} → 422 ${code}`, async () => {
        await assertRefused({ excluded_territories }, [code, 'excluded_territories[1]', issue]);
      });
    }

    test('contract §1: an empty list is refused, null means none', async () => {
      await assertRefused({ excluded_territories: [] }, [
        'invalid_field',
        'excluded_territories',
        /must not be empty/,
      ]);
      assert.equal((await create({ excluded_territories: null })).status, 201);
    });

    test('catalogue §2: a territory outside the licence may be excluded', async () => {
      const { status, json } = await create({ excluded_territories: ['US', 'CH'] }, european);
      assert.deepEqual([status, json.excluded_territories], [201, ['US', 'CH']]);
    });

    test('catalogue §2: exclusions that leave nothing are refused', async () => {
      const nothing = [
        'invalid_field',
        'excluded_territories',
        /must leave at least one territory/,
      ] as const;
      await assertRefused({ excluded_territories: ['DE', 'AT', 'CH'] }, nothing, european);
      const { json } = await label.call('GET', '/v1/stores/territories');
      const all = json.data.map(({ territory_code }: { territory_code: string }) => territory_code);
      await assertRefused({ excluded_territories: all }, nothing);
      assert.equal((await create({ excluded_territories: all.slice(1) })).status, 201);
    });

    test('spec §4.1: a PATCH of territories replaces them in full, and clears the exclusions', async () => {
      for (const territories of [['WORLD'], ['DE', 'AT']]) {
        const { json } = await create({ excluded_territories: ['RU'] });
        const reply = await patch(json.id, { territories });
        assert.equal(reply.status, 200, reply.text);
        assert.deepEqual(
          [reply.json.territories, reply.json.excluded_territories],
          [territories, null],
        );
        assert.equal(reply.json.revision, 2);
      }
    });

    test('spec §4.1: sent together, both are replaced', async () => {
      const { json } = await create({ territories: ['DE'] });
      const body = { territories: ['WORLD'], excluded_territories: ['RU'] };
      const reply = await patch(json.id, body);
      assert.equal(reply.status, 200);
      assert.deepEqual({ ...reply.json, ...body }, reply.json);
    });

    test('catalogue §2: a PATCH of exclusions alone is judged by the stored territories', async () => {
      const { json: codes } = await create({ territories: ['DE', 'AT'] });
      const refused = await patch(codes.id, { excluded_territories: ['AT'] });
      assert.deepEqual([refused.status, refused.json.error.code], [422, 'invalid_field']);
      assert.equal(refused.json.error.details[0].field, 'excluded_territories');
      assert.deepEqual(await get(codes.id), codes);
      const { json: world } = await create({ excluded_territories: ['RU'] });
      const { json } = await patch(world.id, { excluded_territories: ['BY'] });
      assert.deepEqual(
        [json.territories, json.excluded_territories, json.revision],
        [['WORLD'], ['BY'], 2],
      );
      assert.equal((await patch(world.id, { excluded_territories: ['BY'] })).json.revision, 2);
      const cleared = await patch(world.id, { excluded_territories: null });
      assert.equal(cleared.json.excluded_territories, null);
    });
  });

  test('catalogue §2: a list shows rights and windows as the release does', async () => {
    const caller = await service.givenOrganization();
    const rights = {
      excluded_territories: ['RU'],
      use_types: ['ugc'],
      release_at: '2027-01-15T12:00:00.000Z',
      pre_order_date: '2027-01-01',
    };
    const { json } = await create(rights, caller);
    assert.deepEqual({ ...json, ...rights }, json);
    const { data } = (await caller.call('GET', '/v1/releases')).json;
    assert.deepEqual(data, [json]);
  });

  describe('use_types', () => {
    test('catalogue §2: a subset of the four words; null means all', async () => {
      const words = ['ad_supported_stream', 'subscription_stream', 'download', 'ugc'];
      for (const use_types of [words, ...words.map((word) => [word]), null]) {
        const { status, json } = await create({ use_types });
        assert.deepEqual([status, json.use_types], [201, use_types]);
      }
    });

    test('catalogue §2: an empty list → 422, with what to send instead', async () => {
      await assertRefused({ use_types: [] }, ['invalid_field', 'use_types', /send null for all/]);
    });

    test('contract §1: a word twice, or an unknown word → 422', async () => {
      await assertRefused({ use_types: ['ugc', 'ugc'] }, [
        'invalid_field',
        'use_types',
        /must not list an entry twice/,
      ]);
      await assertRefused({ use_types: ['ugc', 'ringtone'] }, [
        'invalid_field',
        'use_types[1]',
        /must be one of: ad_supported_stream/,
      ]);
    });
  });

  describe('release_at', () => {
    test('catalogue §2: any offset, shown in UTC with milliseconds', async () => {
      const shown: readonly [sent: string, expected: string][] = [
        ['2027-01-15T00:00:00+13:00', '2027-01-14T11:00:00.000Z'],
        ['2027-01-15t12:30:15.5z', '2027-01-15T12:30:15.500Z'],
        ['2027-01-15T20:00:00.123456789-08:00', '2027-01-16T04:00:00.123Z'],
      ];
      const { json: plain } = await create();
      for (const [release_at, expected] of shown) {
        const { status, json } = await create({ release_at });
        assert.deepEqual([status, json.release_at], [201, expected]);
        assert.equal((await patch(plain.id, { release_at })).json.release_at, expected);
        const again = await patch(json.id, { release_at: expected });
        assert.equal(again.json.revision, 1, 'the same moment is no change');
      }
    });

    test('catalogue §2: it must be on release_date in some time zone, from UTC+14 to UTC−12', async () => {
      for (const release_at of ['2027-01-14T10:00:00Z', '2027-01-16T11:59:59.999Z']) {
        assert.equal((await create({ release_at })).status, 201, release_at);
      }
      for (const release_at of ['2027-01-14T09:59:59.999Z', '2027-01-16T12:00:00Z']) {
        await assertRefused({ release_at }, [
          'invalid_field',
          'release_at',
          /must be on release_date, .* in some time zone/,
        ]);
      }
      await assertRefused({ release_at: '2027-01-15' }, [
        'invalid_field',
        'release_at',
        /must be a timestamp such as/,
      ]);
    });

    test('catalogue §2: a PATCH of either is judged with the other', async () => {
      const { json } = await create({ release_at: '2027-01-15T12:00:00Z' });
      const alone = await patch(json.id, { release_date: '2027-02-15' });
      assert.deepEqual([alone.status, alone.json.error.details[0].field], [422, 'release_at']);
      assert.deepEqual(await get(json.id), json);
      const near = await patch(json.id, { release_date: '2027-01-16' });
      assert.equal(near.status, 200, 'that day has begun in Auckland');
      const body = { release_date: '2027-02-15', release_at: '2027-02-15T12:00:00.000Z' };
      const both = await patch(json.id, body);
      assert.deepEqual({ ...both.json, ...body }, both.json);
      const cleared = await patch(json.id, { release_date: '2027-03-15', release_at: null });
      assert.deepEqual([cleared.status, cleared.json.release_at], [200, null]);
    });
  });

  describe('pre_order_date', () => {
    test('catalogue §2: before release_date', async () => {
      assert.equal((await create({ pre_order_date: '2027-01-14' })).status, 201);
      for (const pre_order_date of ['2027-01-15', '2027-01-16']) {
        await assertRefused({ pre_order_date }, [
          'invalid_field',
          'pre_order_date',
          /must be before release_date/,
        ]);
      }
    });

    test('catalogue §2: a PATCH of release_date alone is judged with it', async () => {
      const { json } = await create({ pre_order_date: '2027-01-01' });
      const earlier = await patch(json.id, { release_date: '2027-01-01' });
      const [detail] = earlier.json.error.details;
      assert.deepEqual([earlier.status, detail.field], [422, 'pre_order_date']);
      assert.deepEqual(await get(json.id), json);
      assert.equal((await patch(json.id, { release_date: '2027-01-02' })).status, 200);
    });

    test('contract §7: details list both, when release_at and pre_order_date no longer fit', async () => {
      const { json } = await create({
        pre_order_date: '2027-01-01',
        release_at: '2027-01-15T12:00:00Z',
      });
      const reply = await patch(json.id, { release_date: '2026-12-24' });
      assert.equal(reply.status, 422);
      assert.deepEqual(
        reply.json.error.details.map(({ field }: { field: string }) => field),
        ['release_at', 'pre_order_date'],
      );
    });
  });
});
