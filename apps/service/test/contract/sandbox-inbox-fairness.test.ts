/** Contract §4 (sandbox row), §7: a full inbox does not affect the inboxes of other organizations. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { until } from '../../../../scripts/servers/server.ts';
import { type OrgId, toUuid } from '../../src/kernel/ids.ts';
import { givenInbox, type InboxFixture, postToInbox } from '../inbox-fixture.ts';
import { databaseUrl, openTestService, type TestService } from '../test-service.ts';

describe('an inbox with too many messages at once', () => {
  let service: TestService;
  let flooded: InboxFixture;
  let other: InboxFixture;
  before(async () => {
    service = await openTestService();
    [flooded, other] = [await givenInbox(service), await givenInbox(service)];
  });
  after(() => service.close());

  test('contract §7: answers 503, while the inbox of another organization accepts everything', async () => {
    // While this transaction locks the row of the inbox, every message for it waits.
    const lock = new pg.Client(databaseUrl(service.database));
    await lock.connect();
    await lock.query('begin');
    await lock.query('select from inboxes where org_id = $1 for update', [
      toUuid(flooded.label.orgId as OrgId),
    ]);
    const refused: Response[] = [];
    const flood = Array.from({ length: 250 }, async (_, i) => {
      const response = await postToInbox(flooded.url, `message ${i}`);
      if (response.status === 503) refused.push(response);
      return response.status;
    });
    await until('the inbox is full', () => refused.length >= 50);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => postToInbox(other.url, `message ${i}`)),
    );
    await lock.query('rollback');
    await lock.end();
    const statuses = await Promise.all(flood);

    assert.deepEqual(
      responses.map(({ status }) => status),
      responses.map(() => 200),
    );
    const counts = [200, 503].map((status) => statuses.filter((each) => each === status).length);
    assert.deepEqual(counts, [200, 50]);
    assert.equal(refused[0]?.headers.get('retry-after'), '1');
  });
});
