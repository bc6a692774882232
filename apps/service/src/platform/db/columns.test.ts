import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  defineColumns,
  idColumn,
  insertInto,
  jsonb,
  nullable,
  plain,
  updateWhere,
} from './columns.ts';
import { sql, toStatement } from './sql.ts';

type Track = {
  readonly id: `trk_${string}`;
  readonly title: string;
  readonly releaseDate: string;
  readonly coverId: `ast_${string}` | null;
  readonly artists: readonly { readonly name: string }[];
};

const tracks = defineColumns<Track>({
  id: idColumn('trk'),
  title: plain(),
  releaseDate: plain(),
  coverId: nullable(idColumn('ast')),
  artists: jsonb(),
});

const track: Track = {
  id: 'trk_01h455vb4pex5vsknk084sn02q',
  title: 'One',
  releaseDate: '2026-11-16',
  coverId: null,
  artists: [{ name: 'Ada' }],
};
const uuid = '018908af-ac96-77bb-bcd6-b32011995857';

describe('columns', () => {
  test('a field is stored under its name in snake case', () => {
    const { text } = toStatement(sql`select ${tracks.names} from tracks`);
    assert.equal(text, 'select id, title, release_date, cover_id, artists from tracks');
  });

  test('a row is written and read back', () => {
    const row = tracks.write(track);
    assert.equal(row['artists'], '[{"name":"Ada"}]');
    assert.equal(row['cover_id'], null);
    const stored = { ...row, artists: track.artists };
    assert.deepEqual(tracks.read(stored), track);
  });

  test('as JSON, ids are UUIDs and lists stay lists', () => {
    assert.deepEqual(tracks.toJson(track), { ...tracks.write(track), artists: track.artists });
  });

  test('each value is bound to its own column in any order of the columns', () => {
    const { title, ...others } = tracks.write(track);
    const { text, values } = toStatement(insertInto('tracks', { ...others, title }));
    assert.equal(
      text,
      'insert into tracks (id, release_date, cover_id, artists, title) values ($1, $2, $3, $4, $5)',
    );
    assert.equal(values.at(-1), 'One');
  });

  test('an update names its changes and its key', () => {
    const { text, values } = toStatement(
      updateWhere('tracks', { title: 'Two' }, { org_id: 'o', id: uuid }),
    );
    assert.equal(text, 'update tracks set title = $1 where org_id = $2 and id = $3');
    assert.deepEqual(values, ['Two', 'o', uuid]);
  });

  test('an update from a set of rows assigns each column from the column of the same name', () => {
    const { text } = toStatement(sql`update tracks set ${tracks.assignFrom('changed')}`);
    assert.equal(
      text,
      'update tracks set id = changed.id, title = changed.title, release_date = changed.release_date, cover_id = changed.cover_id, artists = changed.artists',
    );
    assert.equal(
      toStatement(sql`${tracks.assignFrom('changed', ['id', 'releaseDate', 'artists'])}`).text,
      'title = changed.title, cover_id = changed.cover_id',
    );
  });

  test('the same columns are one prepared statement', () => {
    const one = toStatement(insertInto('tracks', tracks.write(track)));
    const two = toStatement(insertInto('tracks', tracks.write({ ...track, title: 'Two' })));
    assert.equal(one.name, two.name);
  });
});
