import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OrgId } from '../../kernel/ids.ts';
import { createBulkhead } from './inbox-bulkhead.ts';

const org = (name: string): OrgId => `org_${name}`;

describe('the bulkhead of the inboxes', () => {
  test('an organization has a maximum, and a place again after a release', () => {
    const { tryAcquire } = createBulkhead({ total: 100, perOrganization: 2 });
    const release = tryAcquire(org('a'));
    tryAcquire(org('a'));
    assert.equal(tryAcquire(org('a')), undefined);
    release?.();
    assert.ok(tryAcquire(org('a')) !== undefined);
  });

  test('when the total is reached, an organization below its share is still accepted', () => {
    const { tryAcquire } = createBulkhead({ total: 8, perOrganization: 4 });
    for (const name of ['a', 'b']) for (let i = 0; i < 4; i++) tryAcquire(org(name));
    const accepted = Array.from({ length: 4 }, () => tryAcquire(org('c')) !== undefined);
    assert.deepEqual(accepted, [true, true, true, false], 'a third of 8, rounded up');
    assert.equal(tryAcquire(org('a')), undefined);
  });
});
