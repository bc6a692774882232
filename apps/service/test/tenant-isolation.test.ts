/** Contract §5: lists and stored answers of another organization. `access-matrix.test.ts` checks ids in paths. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type OrgClient, draft, openTestService, type TestService } from './test-service.ts';

describe('two organizations', () => {
  let service: TestService;
  let owner: OrgClient;
  let stranger: OrgClient;
  let releaseId: string;
  before(async () => {
    service = await openTestService();
    owner = await service.givenOrganization();
    stranger = await service.givenOrganization();
    releaseId = (await owner.call('POST', '/v1/releases', draft({ title: 'Secret Title' }))).json
      .id;
  });
  after(() => service.close());

  test('lists and filters show nothing of the other', async () => {
    const { json } = await owner.call('GET', `/v1/releases/${releaseId}`);
    for (const query of ['', `?upc=${json.upc}`, '?label=Test%20Records', '?status=draft']) {
      const reply = await stranger.call('GET', `/v1/releases${query}`);
      assert.deepEqual(reply.json.data, [], query);
    }
  });

  test('a stored answer is not replayed to another organization', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = draft({ title: 'Secret Title' });
    const mine = await owner.call('POST', '/v1/releases', body, key);
    const theirs = await stranger.call('POST', '/v1/releases', body, key);
    assert.equal(theirs.headers.get('idempotency-replayed'), null);
    assert.notEqual(mine.json.id, theirs.json.id);
  });
});
