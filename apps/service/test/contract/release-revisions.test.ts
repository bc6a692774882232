/** The revisions of a release: contract §1, §3, §4. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findSnapshot } from '../../src/catalog/store/submissions.ts';
import { type OrgId, toUuid } from '../../src/kernel/ids.ts';
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

    test('catalogue §2: rights and windows are named as changed, and shown as they were', async () => {
      const path = `/v1/releases/${(await create()).json.id}`;
      const { json: second } = await label.call('PATCH', path, {
        excluded_territories: ['RU'],
        use_types: ['download'],
        release_at: '2027-01-15T12:00:00Z',
        pre_order_date: '2027-01-01',
      });
      await label.call('PATCH', path, { territories: ['WORLD'], use_types: null });
      const { data } = (await label.call('GET', `${path}/revisions`)).json;
      assert.deepEqual(
        data.map(({ changed_fields }: { changed_fields: string[] }) => changed_fields),
        [
          ['excluded_territories', 'use_types'],
          ['release_at', 'pre_order_date', 'excluded_territories', 'use_types'],
          [],
        ],
      );
      assert.deepEqual((await label.call('GET', `${path}/revisions/2`)).json.release, second);
    });

    test('a revision from before a field existed shows it as null', async () => {
      const { json: first } = await create();
      await service.query(
        `update release_revisions
            set release = release - '{excludedTerritories,useTypes,releaseAt,preOrderDate}'::text[]
          where release_id = $1`,
        [toUuid(first.id)],
      );
      const { json } = await label.call('GET', `/v1/releases/${first.id}/revisions/1`);
      assert.deepEqual(json.release, first);
    });

    test('a snapshot from before a field existed reads it as null, of the release and its tracks', async () => {
      const id = await service.givenSubmittedRelease(label);
      await service.query(
        `update release_snapshots
            set snapshot = snapshot #- '{release,excludedTerritories}' #- '{release,useTypes}' #- '{release,releaseAt}'
                             #- '{release,preOrderDate}' #- '{tracks,0,excludedTerritories}' #- '{tracks,0,useTypes}'
                             #- '{tracks,0,previewStartMs}'
          where release_id = $1`,
        [toUuid(id)],
      );
      const { revision } = (await label.call('GET', `/v1/releases/${id}`)).json;
      const orgId = label.orgId as OrgId;
      const snapshot = await service.db.transact(
        { orgId, actor: { type: 'operator', id: 'test' } },
        (tx) => findSnapshot(tx, orgId, id, revision),
      );
      const [track] = snapshot?.tracks ?? [];
      const { excludedTerritories, useTypes, releaseAt, preOrderDate } = snapshot?.release ?? {};
      assert.deepEqual(
        [excludedTerritories, useTypes, releaseAt, preOrderDate],
        [null, null, null, null],
      );
      assert.deepEqual(
        [track?.excludedTerritories, track?.useTypes, track?.previewStartMs],
        [null, null, null],
      );
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
