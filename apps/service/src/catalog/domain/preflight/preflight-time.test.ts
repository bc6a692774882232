import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertOnceUnder } from '../../../../test/cpu-time.ts';
import { album, withRelease, withTrack } from '../../../../test/proofs/preflight-base.ts';
import { territoryCodes } from '../../../kernel/territory.ts';
import type { Contributor } from '../contributor.ts';
import type { Artist } from '../release.ts';
import type { PreflightInput, PreflightTrack } from './preflight-input.ts';
import { preflight } from './preflight.ts';

const main = (name: string): Artist => ({ name, role: 'main' });

describe('time', () => {
  const assertJudgedUnder = (ms: number, input: PreflightInput, what?: string): Promise<void> =>
    assertOnceUnder(ms, () => preflight(input), what);

  test('an album of 100 tracks with a finding on each is reported quickly', async () => {
    const tracks = album(100, 180_000).tracks.map((track, i) => ({
      ...track,
      title: `night ${i}`,
    }));
    const input = { ...album(100, 180_000), tracks };
    await assertJudgedUnder(500, input);
    const { findings } = preflight(input);
    assert.equal(findings.filter(({ fix }) => fix !== undefined).length, 100);
  });

  test('an album whose 500 tracks have territories and use types of their own is reported quickly', async () => {
    const tracks = album(500, 180_000).tracks.map((track, i): PreflightTrack => ({
      ...track,
      territory: i % 2 === 0 ? ['WORLD'] : [...territoryCodes],
      excludedTerritories: i % 2 === 0 ? ['RU', 'BY'] : null,
      useTypes: ['download', 'ugc'],
    }));
    const rights = { excludedTerritories: ['CN'], useTypes: ['download'] } as const;
    await assertJudgedUnder(600, withRelease(rights, { ...album(500, 180_000), tracks }));
  });

  const hostile = [
    '(',
    ')',
    '[(',
    '()',
    '( ) ',
    ' ',
    '\t',
    '- ',
    ' - ',
    'feat. ',
    ' feat.',
    'ft. - ',
    'vol. ',
    'vol',
    'part I ',
    'a',
    'A',
    'A ',
    'a.',
    'www',
    '.com',
    'x.com',
    'track ',
    '#',
    '9',
    '℗',
    '(p)',
    ' & ',
    ', ',
    ' x ',
    'İ',
    'ß',
    'ﬃ',
    '🎵',
    '夜',
    '(Live) ',
    '(feat. a) ',
    '(clean) ',
    'I',
    'IV',
    'a-',
  ];

  test('hostile text takes linear time, not quadratic', async () => {
    // Forty times the limit of the schema: quadratic time would be seconds.
    for (const seed of hostile) {
      const text = seed.repeat(Math.ceil(20_000 / seed.length));
      for (const title of [text, `A ${text}!`, `Track ${text}Z`]) {
        const edit = { title, version: title, pLine: title, genre: title };
        const input = withRelease({ ...edit, artists: [main(title)] }, withTrack(edit));
        await assertJudgedUnder(150, input, `${JSON.stringify(title.slice(0, 30))}…`);
      }
    }
  });

  test('a hostile album does not verify every fix against every name', async () => {
    // Eight times the size that a release may have with its tracks.
    const artists = Array.from({ length: 30 }, (_, i) => main(`n${i} `.repeat(100)));
    const tracks = album(500, 1_000).tracks.map((track, i) => ({
      ...track,
      title: `night${i} ${'ab '.repeat(120)} volume 2 (ft a) (Live) (Clean)`,
      genre: 'pop',
      pLine: '(p) 2027 x',
      // Each track has its own list, as read from the database.
      artists: [...artists.map((each) => ({ ...each })), main(`q & r${i}`)],
    }));
    await assertJudgedUnder(600, { ...album(500, 1_000), tracks });
  });

  test('hostile names of contributors do not grow into more', async () => {
    const contributors = Array.from({ length: 100 }, (): Contributor => ({
      name: 'a, '.repeat(166),
      roles: ['performer'],
    }));
    const tracks = album(100, 180_000).tracks.map((track) => ({ ...track, contributors }));
    await assertJudgedUnder(1_000, { ...album(100, 180_000), tracks });
  });

  test('a hundred hostile names on each of a hundred tracks do not grow into more', async () => {
    const artists = Array.from({ length: 100 }, () => main('a, '.repeat(166)));
    const tracks = album(100, 180_000).tracks.map((track) => ({ ...track, artists }));
    await assertJudgedUnder(1_000, { ...album(100, 180_000), tracks });
  });
});
