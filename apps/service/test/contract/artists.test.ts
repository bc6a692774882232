/** Artists as resources of their own (catalogue §3, contract §4). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sandboxQuotas } from '../../src/identity/domain/quota-policy.ts';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { codeOf, fieldsOf, type Json } from '../delivery-fixture.ts';
import { draft, openTestService, type OrgClient, type TestService } from '../test-service.ts';

const unknownId = 'art_01h455vb4pex5vsknk084sn02q';

describe('artists', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-16T09:00:00Z' });
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const create = async (fields: object, caller = label): Promise<Json> => {
    const reply = await caller.call('POST', '/v1/artists', fields);
    assert.equal(reply.status, 201, reply.text);
    return reply.json;
  };
  const list = async (query: string, caller = label): Promise<readonly string[]> =>
    (await caller.call('GET', `/v1/artists?${query}`)).json.data.map(({ name }: Json) => name);

  test('catalogue §3: POST creates an artist of a name alone, with the other fields empty', async () => {
    const reply = await label.call('POST', '/v1/artists', { name: 'Ida Berg' });
    assert.equal(reply.status, 201, reply.text);
    const { id, ...artist } = reply.json;
    assert.match(id, /^art_/);
    assert.equal(reply.headers.get('location'), `/v1/artists/${id}`);
    assert.deepEqual(artist, {
      reference: null,
      metadata: {},
      name: 'Ida Berg',
      isni: null,
      ipi: null,
      localized_names: {},
      store_profiles: {},
      merged_into: null,
      created_at: '2026-11-16T09:00:00.000Z',
      updated_at: '2026-11-16T09:00:00.000Z',
    });
    assert.deepEqual((await label.call('GET', `/v1/artists/${id}`)).json, reply.json);
  });

  test('catalogue §3: every field is stored, and read as it was sent', async () => {
    const sent = {
      name: 'Haru Minase',
      reference: 'our-7',
      metadata: { note: 'x' },
      isni: '000000012103268X',
      ipi: '00052210040',
      localized_names: { ja: '皆瀬 ハル', 'zh-Hant': '皆瀨' },
      store_profiles: { aurora: '4Z8', beatlane: 'new' },
    };
    const { id } = await create(sent);
    const { json } = await label.call('GET', `/v1/artists/${id}`);
    for (const [name, value] of Object.entries(sent)) assert.deepEqual(json[name], value, name);
  });

  test('contract §1: fields that are read-only, unknown, malformed or too long are refused', async () => {
    const refusals: readonly [object, string, string][] = [
      [{}, 'missing_required_field', 'name'],
      [{ name: 'A', merged_into: unknownId }, 'read_only_field', 'merged_into'],
      [{ name: 'A', labels: [] }, 'unknown_field', 'labels'],
      [{ name: 'A', isni: '123' }, 'invalid_field', 'isni'],
      [{ name: 'A', ipi: 'I-1' }, 'invalid_field', 'ipi'],
      [{ name: ' ' }, 'invalid_field', 'name'],
      [{ name: 'A', localized_names: { German: 'B' } }, 'invalid_field', 'localized_names.German'],
    ];
    for (const [body, code, field] of refusals) {
      const reply = await label.call('POST', '/v1/artists', body);
      assert.deepEqual([...codeOf(reply), ...fieldsOf(reply)], [422, code, field], reply.text);
    }
    const names = Object.fromEntries(
      Array.from({ length: 45 }, (_, i) => [`de-AA${i}`, 'n'.repeat(100)]),
    );
    const long = await label.call('POST', '/v1/artists', { name: 'A', localized_names: names });
    assert.deepEqual(
      [...codeOf(long), ...fieldsOf(long)],
      [422, 'invalid_field', 'store_profiles'],
    );
  });

  test('catalogue §3: a profile at a store that does not exist is refused', async () => {
    const body = { name: 'A', store_profiles: { aurora: '1', nowhere: '2' } };
    const created = await label.call('POST', '/v1/artists', body);
    assert.deepEqual(codeOf(created), [422, 'invalid_field']);
    assert.deepEqual(fieldsOf(created), ['store_profiles.nowhere']);
    const { id } = await create({ name: 'Without a store' });
    const patched = await label.call('PATCH', `/v1/artists/${id}`, body);
    assert.deepEqual(fieldsOf(patched), ['store_profiles.nowhere']);
  });

  test('catalogue §3: one ISNI is one artist; a second one with it is refused and names the first', async () => {
    const isni = '0000000121032683';
    const first = await create({ name: 'One', isni });
    const second = await label.call('POST', '/v1/artists', { name: 'Two', isni });
    assert.deepEqual(codeOf(second), [422, 'invalid_field']);
    assert.deepEqual(fieldsOf(second), ['isni']);
    assert.ok(second.text.includes(first.id), second.text);
    const other = await create({ name: 'Two' });
    const patched = await label.call('PATCH', `/v1/artists/${other.id}`, { isni });
    assert.deepEqual(fieldsOf(patched), ['isni']);
    const again = await label.call('PATCH', `/v1/artists/${first.id}`, { isni, name: 'One' });
    assert.equal(again.status, 200, 'its own ISNI');
    const stranger = await service.givenOrganization();
    await create({ name: 'Elsewhere', isni }, stranger);
  });

  test('contract §2: a reference is unique in the organization', async () => {
    const first = await create({ name: 'R', reference: 'ref-1' });
    const reply = await label.call('POST', '/v1/artists', { name: 'S', reference: 'ref-1' });
    assert.deepEqual([...codeOf(reply), ...fieldsOf(reply)], [422, 'invalid_field', 'reference']);
    assert.ok(reply.text.includes(first.id));
  });

  test('catalogue §3: artists of the same name are accepted', async () => {
    const caller = await service.givenOrganization();
    const [one, two] = [await create({ name: 'Mo' }, caller), await create({ name: 'Mo' }, caller)];
    assert.notEqual(one.id, two.id);
  });

  test('contract §4: the list is newest first, paged, and filtered by the beginning of a name, isni and reference', async () => {
    const caller = await service.givenOrganization();
    const names = ['Aurora Díaz', 'aurora borealis', 'The Aurora', 'ÉTÉ', 'Mo  Li'];
    for (const [i, name] of names.entries()) {
      await service.clock.set(`2026-11-16T09:00:0${i}Z`);
      await create({ name, reference: `r${i}`, isni: `000000000000000${i}` }, caller);
    }
    await service.clock.set('2026-11-16T09:00:00Z');
    assert.deepEqual(await list('', caller), names.toReversed());
    assert.deepEqual(await list('name=AURORA', caller), ['aurora borealis', 'Aurora Díaz']);
    assert.deepEqual(await list(`name=${encodeURIComponent('été')}`, caller), ['ÉTÉ']);
    assert.deepEqual(await list('name=mo%20l', caller), ['Mo  Li']);
    assert.deepEqual(await list('name=%25', caller), []);
    assert.deepEqual(await list('isni=0000000000000002', caller), ['The Aurora']);
    assert.deepEqual(await list('reference=r3', caller), ['ÉTÉ']);
    const page = await caller.call('GET', '/v1/artists?limit=2');
    assert.equal(page.json.has_more, true);
    const cursor = encodeURIComponent(page.json.next_cursor);
    assert.deepEqual(await list(`limit=2&cursor=${cursor}`, caller), [
      'The Aurora',
      'aurora borealis',
    ]);
    const other = await caller.call('GET', `/v1/artists?limit=2&name=a&cursor=${cursor}`);
    assert.deepEqual(codeOf(other), [400, 'invalid_cursor'], 'bound to its filters');
    for (const query of ['isni=1', 'limit=101', 'nam=a']) {
      const reply = await caller.call('GET', `/v1/artists?${query}`);
      assert.deepEqual(codeOf(reply), [400, 'invalid_parameter'], query);
    }
  });

  test('contract §4: PATCH changes the named fields only; null clears; If-Match must match', async () => {
    const { id } = await create({
      name: 'Before',
      ipi: '00052210040',
      store_profiles: { aurora: '1', beatlane: '2' },
    });
    const read = await label.call('GET', `/v1/artists/${id}`);
    const etag = read.headers.get('etag') ?? '';
    await service.clock.set('2026-11-16T10:00:00Z');
    const patch = { name: 'After', ipi: null, store_profiles: { aurora: 'new' } };
    const reply = await label.call('PATCH', `/v1/artists/${id}`, patch, { 'if-match': etag });
    assert.equal(reply.status, 200, reply.text);
    const { name, ipi, store_profiles, updated_at } = reply.json;
    assert.deepEqual([name, ipi, store_profiles], ['After', null, { aurora: 'new' }]);
    assert.equal(updated_at, '2026-11-16T10:00:00.000Z');
    const stale = await label.call('PATCH', `/v1/artists/${id}`, patch, { 'if-match': etag });
    assert.deepEqual(codeOf(stale), [412, 'precondition_failed']);
    const cleared = await label.call('PATCH', `/v1/artists/${id}`, { store_profiles: null });
    assert.deepEqual(cleared.json.store_profiles, {});
  });

  test('contract §5: an unknown artist, a malformed id and one of another organization are the same 404', async () => {
    const { id } = await create({ name: 'Mine' });
    const stranger = await service.givenOrganization();
    const texts = new Set<string>();
    for (const each of [id, unknownId, 'art_1']) {
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PATCH', '', { name: 'B' }],
        ['DELETE', '', undefined],
        ['POST', '/merge', { into: unknownId }],
      ] as const) {
        const reply = await stranger.call(method, `/v1/artists/${each}${path}`, body);
        assert.deepEqual(codeOf(reply), [404, 'resource_not_found'], `${method} ${each}`);
        texts.add(reply.json.error.message);
      }
    }
    assert.equal(texts.size, 1);
  });

  test('contract §4: an artist is deleted while no release and no track names it', async () => {
    const { id } = await create({ name: 'Unused' });
    assert.equal((await label.call('DELETE', `/v1/artists/${id}`)).status, 204);
    assert.equal((await label.call('GET', `/v1/artists/${id}`)).status, 404);
  });

  test('contract §4: the deletion of a used artist is refused and names a release', async () => {
    const artist = await create({ name: 'Used' });
    const { id } = artist;
    const named = draft({ artists: [{ artist_id: id, role: 'main' }] });
    const { json: release } = await label.call('POST', '/v1/releases', named);
    const deletion = () => label.call('DELETE', `/v1/artists/${id}`);
    const used = await deletion();
    assert.deepEqual(codeOf(used), [409, 'invalid_state']);
    assert.ok(used.text.includes(release.id), used.text);
    // Only a track names it now.
    const track = await label.call('POST', '/v1/tracks', {
      release_id: release.id,
      title: 'T',
      isrc: 'QZART2600001',
    });
    assert.equal(track.json.artists[0].artist_id, id, 'the artists of the release');
    const others = { artists: [{ name: 'Mo Falk', role: 'main' }] };
    assert.equal((await label.call('PATCH', `/v1/releases/${release.id}`, others)).status, 200);
    assert.deepEqual(codeOf(await deletion()), [409, 'invalid_state']);
    // A release that no longer names it does not count.
    assert.equal((await label.call('PATCH', `/v1/tracks/${track.json.id}`, others)).status, 200);
    assert.equal((await deletion()).status, 204);
    assert.equal((await label.call('GET', `/v1/releases/${release.id}`)).status, 200);
  });

  test('contract §5: artists need the scopes of releases', async () => {
    const reader = await service.givenOrganization({ scopes: 'releases:read' });
    assert.equal((await reader.call('GET', '/v1/artists')).status, 200);
    const reply = await reader.call('POST', '/v1/artists', { name: 'A' });
    assert.deepEqual(codeOf(reply), [403, 'insufficient_scope']);
  });

  test('contract §7: artists and labels have quotas, which concurrent requests cannot exceed', async () => {
    const caller = await service.givenOrganization();
    const org = toUuid(caller.orgId as Id<'org'>);
    await service.query(
      `insert into catalog_usage values ($1, $2, $3)
       on conflict (org_id) do update set artists = excluded.artists, labels = excluded.labels`,
      [org, sandboxQuotas.artists - 2, sandboxQuotas.labels - 2],
    );
    for (const [path, quota] of [
      ['/v1/artists', 'artists'],
      ['/v1/labels', 'labels'],
    ] as const) {
      const replies = await Promise.all(
        Array.from({ length: 6 }, (_, i) => caller.call('POST', path, { name: `N${i}` })),
      );
      const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
      assert.deepEqual(statuses, [201, 201, 429, 429, 429, 429], quota);
      const refused = replies.find(({ status }) => status === 429);
      assert.deepEqual(refused && fieldsOf(refused), [quota]);
    }
  });
});
