import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { base, trackAt, withRelease, withTrack } from '../../../test/proofs/preflight-base.ts';
import { preflightInputs } from '../../../test/proofs/preflight-inputs.ts';
import { toSnakeCase } from '../../kernel/snake-case.ts';
import type { PreflightInput } from './preflight/preflight-input.ts';
import { presentRelease } from './present-release.ts';
import { presentTrack } from './present-track.ts';
import { releaseContentFields } from './release.ts';
import { rightsOfTrack } from './rights.ts';
import {
  type SnapshotChange,
  diffSnapshots,
  changesMax,
  hasSameContent,
} from './snapshot-changes.ts';
import type { Snapshot } from './snapshot.ts';
import { trackContentFields } from './track.ts';

const fileWith = (id: `ast_${string}`, sha256: string, type: 'audio' | 'artwork' = 'audio') => {
  const file = { fileName: `${id}.bin`, contentType: '', sizeBytes: 1, facts: null };
  return { ...file, id, type, sha256, objectKey: null };
};

/** An audio asset is ready where the input has its facts. */
const snapshotOf = ({ release, tracks, artists }: PreflightInput): Snapshot => ({
  release,
  tracks,
  artists,
  assets: [
    fileWith('ast_1', 'cover', 'artwork'),
    ...tracks.flatMap(({ audioAssetId, audio }) =>
      audio === null || audioAssetId === null ? [] : [fileWith(audioAssetId, audio.sha256)],
    ),
  ],
});

const changes = (before: PreflightInput, after: PreflightInput): readonly SnapshotChange[] =>
  diffSnapshots(snapshotOf(before), snapshotOf(after));
const pointers = (before: PreflightInput, after: PreflightInput): readonly string[] =>
  changes(before, after).map(({ pointer }) => pointer);
const withArtist = (edit: object): PreflightInput =>
  withRelease({ artists: [{ name: 'Ida Berg', role: 'main', ...edit }] });

describe('what stores get differently', () => {
  test('is reported in the names and forms of the wire, the release first', () => {
    const after = withTrack(
      { isrc: 'QZTNA2700009' },
      1,
      withRelease({ pLine: null, title: 'Day' }),
    );
    assert.deepEqual(changes(base, after), [
      { pointer: '/title', before: 'Night Drive', after: 'Day' },
      { pointer: '/p_line', before: '2027 Northern Lights', after: null },
      { pointer: '/tracks/1/isrc', before: 'QZ-TNA-27-00001', after: 'QZ-TNA-27-00009' },
    ]);
  });

  test('points into artists, but to the whole list once it is longer', () => {
    const storeProfiles = { 'a/b~c': '1', constructor: '2' };
    assert.deepEqual(
      changes(withArtist({ isni: '1' }), withArtist({ name: 'Mo', storeProfiles })),
      [
        { pointer: '/artists/0/name', before: 'Ida Berg', after: 'Mo' },
        { pointer: '/artists/0/store_profiles/a~1b~0c', before: null, after: '1' },
        { pointer: '/artists/0/store_profiles/constructor', before: null, after: '2' },
        { pointer: '/artists/0/isni', before: '1', after: null },
      ],
    );
    assert.deepEqual(pointers(withArtist({}), withArtist({ storeProfiles: {} })), []);
    assert.deepEqual(pointers(withRelease({ artists: [] }), base), ['/artists']);
  });

  test('points into contributors and the use of AI; what is not declared is null', () => {
    const [first, ...others] = base.tracks[0]!.contributors;
    const contributors = [{ ...first!, instruments: ['piano'] }, ...others];
    assert.deepEqual(changes(base, withTrack({ contributors })), [
      { pointer: '/tracks/0/contributors/0/instruments', before: null, after: ['piano'] },
    ]);
    assert.deepEqual(pointers(base, withTrack({ contributors: others })), [
      '/tracks/0/contributors',
    ]);
    assert.deepEqual(changes(base, withTrack({ aiUse: { composition: 'partly' } })), [
      { pointer: '/tracks/0/ai_use/recording', before: 'none', after: null },
    ]);
    assert.deepEqual(changes(base, withRelease({ aiUse: { artwork: 'all' } })), [
      { pointer: '/ai_use/artwork', before: 'none', after: 'all' },
    ]);
    assert.deepEqual(pointers(withRelease({ aiUse: null }), withRelease({ aiUse: {} })), []);
  });

  test('is a file with other bytes, not the same bytes under another id', () => {
    const before = snapshotOf(base);
    const withCover = (sha256: string) => ({
      ...snapshotOf(withRelease({ artworkAssetId: 'ast_2' })),
      assets: [...before.assets, fileWith('ast_2', sha256, 'artwork')],
    });
    assert.ok(hasSameContent(before, withCover('cover')));
    assert.deepEqual(diffSnapshots(before, withCover('new')), [
      {
        pointer: '/artwork',
        before: { asset_id: 'ast_1', sha256: 'cover', file_name: 'ast_1.bin' },
        after: { asset_id: 'ast_2', sha256: 'new', file_name: 'ast_2.bin' },
      },
    ]);
  });

  test('is another file even while neither is ready', () => {
    const unready = (id: `ast_${string}`) => withTrack({ audioAssetId: id, audio: null });
    assert.deepEqual(changes(unready('ast_8'), unready('ast_8')), []);
    assert.deepEqual(changes(unready('ast_8'), unready('ast_9')), [
      {
        pointer: '/tracks/0/audio',
        before: { asset_id: 'ast_8', sha256: null },
        after: { asset_id: 'ast_9', sha256: null },
      },
    ]);
  });

  test('is a track added, removed or moved, each found by its id', () => {
    const [first, second] = [trackAt(0, 'A'), trackAt(1, 'B')];
    const [before, after] = [
      { ...base, tracks: [first, second] },
      { ...base, tracks: [{ ...second, position: 1 }, trackAt(2, 'C')] },
    ];
    const [removed, moved, added, ...more] = changes(before, after);
    assert.deepEqual(moved, { pointer: '/tracks/0/position', before: 2, after: 1 });
    assert.deepEqual([removed?.pointer, removed?.after], ['/tracks/0', null]);
    assert.deepEqual([added?.pointer, added?.before, more], ['/tracks/1', null, []]);
    assert.equal(
      Object.keys(Object(added?.after)).join(' '),
      'title version artists contributors isrc audio territory excluded_territories use_types disc position preview_start_ms ' +
        'genre language p_line explicit ai_use original_release_date iswc recording_country composition samples ' +
        'mechanical_licence lyrics_language ugc_policy localized_titles subgenre instant_gratification',
    );
  });
});

