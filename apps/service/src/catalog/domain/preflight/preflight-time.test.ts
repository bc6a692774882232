import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { album, withRelease, withTrack } from '../../../../test/proofs/preflight-base.ts';
import type { Artist } from '../release.ts';
import type { PreflightInput } from './preflight-input.ts';
import { preflight } from './preflight.ts';

const main = (name: string): Artist => ({ name, role: 'main' });

describe('time', () => {
  /** Of the processor, by this thread: a busy machine makes it wait, which is not the rules' doing. */
  const spentMs = (subject: PreflightInput): number => {
    const before = process.threadCpuUsage();
    preflight(subject);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };

  /** In one of three attempts: otherwise only the rules can be what is slow. */
  const isOnceUnder = (ms: number, subject: PreflightInput): boolean =>
    [1, 2, 3].some(() => spentMs(subject) < ms);

  test('an album of 100 tracks with something to mend on each is reported quickly', () => {
    const tracks = album(100, 180_000).tracks.map((track, i) => ({
      ...track,
      title: `night ${i}`,
    }));
    const subject = { ...album(100, 180_000), tracks };
    assert.ok(spentMs(subject) < 500);
    const { findings } = preflight(subject);
    assert.equal(findings.filter(({ fix }) => fix !== undefined).length, 100);
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

  test('hostile text costs its length, not its square', () => {
    // Forty times what the door lets in: a square would take seconds.
    for (const seed of hostile) {
      const text = seed.repeat(Math.ceil(20_000 / seed.length));
      for (const title of [text, `A ${text}!`, `Track ${text}Z`]) {
        const edit = { title, version: title, pLine: title, genre: title };
        const subject = withRelease({ ...edit, artists: [main(title)] }, withTrack(edit));
        assert.ok(isOnceUnder(150, subject), `${JSON.stringify(title.slice(0, 30))}…`);
      }
    }
  });

  test('a hostile album does not verify every fix against every name', () => {
    // Eight times what a release may take with its tracks.
    const artists = Array.from({ length: 30 }, (_, i) => main(`n${i} `.repeat(100)));
    const tracks = album(500, 1_000).tracks.map((track, i) => ({
      ...track,
      title: `night${i} ${'ab '.repeat(120)} volume 2 (ft a) (Live) (Clean)`,
      genre: 'pop',
      pLine: '(p) 2027 x',
      // Each list is one of its own, as it comes from a database.
      artists: [...artists.map((each) => ({ ...each })), main(`q & r${i}`)],
    }));
    assert.ok(isOnceUnder(600, { ...album(500, 1_000), tracks }));
  });

  test('a hundred hostile names on each of a hundred tracks do not grow into more', () => {
    const artists = Array.from({ length: 100 }, () => main('a, '.repeat(166)));
    const tracks = album(100, 180_000).tracks.map((track) => ({ ...track, artists }));
    assert.ok(spentMs({ ...album(100, 180_000), tracks }) < 1_000);
  });
});
