/**
 * A release or a track that names an artist, and a deletion or a merge of that artist, in every order of statements: no
 * interleaving leaves an entry whose artist does not exist, and each read shows an artist that is not merged.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createRelease } from '../src/catalog/commands/create-release.ts';
import { createTracks } from '../src/catalog/commands/create-tracks.ts';
import { deleteArtist } from '../src/catalog/commands/delete-artist.ts';
import { editRelease } from '../src/catalog/commands/edit-release.ts';
import { mergeArtist } from '../src/catalog/commands/merge-artist.ts';
import { type ArtistId, type OrgId, type ReleaseId, toUuid, toWire } from '../src/kernel/ids.ts';
import type { Tx } from '../src/platform/db/database.ts';
import { openLockMonitor, runEveryOrder, type TxSession } from './interleavings.ts';
import {
  databaseUrl,
  draft,
  openTestService,
  type OrgClient,
  type TestService,
} from './test-service.ts';

type RaceFixture = {
  /** Exists before, and names no artist of these. */
  readonly releaseId: ReleaseId;
  /** `earlier` was merged into `named` before. */
  readonly earlier: ArtistId;
  readonly named: ArtistId;
  readonly other: ArtistId;
};

type Work = (tx: Tx, fixture: RaceFixture) => Promise<unknown>;

const entryOf = (artistId: ArtistId) => [{ artistId, role: 'main' as const }];

const writes: Readonly<Record<string, Work>> = {
  'a new release': (tx, { named }) =>
    createRelease(tx, {
      title: 'Night Drive',
      metadata: {},
      releaseDate: '2027-01-15',
      artists: entryOf(named),
    }),
  'a new track': (tx, { releaseId, named }) =>
    createTracks(tx, [
      {
        releaseId,
        title: 'T',
        metadata: {},
        disc: 1,
        contributors: [],
        isrc: 'GBART2600001',
        artists: entryOf(named),
      },
    ]),
  'a PATCH of a release that names a merged artist': (tx, { releaseId, earlier }) =>
    editRelease(tx, {
      id: releaseId,
      edit: { artists: entryOf(earlier) },
      status: undefined,
      isExpected: () => true,
    }),
};

const changes: Readonly<Record<string, Work>> = {
  'the deletion of the artist': (tx, { named }) => deleteArtist(tx, named),
  'the merge of the artist into another': (tx, { named, other }) => mergeArtist(tx, named, other),
  'the merge of another into the artist': (tx, { named, other }) => mergeArtist(tx, other, named),
};

describe('artists, in every order of statements:', () => {
  let service: TestService;
  let label: OrgClient;
  let locks: Awaited<ReturnType<typeof openLockMonitor>>;
  before(async () => {
    service = await openTestService({ connections: 24 });
    label = await service.givenOrganization();
    locks = await openLockMonitor(databaseUrl(service.database));
  });
  after(async () => {
    await locks.close();
    await service.close();
  });

  const givenFixture = async (): Promise<RaceFixture> => {
    const create = async (): Promise<ArtistId> =>
      (await label.call('POST', '/v1/artists', { name: 'Ida Berg' })).json.id;
    const [earlier, named, other] = [await create(), await create(), await create()];
    await label.call('POST', `/v1/artists/${earlier}/merge`, { into: named });
    const { json } = await label.call('POST', '/v1/releases', draft());
    return { releaseId: json.id, earlier, named, other };
  };

  const sessionsOf = (
    pair: readonly [Work, Work],
    fixture: RaceFixture,
  ): readonly [TxSession, TxSession] => {
    const owner = {
      orgId: label.orgId as OrgId,
      actor: { type: 'api_key', id: 'key_test' },
    } as const;
    const sessionOf = (work: Work): TxSession => ({
      db: service.db,
      owner,
      work: (tx) => work(tx, fixture),
    });
    return [sessionOf(pair[0]), sessionOf(pair[1])];
  };

  /** The artists that reads show for the entries with one of the artists, and what is wrong with them. */
  const violationsOf = async ({ earlier, named, other }: RaceFixture): Promise<string[]> => {
    const ids = [earlier, named, other];
    const rows = await service.query(
      `select 'releases' as path, id, id as release_id, artists from releases where artists::text like any($1)
       union all
       select 'tracks', id, release_id, artists from tracks where artists::text like any($1)`,
      [ids.map((id) => `%${id}%`)],
    );
    const artists = await service.query('select id, merged_into from artists where id = any($1)', [
      ids.map(toUuid),
    ]);
    const links = await service.query('select artist_id, release_id from release_artists');
    const violations: string[] = [];
    for (const row of rows) {
      for (const { artistId } of row.artists) {
        const uuid = toUuid(artistId);
        const artist = artists.find(({ id }) => id === uuid);
        if (artist === undefined) violations.push(`${row.path} names ${artistId}, which is gone`);
        if (!links.some((each) => each.artist_id === uuid && each.release_id === row.release_id))
          violations.push(`${row.path} has no link`);
      }
    }
    for (const { merged_into } of artists) {
      const into = artists.find(({ id }) => id === merged_into);
      if (merged_into !== null && into?.merged_into !== null) violations.push('two steps');
    }
    const merged = artists.filter(({ merged_into }) => merged_into !== null);
    for (const { path, id } of rows) {
      const wireId = toWire(path === 'releases' ? 'rel' : 'trk', id);
      const { text } = await label.call('GET', `/v1/${path}/${wireId}`);
      if (merged.some((artist) => text.includes(toWire('art', artist.id))))
        violations.push(`${path} shows a merged artist`);
    }
    return violations;
  };

  for (const [write, writeWork] of Object.entries(writes)) {
    for (const [change, changeWork] of Object.entries(changes)) {
      test(`${write} and ${change}`, async (context) => {
        const pair = [writeWork, changeWork] as const;
        const { orders, outcomes, serial } = await runEveryOrder(locks.isWaiting, async (run) => {
          const fixture = await givenFixture();
          const outcome = await run(sessionsOf(pair, fixture));
          assert.deepEqual(await violationsOf(fixture), [], outcome.join(', '));
        });
        assert.ok(orders >= 2, `${orders} orders`);
        assert.deepEqual([...outcomes.keys()].toSorted(), [...new Set(serial)].toSorted());
        context.diagnostic(`${orders} orders: ${[...outcomes.keys()].join(' | ')}`);
      });
    }
  }
});
