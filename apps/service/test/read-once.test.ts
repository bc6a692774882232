/** `readOnce`: one statement and its organization, in a transaction that ends with the batch, on one connection. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '../src/kernel/clock.ts';
import { type OrgId, toUuid } from '../src/kernel/ids.ts';
import { createIds } from '../src/platform/crypto/new-id.ts';
import { type Database, openDatabase } from '../src/platform/db/database.ts';
import { type Sql, sql } from '../src/platform/db/sql.ts';
import { databaseUrl, draft, openTestService, type TestService } from './test-service.ts';

describe('one statement that only reads', () => {
  let service: TestService;
  let db: Database;
  let owner: OrgId;
  let other: OrgId;
  before(async () => {
    service = await openTestService();
    db = openDatabase({
      url: databaseUrl(service.database, 'tonearm_app'),
      // What one read leaves behind is there for the next.
      connectionsMax: 1,
      clock: systemClock,
      newId: createIds(systemClock),
      onIdleError: () => undefined,
    });
    const [partner, stranger] = await service.givenOrganizations(2);
    owner = partner?.orgId as OrgId;
    other = stranger?.orgId as OrgId;
    assert.equal((await partner?.call('POST', '/v1/releases', draft()))?.status, 201);
  });
  after(async () => {
    await db.close();
    await service.close();
  });

  const countReleases = sql`select count(*)::int as count from releases`;
  const readAs = (orgId: OrgId, query: Sql) =>
    db.readOnce(orgId, (tenant) => tenant.query<{ count: number }>(query));

  test('sees the rows of its organization, and no others', async () => {
    assert.deepEqual(await readAs(owner, countReleases), [{ count: 1 }]);
    assert.deepEqual(await readAs(other, countReleases), [{ count: 0 }]);
  });

  test('leaves no organization on its connection', async () => {
    await readAs(owner, countReleases);
    assert.deepEqual(await db.withoutTenant.query(countReleases), [{ count: 0 }]);
  });

  test('cannot write, and the next transaction of its connection can', async () => {
    const renaming = sql`
      update releases set title = 'Changed' where org_id = ${toUuid(owner)} returning 1 as count
    `;
    await assert.rejects(readAs(owner, renaming), { code: '25006' });
    const actor = { type: 'operator', id: 'test' } as const;
    await db.transact({ orgId: owner, actor }, async (tx) => {
      assert.equal((await tx.query(renaming)).length, 1);
    });
  });

  test('that fails leaves neither its organization nor a transaction on its connection', async () => {
    await assert.rejects(readAs(owner, sql`select 1 / ${0}::int as count`), { code: '22012' });
    assert.deepEqual(await db.withoutTenant.query(countReleases), [{ count: 0 }]);
    assert.deepEqual(await readAs(owner, countReleases), [{ count: 1 }]);
  });

  test('is one: a second would be sent without its organization', async () => {
    const reading = db.readOnce(owner, async (tenant) => {
      await tenant.query(countReleases);
      return tenant.query(countReleases);
    });
    await assert.rejects(reading, /readOnce takes one statement/);
  });
});
