import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  album,
  base,
  single,
  withAudio,
  withRelease,
  withTrack,
} from '../../../../test/proofs/preflight-base.ts';
import { contributorRoles } from '../contributor-roles.ts';
import type { Contributor } from '../contributor.ts';
import type { Artist } from '../release.ts';
import { applyFix } from './apply-fix.ts';
import type { Finding } from './finding.ts';
import type { PreflightInput, PreflightTrack } from './preflight-input.ts';
import { preflight } from './preflight.ts';
import { ruleList, rules } from './rules.ts';

const findingsOf = (input: PreflightInput): readonly Finding[] => preflight(input).findings;
const idsOf = (input: PreflightInput): string[] => findingsOf(input).map(({ id }) => id);
const findingWith = (input: PreflightInput, id: string): Finding | undefined =>
  findingsOf(input).find((finding) => finding.id === id);
const main = (name: string): Artist => ({ name, role: 'main' });
const credited = (name: string, ...roles: Contributor['roles']): Contributor => ({ name, roles });

/** Mistakes in every area, in the release and in both tracks. */
const wrong = withTrack(
  { title: 'DAY OFF FT. MO', explicit: null, isrc: 'X', pLine: '℗ 2027 A' },
  1,
  withTrack(
    {
      title: 'night (Original Mix)',
      artists: [main('A & B')],
      contributors: [credited('C & D', 'vocalist', 'composer')],
      territory: ['US'],
      genre: 'pop',
    },
    0,
    withRelease({
      title: 'GREAT HITS VOLUME 2',
      upc: '1',
      territories: ['SE'],
      pLine: null,
      cLine: null,
      genre: null,
    }),
  ),
);

/** Only required fields, and the credits that rule pack A requires. */
const first: PreflightInput = {
  ...single,
  release: {
    ...single.release,
    artists: [main('Ida Berg')],
    type: null,
    genre: null,
    language: null,
    pLine: null,
    cLine: null,
    explicit: null,
    aiUse: null,
  },
  tracks: single.tracks.map((track): PreflightTrack => {
    const contributors = [credited('Ida Berg', 'performer', 'arranger', 'producer')];
    return { ...track, artists: [main('Ida Berg')], contributors, explicit: null, aiUse: null };
  }),
};

describe('a report', () => {
  test('of a correct release is empty', () => {
    assert.deepEqual(findingsOf(base), []);
  });

  test('of a first release with a title, an artist, a date, a track with credits and a cover has no errors', () => {
    assert.deepEqual(
      findingsOf(first).map(({ rule, severity }) => [rule, severity]),
      [
        ['artist_profile_unset', 'warning'],
        ['line_missing', 'warning'],
        ['line_missing', 'warning'],
        ['genre_missing', 'warning'],
        ['ai_use_undeclared', 'warning'],
        ['credits_missing', 'warning'],
        ['explicit_missing', 'warning'],
        ['ai_use_undeclared', 'warning'],
      ],
    );
    assert.deepEqual(
      preflight(first).stores.map(({ errors, warnings }) => [errors, warnings]),
      [
        [0, 8],
        [0, 8],
        [0, 5],
      ],
    );
  });

  test('lists errors first, then the release, then its tracks in their order', () => {
    assert.deepEqual(idsOf(wrong), [
      'upc_check_digit:release:upc',
      'territories_of_store:release:territories',
      'track_territory:trk_0:territory',
      'credits_production:trk_0:contributors',
      'isrc_shape:trk_1:isrc',
      'title_volume:release:title',
      'title_casing:release:title',
      'artist_profile_unset:release:artists',
      'line_missing:release:p_line',
      'line_missing:release:c_line',
      'genre_missing:release:genre',
      'title_forbidden_word:trk_0:title',
      'title_casing:trk_0:title',
      'artist_joined:trk_0:artists',
      'credits_missing:trk_0:contributors',
      'contributor_joined:trk_0:contributors',
      'genre_unknown:trk_0:genre',
      'title_featuring:trk_1:title',
      'title_casing:trk_1:title',
      'line_form:trk_1:p_line',
      'explicit_missing:trk_1:explicit',
    ]);
  });

  test('has at most a thousand findings, and counts all of them', () => {
    const { findings, stores } = preflight({
      ...base,
      tracks: album(600, 1_000).tracks.map((track) => ({ ...track, explicit: null })),
    });
    assert.equal(findings.length, 1_000);
    // The length and the explicit mark of each track; the type and the mean length of the album.
    assert.equal(stores[0]?.warnings, 1_202);
  });
});

describe('ids', () => {
  test('occur once and are short', () => {
    assert.equal(new Set(idsOf(wrong)).size, idsOf(wrong).length);
    assert.ok(idsOf(wrong).every((id) => id.length <= 200));
  });

  test('stay when tracks change places, and pointers follow', () => {
    const reversed = { ...wrong, tracks: wrong.tracks.toReversed() };
    assert.deepEqual(idsOf(reversed).toSorted(), idsOf(wrong).toSorted());
    const id = 'artist_joined:trk_0:artists';
    assert.equal(findingWith(wrong, id)?.pointer, '/tracks/0/artists');
    assert.equal(findingWith(reversed, id)?.pointer, '/tracks/1/artists');
  });

  test('stay when other findings are fixed', () => {
    const { fix } = findingWith(wrong, 'artist_joined:trk_0:artists') ?? {};
    assert.ok(fix);
    assert.deepEqual(
      idsOf(applyFix(wrong, fix)),
      idsOf(wrong).filter((id) => id !== 'artist_joined:trk_0:artists'),
    );
  });
});

