/** Reading, changing and deleting a release: spec §3.1, §4.1 and contract §1–§4. One case per rule. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toUuid } from '../../src/kernel/ids.ts';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

describe('a release that exists', () => {
  let service: TestService;
  let label: OrgClient;

  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    label = await service.givenOrganization({ label: 'Northern Lights' });
  });
  after(() => service.close());

  const create = (fields: object = {}, caller = label) =>
    caller.call('POST', '/v1/releases', draft(fields));

  describe('GET /v1/releases/{release_id}', () => {
    test('spec §4.1: returns the release object', async () => {
      const created = await create();
      const { status, text } = await label.call('GET', `/v1/releases/${created.json.id}`);
      assert.equal(status, 200);
      assert.equal(text, created.text);
    });

    for (const id of [
      'rel_01h455vb4pex5vsknk084sn02q',
      'rel_x',
      'trk_01h455vb4pex5vsknk084sn02q',
      '%00',
    ]) {
      test(`contract §7: ${id} is resource_not_found`, async () => {
        const { status, json } = await label.call('GET', `/v1/releases/${id}`);
        assert.equal(status, 404);
        assert.equal(json.error.code, 'resource_not_found');
      });
    }
  });

  describe('PATCH /v1/releases/{release_id}', () => {
    const patch = (id: string, body: object, headers: Record<string, string> = {}) =>
      label.call('PATCH', `/v1/releases/${id}`, body, headers);

    test('spec §4.1: only included fields change', async () => {
      const { json: earlier } = await create({ genre: 'Jazz', territories: ['DE', 'AT'] });
      await service.clock.set('2026-11-15T13:00:00Z');
      const { status, json } = await patch(earlier.id, { title: 'Day Drive' });
      assert.equal(status, 200);
      assert.deepEqual(json, {
        ...earlier,
        title: 'Day Drive',
        revision: 2,
        updated_at: '2026-11-15T13:00:00.000Z',
      });
    });

    test('spec §4.1: the territory list is replaced in full', async () => {
      const { json } = await create({ territories: ['DE', 'AT'] });
      assert.deepEqual((await patch(json.id, { territories: ['US'] })).json.territories, ['US']);
    });

    const changes: readonly [field: string, value: unknown][] = [
      ['title', 'New'],
      ['release_date', '2028-02-29'],
      ['label', 'New Label'],
      ['territories', ['FR']],
      ['artists', [{ name: 'Z', role: 'main' }]],
      ['reference', 'patched'],
      ['metadata', { a: 'b' }],
      ['version', 'Live'],
      ['original_release_date', '1990-01-01'],
      ['excluded_territories', ['RU', 'BY']],
      ['use_types', ['download', 'ad_supported_stream']],
      ['release_at', '2027-01-15T23:30:00.000Z'],
      ['pre_order_date', '2027-01-14'],
      ['type', 'album'],
      ['genre', 'Pop'],
      ['language', 'de'],
      ['p_line', '2027 X'],
      ['c_line', '2027 Y'],
      ['catalog_number', 'C1'],
      ['explicit', 'none'],
      ['ai_use', { artwork: 'partly' }],
    ];
    for (const [field, value] of changes) {
      test(`spec §4.1, contract §2: ${field} can be changed`, async () => {
        const { json } = await create();
        const reply = await patch(json.id, { [field]: value });
        assert.equal(reply.status, 200);
        assert.deepEqual(reply.json[field], value);
        assert.equal(reply.json.revision, 2);
        assert.equal((await label.call('GET', `/v1/releases/${json.id}`)).text, reply.text);
      });
    }

    const refused: readonly [rule: string, body: object, code: string, field: string][] = [
      [
        'spec §4.1: title, 500 characters at most',
        { title: 'x'.repeat(501) },
        'invalid_field',
        'title',
      ],
      ['contract §1: an empty title', { title: '' }, 'invalid_field', 'title'],
      ['contract §1: the title cannot be null', { title: null }, 'invalid_field', 'title'],
      [
        'spec §4.1: at least one main artist',
        { artists: [{ name: 'A', role: 'featured' }] },
        'invalid_field',
        'artists',
      ],
      ['spec §4.1: at least one artist', { artists: [] }, 'invalid_field', 'artists'],
      [
        'contract §2: an artist has a role',
        { artists: [{ name: 'A' }] },
        'missing_required_field',
        'artists[0].role',
      ],
      [
        'contract §1: a date exists in the calendar',
        { release_date: '2025-02-30' },
        'invalid_field',
        'release_date',
      ],
      [
        'contract §1: WORLD is the only entry',
        { territories: ['WORLD', 'DE'] },
        'invalid_field',
        'territories',
      ],
      [
        'spec §7: unknown territory',
        { territories: ['ZZ'] },
        'territory_not_supported',
        'territories[0]',
      ],
      [
        'spec §7: outside the licence',
        { territories: ['AQ'] },
        'territory_not_supported',
        'territories[0]',
      ],
      [
        'contract §1: no entry twice',
        { territories: ['DE', 'DE'] },
        'invalid_field',
        'territories[1]',
      ],
      [
        'contract §2: a reference is unique',
        { reference: 'taken-by-another' },
        'invalid_field',
        'reference',
      ],
      [
        'contract §2: metadata keys have a pattern',
        { metadata: { 'a b': 'v' } },
        'invalid_field',
        'metadata.a b',
      ],
      ['contract §1: unknown fields are refused', { colour: 'red' }, 'unknown_field', 'colour'],
      ...['id', 'upc', 'track_count', 'submission', 'revision', 'created_at', 'updated_at'].map(
        (name): [string, object, string, string] => [
          'contract §1: read-only',
          { [name]: '1' },
          'read_only_field',
          name,
        ],
      ),
    ];
    for (const [rule, body, code, field] of refused) {
      test(`${rule}: PATCH ${JSON.stringify(body).slice(0, 50)} → 422 ${code}, no trace`, async () => {
        const licensed = await service.givenOrganization({ territories: 'DE,AT,US' });
        await create({ reference: 'taken-by-another' }, licensed);
        const { json: earlier } = await create({}, licensed);
        const path = `/v1/releases/${earlier.id}`;
        const { status, json } = await licensed.call('PATCH', path, body);
        assert.deepEqual([status, json.error.code], [422, code]);
        assert.equal(json.error.details[0].field, field);
        assert.deepEqual((await licensed.call('GET', path)).json, earlier);
      });
    }

    test('contract §3: only a change into a taken fingerprint is refused; other changes of a duplicate draft are not', async () => {
      const fields = { upc: '614141000036', label: 'Twins', release_date: '2027-07-01' };
      const [first, second] = [await create(fields), await create(fields)];
      await service.setReleaseStatus(first.json.id, 'submitted');
      assert.equal((await patch(second.json.id, { title: 'Still a draft' })).status, 200);
    });

    test('null clears an optional field', async () => {
      const { json } = await create({ genre: 'Pop', reference: 'gone', metadata: { a: 'b' } });
      const reply = await patch(json.id, { genre: null, reference: null, metadata: null });
      assert.equal(reply.json.genre, null);
      assert.equal(reply.json.reference, null);
      assert.deepEqual(reply.json.metadata, {});
    });

    test('contract §3: revision counts changes; a PATCH with the same values is not one', async () => {
      const { json } = await create({ metadata: { a: '1', b: '2' } });
      const same = await patch(json.id, { title: json.title, metadata: { b: '2', a: '1' } });
      assert.equal(same.status, 200);
      assert.deepEqual(same.json, json);
      assert.equal((await patch(json.id, {})).json.revision, 1);
    });

    test('contract §3: upc is fixed at creation', async () => {
      const { json } = await create();
      const reply = await patch(json.id, { upc: '036000291452' });
      assert.equal(reply.status, 422);
      assert.equal(reply.json.error.code, 'read_only_field');
    });

    test('contract §1: an artwork id of no asset is an invalid field', async () => {
      const { json } = await create();
      const reply = await patch(json.id, { artwork_asset_id: 'ast_01h455vb4pex5vsknk084sn02q' });
      assert.equal(reply.status, 422);
      assert.equal(reply.json.error.code, 'invalid_field');
      assert.equal(reply.json.error.details[0].field, 'artwork_asset_id');
    });

    test('contract §3: PATCH into the fingerprint of a submitted release is refused', async () => {
      const upc = '614141000036';
      const taken = await create({ upc, label: 'Gemini', release_date: '2027-05-01' });
      await service.setReleaseStatus(taken.json.id, 'submitted');
      const { json } = await create({ upc, label: 'Gemini', release_date: '2027-05-02' });
      const reply = await patch(json.id, { release_date: '2027-05-01' });
      assert.equal(reply.status, 409);
      assert.equal(reply.json.error.code, 'duplicate_submission');
      assert.equal((await label.call('GET', `/v1/releases/${json.id}`)).json.revision, 1);
    });

    test('contract §3: a release that was submitted or rejected can still be changed', async () => {
      for (const status of ['submitted', 'delivered', 'rejected']) {
        const { json } = await create();
        await service.setReleaseStatus(json.id, status);
        const reply = await patch(json.id, { title: 'Mended' });
        assert.equal(reply.status, 200);
        assert.equal(reply.json.status, status);
      }
    });

    test('contract §4: updated_at never decreases, so updated_since misses nothing', async () => {
      const { json } = await create();
      await service.clock.set('2026-11-15T14:00:00Z');
      const later = await patch(json.id, { title: 'Later' });
      await service.clock.set('2026-11-15T13:59:00Z');
      const earlier = await patch(json.id, { title: 'By a clock behind' });
      assert.equal(earlier.json.revision, later.json.revision + 1);
      assert.equal(earlier.json.updated_at, later.json.updated_at);
    });

    test('of twenty concurrent changes none is lost', async () => {
      const { json } = await create();
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, i) => patch(json.id, { title: `Title ${i}` })),
      );
      assert.deepEqual(
        replies.map((reply) => reply.json.revision).toSorted((a, b) => a - b),
        Array.from({ length: 20 }, (_, i) => i + 2),
      );
    });
  });

  describe('DELETE /v1/releases/{release_id}', () => {
    test('contract §4: a draft is deleted with its revisions, 204', async () => {
      const { json } = await create();
      const { status, text } = await label.call('DELETE', `/v1/releases/${json.id}`);
      assert.deepEqual([status, text], [204, '']);
      assert.equal((await label.call('GET', `/v1/releases/${json.id}`)).status, 404);
      assert.equal((await label.call('DELETE', `/v1/releases/${json.id}`)).status, 404);
      const rows = await service.query('select 1 from release_revisions where release_id = $1', [
        toUuid(json.id),
      ]);
      assert.equal(rows.length, 0);
    });

    for (const status of ['submitted', 'delivered', 'rejected']) {
      test(`contract §4: a ${status} release is not deleted`, async () => {
        const { json } = await create();
        await service.setReleaseStatus(json.id, status);
        const reply = await label.call('DELETE', `/v1/releases/${json.id}`);
        assert.equal(reply.status, 409);
        assert.equal(reply.json.error.code, 'invalid_state');
        assert.equal((await label.call('GET', `/v1/releases/${json.id}`)).status, 200);
      });
    }
  });
});
