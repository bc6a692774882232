/** Deals over random catalogues, against a naive model (catalogue §1.1, §2), and stored and read back. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import * as rules from '../src/delivery/domain/deal.ts';
import {
  storeUpdate,
  territorySet,
  trackDeals,
  useTypeSet,
} from '../src/delivery/store/deal-columns.ts';
import { catalogues } from './deal-arbitrary.ts';
import { checkCatalogue, type Tally } from './deal-properties.ts';
import { createTestDatabase, databaseUrl, dropTestDatabase } from './test-service.ts';

/** Repeats a run: fast-check prints the seed of one that fails. */
const seed = Number(process.env['TONEARM_SEED'] ?? Date.now() % 2 ** 31);
const numRuns = 20_000;

const outcomes = [
  'no_use_type',
  'no_territory',
  'no_track',
  'worldwide',
  'codes',
  'track left out',
  'track narrower',
  'same deal',
  'other deal',
];

const updateOf = (deal: rules.Deal) =>
  ({ revision: 4, deal, status: 'pending', rejection: null }) as const;

/** The columns of `delivery_stores` that hold a deal, as they are written. */
const toRow = (deal: rules.Deal) => ({
  territories: territorySet.write(deal.territoryCodes),
  is_worldwide: deal.isWorldwide,
  use_types: useTypeSet.write(deal.useTypes),
  track_deals: trackDeals.write(deal.tracks),
  update: storeUpdate.write(updateOf(deal)),
});

/** What the driver returns: `never` is the type of a column's stored value. */
const fromRow = (row: Readonly<Record<string, unknown>>): rules.Deal => ({
  territoryCodes: territorySet.read(row['territories'] as never),
  isWorldwide: row['is_worldwide'] as boolean,
  useTypes: useTypeSet.read(row['use_types'] as never),
  tracks: trackDeals.read(row['track_deals'] as never),
});

describe('deals', () => {
  let database: string;
  let client: pg.Client;
  before(async () => {
    database = await createTestDatabase();
    client = new pg.Client(databaseUrl(database));
    await client.connect();
  });
  after(async () => {
    await client.end();
    await dropTestDatabase(database);
  });

  test(`catalogue §2: of ${numRuns} random catalogues are those of the model, and never wider`, (t) => {
    t.diagnostic(`seed ${seed}`);
    const tally: Tally = new Map();
    const property = fc.property(catalogues, (catalogue) => {
      const [deal] = checkCatalogue(rules, catalogue, tally);
      if (deal === undefined) return;
      const { territories, ...row } = JSON.parse(JSON.stringify(toRow(deal)));
      const stored = { ...row, territories: Buffer.from(territories.slice(2), 'hex') };
      assert.deepEqual(fromRow(stored), deal, 'read back');
      assert.deepEqual(storeUpdate.read(row.update as never), updateOf(deal), 'in an update');
    });
    fc.assert(property, { numRuns, seed });
    t.diagnostic(JSON.stringify(Object.fromEntries(tally)));
    for (const outcome of outcomes) {
      assert.ok((tally.get(outcome) ?? 0) >= numRuns / 50, `${outcome}: ${tally.get(outcome)}`);
    }
  });

  test('catalogue §2: PostgreSQL returns the deal that was written', async (t) => {
    t.diagnostic(`seed ${seed}`);
    const deals = fc
      .sample(catalogues, { numRuns: 500, seed })
      .flatMap((catalogue) => checkCatalogue(rules, catalogue));
    assert.ok(deals.length > 500);
    // The same expression that writes store deliveries.
    const { rows } = await client.query(
      'select * from json_populate_recordset(null::delivery_stores, $1)',
      [JSON.stringify(deals.map(toRow))],
    );
    assert.deepEqual(rows.map(fromRow), deals);
    assert.deepEqual(
      rows.map(({ update }) => storeUpdate.read(update as never)),
      deals.map(updateOf),
    );
  });
});