describe('stores', () => {
  const mono = withAudio({ channels: 1 });

  test('are named where only they reject the release', () => {
    const [finding] = findingsOf(mono);
    assert.deepEqual([finding?.appliesTo, finding?.unit], [['beat'], 'channels']);
    assert.deepEqual(
      preflight(mono).stores.map(({ storeId, errors }) => [storeId, errors]),
      [
        ['apex', 0],
        ['beat', 1],
        ['calm', 0],
      ],
    );
  });

  test('without any, general rules still report and the rules of stores do not', () => {
    const { findings, stores } = preflight({
      ...wrong,
      ...mono,
      release: wrong.release,
      stores: [],
    });
    assert.deepEqual(stores, []);
    assert.ok(findings.length > 0);
    assert.ok(findings.every(({ appliesTo }) => appliesTo === 'all'));
    const specific = findings.filter(({ rule }) =>
      /^(audio|artwork)_|of_store|^credits_production$/.test(rule),
    );
    assert.deepEqual(specific, []);
  });

  const safeDays = (releaseDate: string): string[] =>
    preflight(withRelease({ releaseDate })).stores.map(({ latestSafeSubmitAt }) =>
      latestSafeSubmitAt.toISOString(),
    );

  test('have a last safe day, counted in business days before the release date', () => {
    // A Friday and a Sunday.
    assert.deepEqual(safeDays('2027-01-15'), [
      '2027-01-08T23:59:59.999Z',
      '2027-01-08T23:59:59.999Z',
      '2027-01-13T23:59:59.999Z',
    ]);
    assert.deepEqual(safeDays('2027-01-17'), [
      '2027-01-11T23:59:59.999Z',
      '2027-01-11T23:59:59.999Z',
      '2027-01-14T23:59:59.999Z',
    ]);
  });
});

describe('a fix', () => {
  const fixOf = (input: PreflightInput, id: string) => findingWith(input, id)?.fix;

  test('that would cause a new finding is not offered', () => {
    const id = 'title_forbidden_word:trk_0:title';
    assert.ok(fixOf(withTrack({ title: 'Night Drive (Exclusive)' }), id));
    const duplicate = withTrack({ title: 'Day Off (Exclusive)' });
    assert.ok(idsOf(duplicate).includes(id));
    assert.equal(fixOf(duplicate, id), undefined, 'the other track is called Day Off');
  });

  test('that leaves its finding is not offered', () => {
    const id = 'line_form:release:p_line';
    assert.ok(fixOf(withRelease({ pLine: '(P) 2027 Ida' }), id));
    assert.ok(idsOf(withRelease({ pLine: '(P) Ida' })).includes(id));
    assert.equal(fixOf(withRelease({ pLine: '(P) Ida' }), id), undefined);
  });

  test('that the API would refuse is not offered', () => {
    const titled = (length: number) => withTrack({ title: `${'Ab '.repeat(length)}feat. Mo` });
    assert.ok(fixOf(titled(160), 'title_featuring:trk_0:title'));
    assert.equal(fixOf(titled(164), 'title_featuring:trk_0:title'), undefined, '502 characters');
    const crowd = (count: number) =>
      withRelease({ artists: [main(Array.from({ length: count }, (_, i) => `A${i}`).join(', '))] });
    assert.equal(fixOf(crowd(100), 'artist_joined:release:artists')?.release?.artists?.length, 100);
    assert.equal(fixOf(crowd(101), 'artist_joined:release:artists'), undefined);
    const joined = (count: number, ...roles: Contributor['roles']) =>
      withTrack({
        contributors: [
          credited(Array.from({ length: count }, (_, i) => `A${i}`).join(', '), 'producer'),
          credited('A0', ...roles),
        ],
      });
    const id = 'contributor_joined:trk_0:contributors';
    assert.equal(fixOf(joined(100, 'lyricist'), id)?.tracks?.['trk_0']?.contributors?.length, 100);
    assert.equal(fixOf(joined(101, 'lyricist'), id), undefined);
    // With the role of the other entry, A0 would have eleven.
    const ten = contributorRoles.filter((role) => role !== 'producer').slice(0, 10);
    assert.equal(fixOf(joined(2, ...ten), id), undefined);
  });

  test('of a title that the release and its only track share changes both', () => {
    const sharedTitle = withRelease(
      { title: 'A (Live)' },
      withTrack({ title: 'A (Live)' }, 0, single),
    );
    const edit = { title: 'A', version: 'Live' };
    assert.deepEqual(fixOf(sharedTitle, 'title_version:trk_0:title'), {
      release: edit,
      tracks: { trk_0: edit },
    });
  });
});

test('for a track, a rule reads only the fields of the release in its inheritedFields', () => {
  const { release, ...rest } = withTrack({ title: 'NIGHT (Instrumental)', pLine: '(p) 2099 X' });
  const tracks = rest.tracks.map((track): PreflightTrack => ({
    ...track,
    territory: ['DE'],
    useTypes: ['download', 'ugc'],
    originalReleaseDate: '2019-05-10',
    composition: 'cover',
    samples: 'cleared',
    ugcPolicy: 'monetize',
    subgenre: 'Trap',
    localizedTitles: { de: { title: 'Nachtfahrt', version: null } },
  }));
  for (const id of ruleList) {
    const { track: check, inheritedFields: inherited = [] } = rules[id];
    const read = new Set<string | symbol>();
    const watched = new Proxy(release, {
      get: (target, field, receiver) => {
        read.add(field);
        return Reflect.get(target, field, receiver);
      },
    });
    for (const track of tracks) check?.(track, { ...rest, tracks, release: watched });
    assert.deepEqual(read, new Set<string | symbol>(inherited), id);
  }
});
