import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { writtenDocuments } from './documents.ts';
import { unaligned, withPart } from './markdown.ts';
import { coresOf, machinesOf } from './model.ts';
import { readUnitCosts } from './unit-costs.ts';

describe('the documents about costs', () => {
  test('have the figures of the last run of bench unit (npm run scale writes them)', () => {
    const documents = writtenDocuments();
    assert.equal(documents.length, 2);
    for (const { markdown, written } of documents) {
      assert.equal(unaligned(markdown), unaligned(written));
    }
  });

  test('a part that is not in a document is reported', () => {
    assert.throws(() => withPart('# Scale', 'cores', ''), /no part "cores"/);
  });

  test('twice the load needs twice the cores, and no role has less than its smallest number', () => {
    const costs = readUnitCosts('bench-unit.json');
    const load = { name: 'events', unit: 'event_paced', perDay: 86_400, peakPerSecond: 2 } as const;
    const once = coresOf(costs, [load]);
    const twice = coresOf(costs, [load, load]);
    assert.equal(twice.postgres.average, 2 * once.postgres.average);
    assert.equal(once.postgres.peak, 2 * once.postgres.average);
    const engine = machinesOf(once).find(({ role }) => role === 'engine');
    assert.equal(engine?.machines, 3);
  });
});
