/** Stores in live: what an operator creates cannot be sent to before it is connected (ADR 0049). */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openTestService, type Reply, type TestService } from './test-service.ts';

type Json = Reply['json'];

describe('a store of live', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-live-store-'));
  const file = join(folder, 'store.json');
  let service: TestService;
  before(async () => {
    service = await openTestService({ environment: 'live' });
    const store = {
      store_id: 'northwind',
      name: 'Northwind',
      territory_codes: ['WORLD'],
      audio_formats: ['flac'],
      use_types: ['download'],
      confirmation: 'ingest',
      lead_time_business_days: 3,
    };
    writeFileSync(file, JSON.stringify(store));
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  test('is created paused, everywhere if the file says WORLD, and is not resumed without a connection', async () => {
    const created = await service.admin('stores', 'create', '--file', file);
    assert.deepEqual(created, { created: true, store_id: 'northwind', name: 'Northwind' });
    const read = `select connector, status, cardinality(territory_codes) as territories, ern_version,
                         takedown_method, max_concurrent_sends, actor_type
                    from stores where store_id = 'northwind'`;
    const [row] = await service.query(read);
    assert.deepEqual(row, {
      connector: 'ddex',
      status: 'paused',
      territories: 249,
      ern_version: '4.3.2',
      takedown_method: 'omit_deal',
      max_concurrent_sends: 4,
      actor_type: 'operator',
    });
    await assert.rejects(
      service.admin('stores', 'resume', '--store', 'northwind'),
      /northwind has no connection, so nothing could be sent to it/,
    );
    assert.deepEqual(await service.query(read), [row]);
  });

  test('has names of its own for genres, which partners see', async () => {
    const names = join(folder, 'genres.json');
    const set = (genres: object, store = 'northwind') => {
      writeFileSync(names, JSON.stringify(genres));
      return service.admin('stores', 'genres', '--store', store, '--file', names);
    };
    const genreOf = async (genre: string) => {
      const { data } = (await (await fetch(`${service.url}/v1/genres`)).json()) as Json;
      const { stores } = data.find((each: Json) => each.genre === genre);
      return stores.find((each: Json) => each.store_id === 'northwind').genre;
    };
    assert.equal(await genreOf('Folk'), 'Other');
    const own = { Folk: 'Folk & Country' };
    assert.deepEqual(await set(own), { store_id: 'northwind', genres: own });
    assert.deepEqual([await genreOf('Folk'), await genreOf('Pop')], ['Folk & Country', 'Pop']);
    const audited = await service.query(`select 1 from audit where action = 'stores.genres'`);
    assert.equal(audited.length, 1);
    await assert.rejects(set({ Folks: 'Folk' }), /\/Folks is not a name that the file may have/);
    await assert.rejects(set({ Folk: '' }), /\/Folk/);
    await assert.rejects(set(own, 'nostore'), /No store has the store_id nostore/);
    assert.equal(await genreOf('Folk'), 'Folk & Country', 'a refusal changes nothing');
    await assert.rejects(service.admin('stores', 'create', '--file', file), /differs in genres/);
    await set({});
    assert.equal(await genreOf('Folk'), 'Other');
  });
});
