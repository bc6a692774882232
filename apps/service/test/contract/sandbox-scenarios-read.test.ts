/** Listing, reading and deleting scenarios: contract §1, §4, §7. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { codeOf, type Json, monday } from '../delivery-fixture.ts';
import { openSandboxFixture, type DrivenPartner, type SandboxFixture } from '../sandbox-fixture.ts';

const confirm = { action: 'confirm' };
const path = '/v1/sandbox/scenarios';

describe('existing scenarios', () => {
  let sandbox: SandboxFixture;
  let partner: DrivenPartner;
  before(async () => {
    sandbox = await openSandboxFixture();
    partner = await sandbox.newPartner();
  });
  after(() => sandbox.close());

  const create = (body: object) => partner.call('POST', '/scenarios', body);
  const countScenarios = async () => {
    const [row] = await sandbox.service.query(
      'select count(*)::int as n from sandbox_scenarios where org_id = $1',
      [toUuid(partner.caller.orgId as Id<'org'>)],
    );
    return row.n;
  };

  const list = (query = '') => partner.ask('GET', `${path}${query}`);
  const idsOf = ({ data }: Json): string[] => data.map(({ id }: Json) => id);

  test('contract §1: listed newest first, page by page', async () => {
    partner = await sandbox.newPartner();
    assert.deepEqual(await list(), { data: [], next_cursor: null, has_more: false });
    const ids: string[] = [];
    for (let i = 0; i < 25; i++)
      ids.unshift((await partner.addScenario([confirm], { name: `n${i}` })).id);
    const first = await list();
    assert.deepEqual([idsOf(first), first.has_more], [ids.slice(0, 20), true]);
    const second = await list(`?cursor=${first.next_cursor}`);
    assert.deepEqual(
      [idsOf(second), second.has_more, second.next_cursor],
      [ids.slice(20), false, null],
    );
    assert.deepEqual(idsOf(await list('?limit=100')), ids);
    const collected: string[] = [];
    for (let cursor = ''; ;) {
      const page = await list(`?limit=7${cursor}`);
      collected.push(...idsOf(page));
      if (!page.has_more) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    assert.deepEqual(collected, ids);
  });

  test('contract §1: limit 1–100, no other parameter, no other list’s cursor', async () => {
    for (const query of ['?limit=0', '?limit=101', '?limit=x', '?store_id=aurora']) {
      const reply = await partner.call('GET', `/scenarios${query}`);
      assert.deepEqual(codeOf(reply), [400, 'invalid_parameter'], query);
    }
    const forged = await partner.call('GET', '/scenarios?cursor=abc');
    assert.deepEqual(codeOf(forged), [400, 'invalid_cursor']);
    const { next_cursor } = await list('?limit=1');
    const other = await sandbox.newPartner();
    assert.deepEqual(codeOf(await other.call('GET', `/scenarios?cursor=${next_cursor}`)), [
      400,
      'invalid_cursor',
    ]);
  });

  test('contract §1: ETag and If-None-Match on one of them', async () => {
    const { id } = await partner.addScenario([confirm]);
    const { headers } = await partner.call('GET', `/scenarios/${id}`);
    const etag = headers.get('etag') ?? assert.fail('no ETag');
    const unchanged = await partner.call('GET', `/scenarios/${id}`, undefined, {
      'if-none-match': etag,
    });
    assert.equal(unchanged.status, 304);
  });

  test('contract §4: one is deleted; then it is unknown', async () => {
    const { id } = await partner.addScenario([confirm]);
    const earlier = await countScenarios();
    const deleted = await partner.call('DELETE', `/scenarios/${id}`);
    assert.deepEqual([deleted.status, deleted.text], [204, '']);
    assert.equal(await countScenarios(), earlier - 1);
    assert.deepEqual(codeOf(await partner.call('GET', `/scenarios/${id}`)), [
      404,
      'resource_not_found',
    ]);
    assert.deepEqual(codeOf(await partner.call('DELETE', `/scenarios/${id}`)), [
      404,
      'resource_not_found',
    ]);
  });

  test('contract §4: all are deleted; an empty list can be deleted too', async () => {
    assert.ok((await countScenarios()) > 0);
    assert.equal((await partner.call('DELETE', '/scenarios')).status, 204);
    assert.equal(await countScenarios(), 0);
    assert.equal((await partner.call('DELETE', '/scenarios')).status, 204);
  });

  test('contract §4: at most 1,000: the next is 409 invalid_state until one is deleted', async () => {
    partner = await sandbox.newPartner();
    await sandbox.service.query(
      `insert into sandbox_scenarios (org_id, id, seed, steps, repeats, created_at, actor_type, actor_id)
         select $1, uuidv7(), 0, '[{"action":"confirm"}]', false, $2, 'workflow', 'test'
           from generate_series(1, 999)`,
      [toUuid(partner.caller.orgId as Id<'org'>), monday],
    );
    const { id } = await partner.addScenario([confirm]);
    assert.deepEqual(codeOf(await create({ steps: [confirm] })), [409, 'invalid_state']);
    assert.equal(await countScenarios(), 1_000);
    await partner.call('DELETE', `/scenarios/${id}`);
    assert.equal((await create({ steps: [confirm] })).status, 201);
  });
});