/** As jsonb may return it: every object with its keys in another order. */
const reordered = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (name, each: unknown) => {
    if (name === 'createdAt' || name === 'updatedAt') return new Date(String(each));
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).toReversed());
  }) as T;

/** Fields that are not sent to stores, or whose values are more than a text. */
const special = new Set([
  'reference',
  'labelId',
  'metadata',
  'artists',
  'contributors',
  'aiUse',
  'territories',
  'territory',
  'excludedTerritories',
  'useTypes',
  'artworkAssetId',
  'audioAssetId',
  'localizedTitles',
]);
const plainReleaseFields = releaseContentFields.filter((field) => !special.has(field));
const plainTrackFields = trackContentFields.filter((field) => !special.has(field));

type Edit = (
  input: PreflightInput,
  value: string,
) => readonly [PreflightInput, ...change: unknown[]];

/** Edits of one field each, with the pointer and both values of the change they make. */
const edits: readonly Edit[] = [
  ...plainReleaseFields.map((field): Edit => (input, value) => {
    const name = toSnakeCase(field);
    const after = withRelease({ [field]: value }, input);
    return [after, `/${name}`, presentRelease(input.release)[name], value];
  }),
  ...plainTrackFields.map((field): Edit => (input, value) => {
    const name = toSnakeCase(field);
    const after = withTrack({ [field]: value }, 0, input);
    const [was, is] = [input, after].map(
      ({ tracks }) => presentTrack(tracks[0]!, base.release)[name],
    );
    return [after, `/tracks/0/${name}`, was, is];
  }),
  (input, value) => {
    const [first, ...others] = input.tracks[0]!.artists;
    const after = withTrack({ artists: [{ ...first!, name: value }, ...others] }, 0, input);
    return [after, '/tracks/0/artists/0/name', first!.name, value];
  },
  (input, value) => {
    const localizedTitles = {
      ...input.release.localizedTitles,
      sv: { title: value, version: null },
    };
    return [withRelease({ localizedTitles }, input), '/localized_titles/sv/title', null, value];
  },
  (input, value) => {
    const localizedTitles = {
      ...input.tracks[0]!.localizedTitles,
      sv: { title: value, version: null },
    };
    const after = withTrack({ localizedTitles }, 0, input);
    return [after, '/tracks/0/localized_titles/sv/title', null, value];
  },
  // Any words, because the difference does not read them.
  ...(['territories', 'excludedTerritories', 'useTypes'] as const).map(
    (field): Edit =>
      (input, value) => {
        const after = withRelease({ [field]: [value] }, input);
        return [after, `/${toSnakeCase(field)}`, input.release[field], [value]];
      },
  ),
  (input, value) => {
    const { territories, excludedTerritories } = rightsOfTrack(input.tracks[0]!, input.release);
    const after = withTrack({ territory: [value], excludedTerritories }, 0, input);
    return [after, '/tracks/0/territory', territories, [value]];
  },
  ...(['excludedTerritories', 'useTypes'] as const).map((field): Edit => (input, value) => {
    const after = withTrack({ [field]: [value] }, 0, input);
    return [after, `/tracks/0/${toSnakeCase(field)}`, input.tracks[0]![field], [value]];
  }),
];

