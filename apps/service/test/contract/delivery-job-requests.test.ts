/** What a delivery job is refused for as a whole (contract §1, §4, §7), and that such a refusal leaves no trace. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  codeOf,
  fieldsOf,
  openDeliveryFixture,
  type DeliveryFixture,
  type Json,
  withoutRequestIds,
} from '../delivery-fixture.ts';
import { type OrgClient, draft } from '../test-service.ts';

const unknownRelease = 'rel_01h455vb4pex5vsknk084sn02q';

describe('delivery jobs that are refused as a whole', () => {
  let fixture: DeliveryFixture;
  let label: OrgClient;
  let release_id: string;
  before(async () => {
    fixture = await openDeliveryFixture();
    label = fixture.label;
    release_id = (await label.call('POST', '/v1/releases', draft())).json.id;
  });
  after(() => fixture.close());

  const post = (body: unknown, caller = label, headers?: Record<string, string>) =>
    caller.call('POST', '/v1/delivery_jobs', body, headers);
  const destination = { stores: ['aurora', 'indigo'], territory_codes: ['US'] };
  /** A deliver job with three sound items before the given one: `items[3]`. */
  const deliver = (item: object, job: object = destination) => ({
    action: 'deliver',
    ...job,
    items: [{ release_id }, { release_id }, { release_id }, { release_id, ...item }],
  });
  const takeDown = (item: object, job: object = {}) => ({
    ...deliver(item, job),
    action: 'takedown',
  });
  const countJobs = async (): Promise<number> => {
    const [row] = await fixture.service.query(
      'select (select count(*) from delivery_jobs) + (select count(*) from delivery_job_items) as count',
    );
    return Number(row.count);
  };

  describe('contract §7: missing_required_field', () => {
    test('lists every missing field of every item at once, those of the schema and those of the action', async () => {
      const items = [
        {},
        { release_id },
        { release_id, ...destination },
        { stores: ['aurora'] },
        { territory_codes: ['US'] },
      ];
      const reply = await post({ action: 'deliver', items });
      assert.deepEqual(codeOf(reply), [422, 'missing_required_field']);
      assert.deepEqual(fieldsOf(reply), [
        'items[0].release_id',
        'items[0].stores',
        'items[0].territory_codes',
        'items[1].stores',
        'items[1].territory_codes',
        'items[3].release_id',
        'items[3].territory_codes',
        'items[4].release_id',
        'items[4].stores',
      ]);
      assert.match(
        reply.json.error.message,
        /^items\[0\]\.release_id is required.*\. 8 more problems are listed in details\.$/,
      );
    });

    test('what the job has is not missing in its items; a takedown needs neither', async () => {
      const items = [{ release_id: 1 }, {}];
      const fieldsWith = async (job: object) => fieldsOf(await post({ ...job, items }));
      assert.deepEqual(await fieldsWith({ action: 'deliver', ...destination }), [
        'items[1].release_id',
        'items[0].release_id',
      ]);
      assert.deepEqual(await fieldsWith({ action: 'deliver', stores: ['aurora'] }), [
        'items[0].territory_codes',
        'items[1].release_id',
        'items[1].territory_codes',
        'items[0].release_id',
      ]);
      assert.deepEqual(await fieldsWith({ action: 'takedown' }), [
        'items[1].release_id',
        'items[0].release_id',
      ]);
    });

    test('wins over every other violation, which is still listed', async () => {
      const items = [{ release_id }, { release_id: 7, ...destination, colour: 'red' }];
      const reply = await post({ action: 'deliver', items });
      assert.deepEqual(codeOf(reply), [422, 'missing_required_field']);
      assert.deepEqual(fieldsOf(reply), [
        'items[0].stores',
        'items[0].territory_codes',
        'items[1].colour',
        'items[1].release_id',
      ]);
      const unknownStore = [{ release_id }, { release_id, ...destination, stores: ['nobody'] }];
      assert.deepEqual(codeOf(await post({ action: 'deliver', items: unknownStore })), [
        422,
        'missing_required_field',
      ]);
    });

    test('lists 100 of 3,000 and says how many more there are', async () => {
      const items = Array.from({ length: 1_000 }, () => ({}));
      const reply = await post({ action: 'deliver', items });
      assert.deepEqual(codeOf(reply), [422, 'missing_required_field']);
      assert.equal(fieldsOf(reply).length, 100);
      assert.match(reply.json.error.message, /2900 more missing fields are not listed\.$/);
    });
  });

  describe('contract §1: invalid_field', () => {
    const refused: readonly [what: string, body: () => object, field: string, issue: RegExp][] = [
      [
        'an unknown store of an item',
        () => deliver({ stores: ['aurora', 'nobody'] }),
        'items[3].stores[1]',
        / has "nobody", which is not a store of the network; GET \/v1\/stores lists the stores\.$/,
      ],
      [
        'an unknown store of the job',
        () => deliver({}, { ...destination, stores: ['nobody'] }),
        'stores[0]',
        / is not a store of the network; GET \/v1\/stores lists the stores\.$/,
      ],
      [
        'an unknown store of a takedown',
        () => takeDown({ stores: ['aurora', 'nobody'] }),
        'items[3].stores[1]',
        / is not a store of the network; GET \/v1\/stores lists the stores\.$/,
      ],
      [
        'an unknown store of a takedown job',
        () => takeDown({}, { stores: ['nobody'] }),
        'stores[0]',
        / is not a store of the network; GET \/v1\/stores lists the stores\.$/,
      ],
      [
        'a store that is listed twice',
        () => deliver({ stores: ['aurora', 'indigo', 'aurora'] }),
        'items[3].stores[2]',
        / is listed twice; list it once\.$/,
      ],
      [
        'an unknown release',
        () => deliver({ release_id: unknownRelease }),
        'items[3].release_id',
        / must be the id of a release of yours\.$/,
      ],
      [
        'a malformed release id',
        () => deliver({ release_id: 'x' }),
        'items[3].release_id',
        / must be the id of a release of yours\.$/,
      ],
      [
        'an unknown release of a takedown',
        () => takeDown({ release_id: unknownRelease }),
        'items[3].release_id',
        / must be the id of a release of yours\.$/,
      ],
      [
        'WORLDWIDE with other codes',
        () => deliver({ territory_codes: ['WORLDWIDE', 'US'] }),
        'items[3].territory_codes',
        / combines WORLD with other territories/,
      ],
      [
        'a reason in a deliver job',
        () => deliver({ reason: 'x' }),
        'items[3].reason',
        / is not used by deliver jobs; remove it\.$/,
      ],
      [
        'territories of an item of a takedown job',
        () => takeDown({ territory_codes: ['US'] }),
        'items[3].territory_codes',
        / is not used by takedown jobs; remove it\.$/,
      ],
      [
        'territories of a takedown job, once',
        () => takeDown({}, { territory_codes: ['US'] }),
        'territory_codes',
        / is not used by takedown jobs; remove it\.$/,
      ],
    ];
    for (const [what, body, field, issue] of refused) {
      test(`${what} is ${field}, and nothing is written`, async () => {
        const earlier = await countJobs();
        const reply = await post(body());
        assert.deepEqual(codeOf(reply), [422, 'invalid_field'], reply.text);
        assert.deepEqual(fieldsOf(reply), [field]);
        assert.match(reply.json.error.details[0].issue, issue);
        assert.equal(await countJobs(), earlier);
      });
    }

    test('contract §5: a release of another organization answers exactly as an unknown one', async () => {
      const other = await fixture.service.givenOrganization();
      const { json: foreign } = await other.call('POST', '/v1/releases', draft());
      const replies = [
        await post(deliver({ release_id: foreign.id })),
        await post(deliver({ release_id: unknownRelease })),
      ];
      assert.equal(new Set(replies.map(withoutRequestIds)).size, 1);
    });
  });

  describe('spec §7: territory_not_supported', () => {
    let local: OrgClient;
    let draftOfLocal: string;
    before(async () => {
      local = await fixture.service.givenOrganization({ territories: 'DE,AT' });
      draftOfLocal = (await local.call('POST', '/v1/releases', draft())).json.id;
    });
    const postLocal = (item: object, job: object) =>
      post({ action: 'deliver', ...job, items: [{ release_id: draftOfLocal, ...item }] }, local);
    const refused: readonly [code: string, issue: string][] = [
      ['XX', 'must be an ISO 3166-1 alpha-2 code such as "DE"'],
      [
        'AQ',
        'is not available at any store; remove it (GET /v1/stores/territories lists the codes)',
      ],
      ['US', 'is outside your license; remove it, or ask support to license it'],
    ];
    for (const [code, issue] of refused) {
      test(`${code} ${issue}: named in the item and in the job`, async () => {
        const ofItem = await postLocal({ territory_codes: ['DE', code] }, { stores: ['aurora'] });
        assert.deepEqual(codeOf(ofItem), [422, 'territory_not_supported'], ofItem.text);
        assert.deepEqual(ofItem.json.error.details, [
          {
            field: 'items[0].territory_codes[1]',
            issue: `items[0].territory_codes[1] ${issue}.`,
          },
        ]);
        const ofJob = await postLocal({}, { stores: ['aurora'], territory_codes: [code] });
        assert.deepEqual(codeOf(ofJob), [422, 'territory_not_supported']);
        assert.deepEqual(ofJob.json.error.details, [
          { field: 'territory_codes[0]', issue: `territory_codes[0] ${issue}.` },
        ]);
      });
    }
  });

  test('contract §4: every violation of the job and of every item is listed at once', async () => {
    const reply = await post({
      action: 'deliver',
      stores: ['nobody'],
      territory_codes: ['AQ'],
      items: [
        { release_id: unknownRelease, stores: ['noone'], reason: 'x' },
        { release_id, territory_codes: ['US', 'XX'] },
      ],
    });
    assert.deepEqual(codeOf(reply), [422, 'invalid_field']);
    assert.deepEqual(fieldsOf(reply), [
      'stores[0]',
      'territory_codes[0]',
      'items[0].release_id',
      'items[0].stores[0]',
      'items[0].reason',
      'items[1].territory_codes[1]',
    ]);
  });

  test('details name the first 100 of 1,000 unknown releases, and the message says so', async () => {
    const items = Array.from({ length: 1_000 }, () => ({ release_id: unknownRelease }));
    const reply = await post({ action: 'takedown', items });
    assert.deepEqual(codeOf(reply), [422, 'invalid_field']);
    assert.equal(fieldsOf(reply).length, 100);
    assert.match(reply.json.error.message, /Details list the first 100 of 1000\.$/);
  });

  test('contract §8: the refusal is not stored: the corrected job may use the same key', async () => {
    const key = { 'idempotency-key': randomUUID() };
    assert.equal((await post(deliver({ stores: ['nobody'] }), label, key)).status, 422);
    assert.equal((await post(deliver({}), label, key)).status, 202);
    await fixture.runUntilIdle();
  });

  test('contract §4: the state of a release is the result of its item', async () => {
    const created = await post(deliver({}));
    assert.equal(created.status, 202, created.text);
    await fixture.runUntilIdle();
    const { json } = await label.call('GET', `/v1/delivery_jobs/${created.json.id}`);
    assert.deepEqual(
      json.items.map(({ error }: Json) => error.code),
      Array.from({ length: 4 }, () => 'invalid_state'),
    );
  });
});
