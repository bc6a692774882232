/** `releases import`: a folder becomes a draft, once, however often the command runs. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { dateIn, makeAlbum, sheetOf } from './album.ts';
import type { Partner } from './cli.test.ts';

type Track = { title: string; isrc: string; contributors: object[]; artists: object[] };

export function importCases(partner: () => Partner): void {
  describe('releases import', () => {
    const releasesOf = async (title: string) => {
      const { json } = await partner().call('GET', '/v1/releases?limit=100');
      return (json as { data: { id: string; title: string }[] }).data.filter(
        (each) => each.title === title,
      );
    };
    const tracksOf = async (id: string) => {
      const { json } = await partner().call('GET', `/v1/releases/${id}/tracks`);
      return (json as { data: Track[] }).data;
    };

    test('a dry run comes first, and names every mistake of the sheet and the files', async () => {
      const { home } = partner();
      const folder = makeAlbum(join(home.folder, 'dry'), 'Dry Run');
      const good = await home.run(['releases', 'import', folder, '--table']);
      assert.equal(good.status, 0, good.stderr);
      assert.match(good.stdout, /^ 1 +Dry Run +Aurora Díaz, Kofi Mensah +\(new\) +01\.wav +0:35$/m);
      assert.match(good.stdout, /^ 2 +夜のドライブ +.*0:36$/m);
      assert.match(good.stdout, /Next: tonearm releases import .* --yes/);
      assert.deepEqual(await releasesOf('Dry Run'), [], 'nothing was sent');
      assert.ok(!existsSync(join(folder, '.tonearm-import.json')));

      const sheet = sheetOf('Dry Run', '2029-02-30')
        .replace('file,title,', 'file,title,irsc,upc,')
        .replace('01.wav,Dry Run,', '01.wav,Dry Run,QZABC2600001,8600010000,')
        .replace('02.wav,夜のドライブ,', '../02.wav,夜のドライブ,,,');
      writeFileSync(join(folder, 'album.csv'), sheet);
      const bad = await home.run(['releases', 'import', folder, '--yes']);
      assert.equal(bad.status, 2);
      const problems = (bad.json.problems as { where: string; problem: string }[]).map(
        ({ where, problem }) => `${where}: ${problem}`,
      );
      assert.deepEqual(problems, [
        'line 1: irsc is not a column, did you mean isrc?',
        'line 1: upc is not a column, did you mean release.upc?',
        'line 2, release.release_date: a date is YYYY-MM-DD, for example 2027-01-15',
        'line 3: ../02.wav is outside the folder',
      ]);
      assert.deepEqual(await releasesOf('Dry Run'), []);
    });

    test('the folder becomes a draft with tracks, credits, audio and cover; a second run changes nothing', async () => {
      const { home, call } = partner();
      const folder = makeAlbum(join(home.folder, 'album'), 'Night Drive');
      const first = await home.run(['releases', 'import', folder, '--yes']);
      assert.equal(first.status, 0, first.stderr);
      const id = first.json.release_id as string;
      assert.ok(Array.isArray(first.json.findings));
      const tracks = await tracksOf(id);
      assert.deepEqual(
        tracks.map(({ title }) => title),
        ['Night Drive', '夜のドライブ'],
      );
      assert.deepEqual(tracks[0]?.contributors, [
        {
          name: 'Aurora Díaz',
          roles: ['composer', 'musician'],
          instruments: ['synthesizer', 'piano'],
        },
        { name: 'Mette Krogh', roles: ['producer'] },
      ]);
      const { json } = await call('GET', `/v1/releases/${id}`);
      assert.match((json as { artwork_asset_id: string }).artwork_asset_id, /^ast_/);
      const revision = (json as { revision: number }).revision;

      const second = await home.run(['releases', 'import', folder, '--yes']);
      assert.equal(second.json.release_id, id);
      assert.equal((await releasesOf('Night Drive')).length, 1);
      assert.equal((await tracksOf(id)).length, 2);
      const again = await call('GET', `/v1/releases/${id}`);
      assert.equal((again.json as { revision: number }).revision, revision);
    });

    test('a run that died before it noted an answer is continued, also after the sheet was corrected', async () => {
      const { home, call } = partner();
      const folder = makeAlbum(join(home.folder, 'cut'), 'Cut Short');
      const first = await home.run(['releases', 'import', folder, '--yes']);
      assert.equal(first.status, 0, first.stderr);
      // What a process that was killed after its first request leaves behind: the import's id, and nothing else.
      const path = join(folder, '.tonearm-import.json');
      const { import_id: importId, organization } = JSON.parse(readFileSync(path, 'utf8'));
      writeFileSync(path, JSON.stringify({ import_id: importId, organization }));
      writeFileSync(join(folder, 'album.csv'), sheetOf('Cut Short', dateIn(100)));
      const resources = ['releases', 'tracks', 'assets'];
      const { json: other } = await call('POST', '/v1/api_keys', {
        name: 'Another',
        scopes: [
          'organization:read',
          'requests:read',
          ...resources.flatMap((each) => [`${each}:read`, `${each}:write`]),
        ],
      });
      const refused = await home.run(['releases', 'import', folder, '--yes'], {
        env: { TONEARM_API_KEY: (other as { secret: string }).secret },
      });
      assert.equal(refused.status, 2, refused.stderr);
      assert.match(refused.stderr, /was created with another API key of your organization/);
      const second = await home.run(['releases', 'import', folder, '--yes']);
      assert.equal(second.status, 0, second.stderr);
      assert.equal(second.json.release_id, first.json.release_id);
      assert.deepEqual(second.json.track_ids, first.json.track_ids);
      const [release] = (await releasesOf('Cut Short')) as { release_date?: string }[];
      assert.equal(release?.release_date, dateIn(100));
      assert.match(second.stderr, /was changed to what the sheet says now/);
    });

    test('a folder that was imported into another organization is refused', async () => {
      const { home, otherKey } = partner();
      const folder = join(home.folder, 'album');
      const refused = await home.run(['releases', 'import', folder, '--yes'], {
        env: { TONEARM_API_KEY: otherKey },
      });
      assert.equal(refused.status, 2);
      assert.match(refused.stderr, /another organization/);
    });
  });
}
