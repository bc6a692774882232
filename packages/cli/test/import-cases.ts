/** `releases import`: a folder becomes a draft, once, however often the command runs. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { dateIn, makeAlbum, sheetOf } from './album.ts';
import type { Partner } from './cli.test.ts';
import { importStateOf } from './import-state.ts';

type Track = { title: string; isrc: string; contributors: object[]; artists: object[] };

export function importCases(partner: () => Partner): void {
  describe('releases import', () => {
    const releasesOf = async (title: string) => {
      const { json } = await partner().call('GET', '/v1/releases?limit=100');
      return (json as { data: { id: string; title: string }[] }).data.filter(
        (each) => each.title === title,
      );
    };
    const createRelease = async (title: string): Promise<string> => {
      const artists = [{ name: 'Aurora Díaz', role: 'main' }];
      const body = { title, artists, release_date: dateIn(60) };
      return ((await partner().call('POST', '/v1/releases', body)).json as { id: string }).id;
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
      assert.ok(!existsSync(join(home.folder, 'state')));

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
      const precious = await createRelease('Precious');
      const organization = (await call('GET', '/v1/organization')).json as { id: string };
      const foreign = {
        import_id: randomUUID(),
        organization: organization.id,
        release_id: precious,
        release_digest: '',
        assets: {},
        tracks: {},
      };
      writeFileSync(join(folder, '.tonearm-import.json'), JSON.stringify(foreign));
      const first = await home.run(['releases', 'import', folder, '--yes']);
      assert.equal(first.status, 0, first.stderr);
      const id = first.json.release_id as string;
      assert.notEqual(id, precious, 'a state file that came with the folder is not used');
      assert.equal((await releasesOf('Precious')).length, 1);
      const { path } = importStateOf(home, 'album');
      assert.equal(statSync(path).mode & 0o777, 0o600);
      assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700);
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

      symlinkSync(folder, join(home.folder, 'link-to-album'));
      const second = await home.run(['releases', 'import', 'link-to-album', '--yes']);
      assert.equal(second.json.release_id, id);
      // Wrapped at 80 columns.
      assert.ok(
        second.stderr.replaceAll('\n', ' ').includes(`imported before, as ${id}, "Night Drive".`),
        second.stderr,
      );
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
      const { path, state } = importStateOf(home, 'cut');
      const { release_id: _, release_digest: _digest, ...begun } = state;
      writeFileSync(path, JSON.stringify({ ...begun, assets: {}, tracks: {} }));
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

    test('a release that exists is named, and changed only after a yes', async () => {
      const { home, call } = partner();
      const { release_id: id } = importStateOf(home, 'album').state;
      const before = await call('GET', `/v1/releases/${id}`);
      const folder = join(home.folder, 'album');
      writeFileSync(join(folder, 'album.csv'), sheetOf('Night Drive', dateIn(90)));
      const refused = await home.run(['releases', 'import', folder]);
      assert.equal(refused.status, 2);
      assert.match(
        refused.stderr,
        new RegExp(
          `^confirmation_required: .* as ${id}, "Night Drive"\\. .* Nothing was done\\.\nNext: .*--yes$`,
          'm',
        ),
      );
      assert.deepEqual((await call('GET', `/v1/releases/${id}`)).json, before.json);
      writeFileSync(join(folder, 'album.csv'), sheetOf('Night Drive', dateIn(60)));
    });

    test('a folder that was imported into another organization is a new import', async () => {
      const { home, otherKey } = partner();
      const own = await home.run(['releases', 'import', join(home.folder, 'album')], {
        env: { TONEARM_API_KEY: otherKey },
      });
      assert.equal(own.status, 0, own.stderr);
      assert.equal(own.json.dry_run, true);
    });

    test('a state that is too large, damaged, or of a release that is gone is refused with what to do', async () => {
      const { home, call } = partner();
      const { path, state } = importStateOf(home, 'album');
      const gone = await createRelease('Gone');
      await call('DELETE', `/v1/releases/${gone}`);
      const refusalOf = async (text: string): Promise<string> => {
        writeFileSync(path, text);
        const { status, stderr } = await home.run(['releases', 'import', 'album', '--yes']);
        assert.equal(status, 2, stderr);
        assert.ok(stderr.includes(`Next: Delete ${path} `), stderr);
        return stderr;
      };
      const large = JSON.stringify({ ...state, padding: 'x'.repeat(20_000_000) });
      assert.match(await refusalOf(large), /^usage: .* is larger than 20 MB/);
      assert.match(await refusalOf('{'), /^usage: .* is damaged/);
      const ofGone = JSON.stringify({ ...state, release_id: gone });
      assert.match(await refusalOf(ofGone), new RegExp(`^usage: .*${gone}.* was deleted`));
      writeFileSync(path, JSON.stringify(state));
    });
  });
}
