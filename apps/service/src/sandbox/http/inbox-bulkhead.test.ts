import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OrgId } from '../../kernel/ids.ts';
import { createBulkhead } from './inbox-bulkhead.ts';

const org = (name: string): OrgId => `org_${name}`;

describe('the waiting room of the inboxes', () => {
  test('an organization has its maximum, and room again once one has left', () => {
    const { tryAcquire: enter } = createBulkhead({ total: 100, perOrganization: 2 });
    const leave = enter(org('a'));
    enter(org('a'));
    assert.equal(enter(org('a')), undefined);
    leave?.();
    assert.ok(enter(org('a')) !== undefined);
  });

  test('full of others, it still takes those who have less than their share', () => {
    const { tryAcquire: enter } = createBulkhead({ total: 8, perOrganization: 4 });
    for (const name of ['a', 'b']) for (let i = 0; i < 4; i++) enter(org(name));
    const taken = Array.from({ length: 4 }, () => enter(org('c')) !== undefined);
    assert.deepEqual(taken, [true, true, true, false], 'a third of 8, and the one that begins it');
    assert.equal(enter(org('a')), undefined);
  });
});
