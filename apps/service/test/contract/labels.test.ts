/** Labels as resources of their own, and the label of a release (catalogue §3, contract §4). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { codeOf, fieldsOf, type Json } from '../delivery-fixture.ts';
import { draft, openTestService, type OrgClient, type TestService } from '../test-service.ts';

const unknownId = 'lbl_01h455vb4pex5vsknk084sn02q';

describe('labels', () => {
  let service: TestService;
  let partner: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-16T09:00:00Z' });
    partner = await service.givenOrganization({ label: 'House Label' });
  });
  after(() => service.close());

  const create = async (fields: object, caller = partner): Promise<Json> => {
    const reply = await caller.call('POST', '/v1/labels', fields);
    assert.equal(reply.status, 201, reply.text);
    return reply.json;
  };
  const createRelease = async (fields: object = {}, caller = partner): Promise<Json> => {
    const reply = await caller.call('POST', '/v1/releases', draft(fields));
    assert.equal(reply.status, 201, reply.text);
    return reply.json;
  };
  const defaultLabel = async (caller = partner): Promise<Json> =>
    (await caller.call('GET', '/v1/labels?limit=100')).json.data.find(
      ({ is_default }: Json) => is_default,
    );

  test('catalogue §3: POST creates a label; every field is read as it was sent', async () => {
    const sent = {
      name: 'Northern Lights',
      reference: 'nl',
      metadata: { note: 'x' },
      p_line_owner: 'Northern Lights AB',
      c_line_owner: 'Northern Lights AB',
      default_territories: ['DE', 'SE'],
    };
    const reply = await partner.call('POST', '/v1/labels', sent);
    assert.equal(reply.status, 201, reply.text);
    const { id, is_default, created_at, updated_at, ...label } = reply.json;
    assert.match(id, /^lbl_/);
    assert.equal(reply.headers.get('location'), `/v1/labels/${id}`);
    assert.deepEqual(label, sent);
    assert.deepEqual([is_default, created_at], [false, updated_at]);
    assert.deepEqual((await partner.call('GET', `/v1/labels/${id}`)).json, reply.json);
  });

  test('catalogue §3: a name is unique in the organization; the refusal names the other label', async () => {
    const first = await create({ name: 'Twice', reference: 'twice' });
    const second = await partner.call('POST', '/v1/labels', { name: 'Twice' });
    assert.deepEqual([...codeOf(second), ...fieldsOf(second)], [422, 'invalid_field', 'name']);
    assert.ok(second.text.includes(first.id));
    const other = await create({ name: 'Once' });
    const renamed = await partner.call('PATCH', `/v1/labels/${other.id}`, { name: 'Twice' });
    assert.deepEqual(fieldsOf(renamed), ['name']);
    const referenced = await partner.call('POST', '/v1/labels', {
      name: 'New',
      reference: 'twice',
    });
    assert.deepEqual(fieldsOf(referenced), ['reference']);
    await create({ name: 'Twice' }, await service.givenOrganization());
  });

  test('contract §7: default_territories are checked like the territories of a release', async () => {
    const caller = await service.givenOrganization({ territories: 'DE,AT' });
    for (const [codes, code, field] of [
      [['US'], 'territory_not_supported', 'default_territories[0]'],
      [['DE', 'XX'], 'territory_not_supported', 'default_territories[1]'],
      [['WORLD', 'DE'], 'invalid_field', 'default_territories'],
    ] as const) {
      const body = { name: 'L', default_territories: codes };
      const reply = await caller.call('POST', '/v1/labels', body);
      assert.deepEqual([...codeOf(reply), ...fieldsOf(reply)], [422, code, field], reply.text);
    }
    const { id } = await create({ name: 'L' }, caller);
    const patched = await caller.call('PATCH', `/v1/labels/${id}`, { default_territories: ['US'] });
    assert.deepEqual(codeOf(patched), [422, 'territory_not_supported']);
  });

  test('contract §4: PATCH, If-Match and the list with its filters', async () => {
    const { id } = await create({ name: 'Patched', reference: 'p', p_line_owner: 'A' });
    const etag = (await partner.call('GET', `/v1/labels/${id}`)).headers.get('etag') ?? '';
    const match = { 'if-match': etag };
    const body = { name: 'Patched 2', p_line_owner: null, default_territories: ['WORLD'] };
    const { json, status } = await partner.call('PATCH', `/v1/labels/${id}`, body, match);
    assert.deepEqual(
      [status, json.name, json.p_line_owner, json.default_territories],
      [200, 'Patched 2', null, ['WORLD']],
    );
    assert.equal((await partner.call('PATCH', `/v1/labels/${id}`, body, match)).status, 412);
    for (const query of ['name=Patched%202', 'reference=p']) {
      const { data } = (await partner.call('GET', `/v1/labels?${query}`)).json;
      assert.deepEqual(
        data.map(({ id: found }: Json) => found),
        [id],
        query,
      );
    }
    const page = await partner.call('GET', '/v1/labels?limit=1');
    assert.deepEqual([page.json.data.length, page.json.has_more], [1, true]);
  });

  test('contract §5: an unknown label and one of another organization are the same 404', async () => {
    const { id } = await create({ name: 'Mine' });
    const stranger = await service.givenOrganization();
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { name: 'B' }],
      ['DELETE', undefined],
    ] as const) {
      const replies = [];
      for (const each of [id, unknownId, 'lbl_1'])
        replies.push(await stranger.call(method, `/v1/labels/${each}`, body));
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([404]));
      assert.equal(new Set(replies.map(({ json }) => json.error.message)).size, 1);
    }
  });

  test('catalogue §3: the default label of the account is one of them, and a release without a label has it', async () => {
    const label = await defaultLabel();
    assert.equal(label.name, 'House Label');
    const release = await createRelease();
    assert.deepEqual([release.label, release.label_id], ['House Label', label.id]);
    const deletion = await partner.call('DELETE', `/v1/labels/${label.id}`);
    assert.deepEqual(codeOf(deletion), [409, 'invalid_state']);
    const caller = await service.givenOrganization({ label: 'Unused' });
    const unused = await caller.call('DELETE', `/v1/labels/${(await defaultLabel(caller)).id}`);
    assert.deepEqual(codeOf(unused), [409, 'invalid_state'], 'also while no release has it');
  });

  test('a release without a label gets the new name of a renamed default label', async () => {
    const caller = await service.givenOrganization({ label: 'Before' });
    const label = await defaultLabel(caller);
    const first = await createRelease({}, caller);
    await caller.call('PATCH', `/v1/labels/${label.id}`, { name: 'After' });
    const second = await createRelease({}, caller);
    assert.deepEqual([first.label, second.label], ['Before', 'After']);
    assert.deepEqual([first.label_id, second.label_id], [label.id, label.id]);
  });

  test('catalogue §3: label_id sets label; label alone is matched to the label of that name', async () => {
    const label = await create({ name: 'Matched' });
    const byId = await createRelease({ label_id: label.id });
    assert.deepEqual([byId.label, byId.label_id], ['Matched', label.id]);
    const byName = await createRelease({ label: 'Matched' });
    assert.deepEqual([byName.label, byName.label_id], ['Matched', label.id]);
    const both = await createRelease({ label: 'Matched', label_id: label.id });
    assert.equal(both.label_id, label.id);
    const free = await createRelease({ label: 'No Label Of Mine' });
    assert.deepEqual([free.label, free.label_id], ['No Label Of Mine', null]);
    const path = `/v1/releases/${free.id}`;
    const { json: patched } = await partner.call('PATCH', path, { label_id: label.id });
    assert.deepEqual([patched.label, patched.label_id, patched.revision], ['Matched', label.id, 2]);
    const { changed_fields } = (await partner.call('GET', `${path}/revisions/2`)).json;
    assert.deepEqual(changed_fields, ['label', 'label_id']);
    const { json: freed } = await partner.call('PATCH', path, { label: 'Free again' });
    assert.deepEqual([freed.label, freed.label_id], ['Free again', null]);
  });

  test('catalogue §3: label and label_id that differ, and an unknown label_id, are refused', async () => {
    const label = await create({ name: 'One Name' });
    const stranger = await service.givenOrganization();
    const foreign = await create({ name: 'Theirs' }, stranger);
    const release = await createRelease();
    const send = (fields: object) => [
      partner.call('POST', '/v1/releases', draft(fields)),
      partner.call('PATCH', `/v1/releases/${release.id}`, fields),
    ];
    for (const reply of await Promise.all(send({ label: 'Another', label_id: label.id }))) {
      assert.deepEqual([...codeOf(reply), ...fieldsOf(reply)], [422, 'invalid_field', 'label']);
    }
    const texts = new Set<string>();
    for (const label_id of [foreign.id, unknownId, 'x']) {
      for (const reply of await Promise.all(send({ label_id }))) {
        assert.deepEqual(
          [...codeOf(reply), ...fieldsOf(reply)],
          [422, 'invalid_field', 'label_id'],
        );
        texts.add(reply.json.error.message);
      }
    }
    assert.equal(texts.size, 1);
  });

  test('catalogue §3: renaming a label changes no release; sending label_id again does', async () => {
    const label = await create({ name: 'Old Label' });
    const release = await createRelease({ label_id: label.id });
    await partner.call('PATCH', `/v1/labels/${label.id}`, { name: 'New Label' });
    const path = `/v1/releases/${release.id}`;
    assert.deepEqual((await partner.call('GET', path)).json, release);
    const { json } = await partner.call('PATCH', path, { label_id: label.id });
    assert.deepEqual([json.label, json.revision], ['New Label', 2]);
  });

  test('catalogue §3: default_territories are those of a release that is created without territories', async () => {
    const label = await create({ name: 'Nordic', default_territories: ['NO', 'SE'] });
    const by = async (fields: object) => (await createRelease(fields)).territories;
    assert.deepEqual(await by({ label_id: label.id }), ['NO', 'SE']);
    assert.deepEqual(await by({ label: 'Nordic' }), ['NO', 'SE']);
    assert.deepEqual(await by({ label: 'Nordic', territories: ['DE'] }), ['DE']);
    assert.deepEqual(await by({}), ['WORLD']);
    const excluded = { label: 'Nordic', excluded_territories: ['SE'] };
    const reply = await partner.call('POST', '/v1/releases', draft(excluded));
    assert.deepEqual(fieldsOf(reply), ['excluded_territories'], 'exclusions are for WORLD');
    const release = await createRelease();
    const { json } = await partner.call('PATCH', `/v1/releases/${release.id}`, { label: 'Nordic' });
    assert.deepEqual(json.territories, ['WORLD'], 'only at creation');
  });

  test('contract §4: GET /v1/releases is filtered by label_id', async () => {
    const label = await create({ name: 'Filtered' });
    const ids = [
      await createRelease({ label: 'Filtered' }),
      await createRelease({ label: 'Filtered' }),
    ];
    await partner.call('PATCH', `/v1/labels/${label.id}`, { name: 'Renamed' });
    const { data } = (await partner.call('GET', `/v1/releases?label_id=${label.id}`)).json;
    assert.deepEqual(
      data.map(({ id }: Json) => id),
      ids.map(({ id }) => id).toReversed(),
    );
    const reply = await partner.call('GET', '/v1/releases?label_id=x');
    assert.deepEqual(codeOf(reply), [400, 'invalid_parameter']);
    const other = await partner.call('GET', `/v1/releases?label_id=${unknownId}`);
    assert.deepEqual(other.json.data, []);
  });

  test('contract §4: a label is deleted while no release has it; else the refusal names one', async () => {
    const label = await create({ name: 'Short-lived' });
    const release = await createRelease({ label_id: label.id });
    const deletion = () => partner.call('DELETE', `/v1/labels/${label.id}`);
    const used = await deletion();
    assert.deepEqual(codeOf(used), [409, 'invalid_state']);
    assert.ok(used.text.includes(release.id));
    await partner.call('PATCH', `/v1/releases/${release.id}`, { label: 'Elsewhere' });
    assert.equal((await deletion()).status, 204);
    assert.equal((await partner.call('GET', `/v1/labels/${label.id}`)).status, 404);
  });

  test('a label that is deleted while releases get it: one of the two is refused', async () => {
    for (let round = 0; round < 10; round++) {
      const label = await create({ name: `Raced ${round}` });
      const [release, deletion] = await Promise.all([
        partner.call('POST', '/v1/releases', draft({ label_id: label.id })),
        partner.call('DELETE', `/v1/labels/${label.id}`),
      ]);
      const statuses = [release?.status, deletion?.status].join();
      assert.ok(['201,409', '422,204'].includes(statuses), statuses);
    }
  });
});