/** Two releases that share some tracks, in any positions. */
const pairs = fc
  .tuple(preflightInputs, preflightInputs, fc.boolean(), fc.nat(3))
  .map(([a, b, isTurned, from]) => {
    const tracks = isTurned ? b.tracks.toReversed() : b.tracks;
    return [snapshotOf(a), snapshotOf({ ...b, tracks: tracks.slice(from % 2) })] as const;
  });

describe('for any two releases', () => {
  test('a snapshot has no change against itself, in any order of keys', () => {
    fc.assert(
      fc.property(preflightInputs.map(snapshotOf), (it) => hasSameContent(it, reordered(it))),
    );
  });

  test('one field changed is one change, with both values', () => {
    const withTracks = preflightInputs.filter(({ tracks }) => tracks.length > 0);
    const value = fc.string({ minLength: 1 }).map((text) => `new ${text}`);
    fc.assert(
      fc.property(withTracks, fc.constantFrom(...edits), value, (before, edit, text) => {
        const [after, ...change] = edit(before, text);
        assert.deepEqual(changes(before, after).map(Object.values), [change]);
      }),
      { numRuns: 1_000 },
    );
  });

  test('the reverse difference has the same changes, with before and after exchanged', () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const there = diffSnapshots(a, b).map((change) => named(change, a, b));
        // Of more changes, each direction leaves out others.
        fc.pre(there.length < changesMax);
        const back = diffSnapshots(b, a).map((change) => named(change, b, a));
        const mirrored = back.map(([name, before, after]) => [name, after, before]);
        assert.deepEqual(sortedTexts(there), sortedTexts(mirrored));
        assert.equal(hasSameContent(a, b), there.length === 0);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a field that stores do not receive is not a change', () => {
    const [text, now] = [fc.string(), new Date('2030-01-01T00:00:00Z')];
    const metadata = fc.dictionary(text, text);
    const review = { reviewStatus: 'approved', findings: [] } as const;
    const ids = { id: 'sub_1', releaseId: 'rel_1' } as const;
    const submission = { ...ids, ...review, revision: 9, submittedAt: '2030-01-01' };
    fc.assert(
      fc.property(
        preflightInputs,
        text,
        metadata,
        fc.nat(),
        (input, reference, pairsOf, revision) => {
          const own = { reference, metadata: pairsOf, createdAt: now, updatedAt: now };
          const about = {
            status: 'delivered',
            trackCount: revision,
            revision,
            submission,
          } as const;
          const tracks = input.tracks.map((track) => ({
            ...track,
            ...own,
            durationMs: revision,
          }));
          const after = withRelease({ ...own, ...about }, { ...input, tracks });
          return hasSameContent(snapshotOf(input), snapshotOf(after));
        },
      ),
    );
  });

  test('changes are bounded in number and length, and cut between characters', () => {
    const unit = fc.constantFrom('a', '"', '\n', '\u0001', '🎵', 'ß');
    const long = fc.string({ unit, minLength: 100, maxLength: 1_500, size: 'max' });
    const album = { ...base, tracks: Array.from({ length: 150 }, (_, i) => trackAt(i, 'A')) };
    fc.assert(
      fc.property(long, long, fc.nat(150), (title, name, count) => {
        const artists = [{ name, role: 'main' as const }];
        const tracks = album.tracks.slice(0, count).map((track) => ({ ...track, title, artists }));
        const edited = withRelease({ title, artists }, { ...album, tracks });
        const [there, back] = [changes(album, edited), changes(edited, album)];
        assert.deepEqual([there.length, back.length], [changesMax, changesMax]);
        for (const value of [...there, ...back].flatMap(({ before, after }) => [before, after])) {
          const json = JSON.stringify(value);
          assert.ok(json.length <= 1_000 && !json.includes(String.raw`\ud`), json);
        }
        const shown = there[0]?.after;
        assert.ok(typeof shown === 'string');
        const isWhole = JSON.stringify(title).length <= 1_000;
        assert.ok(isWhole ? shown === title : title.startsWith(shown.slice(0, -1)));
        assert.ok(isWhole || (shown.endsWith('…') && JSON.stringify(shown).length > 990));
      }),
      // Shrinking such long texts takes minutes.
      { numRuns: 50, endOnFailure: true },
    );
  });
});

/** The pointer with the id of its track instead of the index, which differs in the reverse difference. */
function named({ pointer, before, after }: SnapshotChange, from: Snapshot, to: Snapshot) {
  const { tracks } = after === null && /^\/tracks\/\d+$/.test(pointer) ? from : to;
  const name = pointer.replace(/^\/tracks\/(\d+)/, (_, at) => tracks[Number(at)]?.id ?? 'none');
  return [name, before, after] as const;
}

const sortedTexts = (values: readonly unknown[]): readonly string[] =>
  values.map((value) => JSON.stringify(value)).toSorted((a, b) => (a < b ? -1 : 1));
