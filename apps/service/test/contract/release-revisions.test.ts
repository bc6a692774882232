/** The revisions of a release: contract §1, §3, §4. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

describe('revisions', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService();
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const create = () => label.call('POST', '/v1/releases', draft());

  describe('GET /v1/releases/{release_id}/revisions', () => {
    test('contract §4: every revision, newest first, and the release as it was at each', async () => {
      const { json: first } = await create();
      const { json: second } = await label.call('PATCH', `/v1/releases/${first.id}`, {
        title: 'Two',
        genre: 'Pop',
      });
      await label.call('PATCH', `/v1/releases/${first.id}`, { title: 'Three' });
      const { status, json } = await label.call('GET', `/v1/releases/${first.id}/revisions`);
      assert.equal(status, 200);
      assert.deepEqual(
        json.data.map((each: { revision: number; changed_fields: string[] }) => [
          each.revision,
          each.changed_fields,
        ]),
        [
          [3, ['title']],
          [2, ['title', 'genre']],
          [1, []],
        ],
      );
      assert.equal(json.data[0].actor.type, 'api_key');
      const getRevision = async (n: number | string) =>
        (await label.call('GET', `/v1/releases/${first.id}/revisions/${n}`)).json;
      const single = await label.call('GET', `/v1/releases/${first.id}/revisions/1`);
      assert.ok(single.headers.get('etag'), 'contract §1: an ETag on a single resource');
      assert.deepEqual((await getRevision(1)).release, first);
      assert.deepEqual((await getRevision(2)).release, second);
      for (const unknown of [0, 4, -1, 'x', '99999999999', '2147483648', '01']) {
        assert.equal((await getRevision(unknown)).error.code, 'resource_not_found');
      }
    });

    test('contract §1: pages of revisions', async () => {
      const { json } = await create();
      for (let i = 0; i < 4; i++) {
        await label.call('PATCH', `/v1/releases/${json.id}`, { title: `T${i}` });
      }
      const collected: number[] = [];
      let cursor = '';
      do {
        const page = await label.call('GET', `/v1/releases/${json.id}/revisions?limit=2${cursor}`);
        collected.push(...page.json.data.map(({ revision }: { revision: number }) => revision));
        cursor = page.json.next_cursor === null ? '' : `&cursor=${page.json.next_cursor}`;
      } while (cursor !== '');
      assert.deepEqual(collected, [5, 4, 3, 2, 1]);
    });
  });
});
