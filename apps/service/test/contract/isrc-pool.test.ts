/** Catalogue §1.7: an ISRC once given to a track is never given out again by the pool. */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  type OrgClient,
  draft,
  openTestService,
  type Reply,
  type TestService,
} from '../test-service.ts';

type Json = Reply['json'];

describe('the ISRC pool', () => {
  let service: TestService;
  let caller: OrgClient;
  let code: string;
  let registrants = 0;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
  });
  after(() => service.close());
  beforeEach(async () => {
    caller = await service.givenOrganization();
    code = `QZP${String(++registrants).padStart(2, '0')}`;
  });
  const addRegistrant = () =>
    service.admin('isrc', 'add-registrant', '--org', caller.orgId, '--code', code);
  const isrcOf = (designation: number): string =>
    `${code.slice(0, 2)}-${code.slice(2)}-26-${String(designation).padStart(5, '0')}`;
  const createRelease = async (): Promise<string> =>
    (await caller.call('POST', '/v1/releases', draft())).json.id;
  const addTrack = async (fields: object = {}): Promise<Json> => {
    const release_id = await createRelease();
    return (await caller.call('POST', '/v1/tracks', { release_id, title: 'T', ...fields })).json;
  };
  const allocate = async (): Promise<string> => (await addTrack()).isrc;

  test('catalogue §1.7: an ISRC that a partner named is never given out, also after its track is deleted', async () => {
    await addRegistrant();
    const { id } = await addTrack({ isrc: isrcOf(1) });
    assert.equal((await caller.call('DELETE', `/v1/tracks/${id}`)).status, 204);
    assert.equal(await allocate(), isrcOf(2));
  });

  test('catalogue §1.7: … also after its release is deleted', async () => {
    await addRegistrant();
    const { release_id } = await addTrack({ isrc: isrcOf(1) });
    assert.equal((await caller.call('DELETE', `/v1/releases/${release_id}`)).status, 204);
    assert.equal(await allocate(), isrcOf(2));
  });

  test('catalogue §1.7: … also after its track was changed to another ISRC, and neither is the other', async () => {
    await addRegistrant();
    const { id } = await addTrack({ isrc: isrcOf(1) });
    for (const isrc of [isrcOf(3), 'GBAAA2600001']) {
      assert.equal((await caller.call('PATCH', `/v1/tracks/${id}`, { isrc })).status, 200);
    }
    assert.deepEqual([await allocate(), await allocate()], [isrcOf(2), isrcOf(4)]);
  });

  test('catalogue §1.7: … also if it was named before the registrant code was added', async () => {
    const { id } = await addTrack({ isrc: isrcOf(1) });
    await caller.call('DELETE', `/v1/tracks/${id}`);
    await addRegistrant();
    assert.equal(await allocate(), isrcOf(2));
  });

  test('catalogue §1.7: an allocated ISRC is never given out again', async () => {
    await addRegistrant();
    const { id, isrc } = await addTrack();
    assert.equal(isrc, isrcOf(1));
    await caller.call('DELETE', `/v1/tracks/${id}`);
    // As if the counter were restored from a backup.
    await service.query('update isrc_years set next_designation = 1 where registrant = $1', [code]);
    assert.equal(await allocate(), isrcOf(2));
  });

  test('a refused request reserves nothing', async () => {
    await addRegistrant();
    const body = { release_id: await createRelease(), title: 'T', isrc: isrcOf(1) };
    const refused = await caller.call('POST', '/v1/tracks', { ...body, territory: ['XX'] });
    assert.equal(refused.status, 422);
    const { id } = await addTrack({ isrc: 'GBAAA2600002' });
    const patch = { isrc: isrcOf(1), audio_asset_id: 'ast_x' };
    assert.equal((await caller.call('PATCH', `/v1/tracks/${id}`, patch)).status, 422);
    assert.equal(await allocate(), isrcOf(1));
  });

  test('what one organization names does not concern the pool of another', async () => {
    await addRegistrant();
    const other = await service.givenOrganization();
    const body = { title: 'T', isrc: isrcOf(1) };
    const { id: release_id } = (await other.call('POST', '/v1/releases', draft())).json;
    assert.equal((await other.call('POST', '/v1/tracks', { ...body, release_id })).status, 201);
    assert.equal(await allocate(), isrcOf(1));
  });
});
