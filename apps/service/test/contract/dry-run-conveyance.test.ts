/** What each store receives of a release (contract §4: the dry run shows the ERN message): the report cannot lie. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildNewRelease } from '@tonearm/ern';
import fc from 'fast-check';
import { presentRelease, presentTrack, type Snapshot } from '../../src/catalog/face.ts';
import { conveyedBy } from '../../src/delivery/connectors/ddex/conveyance.ts';
import { fictionalDialect } from '../../src/delivery/connectors/ddex/dialect.ts';
import { usualFiles } from '../../src/delivery/connectors/ddex/to-files.ts';
import { toNewReleaseMessage } from '../../src/delivery/connectors/ddex/to-message.ts';
import { type Offered, offeredRelease } from '../snapshot-arbitrary.ts';

const envelope = {
  messageId: 'msg_1',
  threadId: 'dlv_1',
  createdAt: new Date('2026-11-16T12:00:00.000Z'),
};

function convey({ snapshot, store, deal }: Offered) {
  const dialect = fictionalDialect(store);
  const context = { snapshot, store, deal, dialect, envelope, files: usualFiles };
  const message = toNewReleaseMessage(context);
  const built = buildNewRelease(message, dialect.ernVersion);
  return { xml: built.xml, conveys: conveyedBy(built, message, context) };
}

/** The release as the API shows it, with its tracks. */
const shown = ({ release, tracks }: Snapshot): unknown => ({
  ...presentRelease(release),
  tracks: tracks.map((track) => presentTrack(track, release)),
});

/** Of every value that is not null; territories count as one value. Written apart from the code under test. */
function pointersOf(value: unknown, pointer = ''): string[] {
  if (value === null || value === undefined) return [];
  if (/\/(territories|territory|excluded_territories)$/.test(pointer)) return [pointer];
  if (typeof value !== 'object') return [pointer];
  return Object.entries(value).flatMap(([name, inner]) =>
    pointersOf(inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

describe('contract §4: what a message carries of a release', () => {
  test('every value of a random release is sent, or dropped with a reason, and not both', () => {
    const seen = { sent: 0, dropped: 0 };
    fc.assert(
      fc.property(offeredRelease(), (offered) => {
        const { sent, dropped } = convey(offered).conveys;
        const listed = [...sent, ...dropped.map(({ pointer }) => pointer)];
        assert.deepEqual(listed.toSorted(), pointersOf(shown(offered.snapshot)).toSorted());
        assert.equal(new Set(listed).size, listed.length);
        for (const { reason } of dropped) assert.match(reason, /^[A-Z].*\.$/);
        seen.sent += sent.length;
        seen.dropped += dropped.length;
      }),
      { numRuns: 300 },
    );
    assert.ok(seen.sent > 5_000 && seen.dropped > 2_000, JSON.stringify(seen));
  });

  /** Another value of a text that is free: nothing else depends on it. */
  const freeTexts = [
    'title',
    'version',
    'label',
    'cLine',
    'catalogNumber',
    'subgenre',
    'reference',
  ];

  test('a text that is sent changes the message when it changes, and one that is dropped does not', () => {
    const seen = { sent: 0, dropped: 0 };
    fc.assert(
      fc.property(offeredRelease(2), fc.constantFrom(...freeTexts), (offered, field) => {
        const { snapshot } = offered;
        const release = snapshot.release as Record<string, unknown> & Snapshot['release'];
        fc.pre(typeof release[field] === 'string');
        const pointer = `/${field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
        const before = convey(offered);
        const changed = { ...release, [field]: `${release[field]}x` } as Snapshot['release'];
        const after = convey({ ...offered, snapshot: { ...snapshot, release: changed } });
        const isSent = before.conveys.sent.includes(pointer);
        assert.equal(before.xml !== after.xml, isSent, pointer);
        seen[isSent ? 'sent' : 'dropped']++;
      }),
      { numRuns: 300 },
    );
    assert.ok(seen.sent > 50 && seen.dropped > 10, JSON.stringify(seen));
  });

  /** Each changes one value of each track. */
  const trackChanges: Readonly<Record<string, (track: Snapshot['tracks'][number]) => object>> = {
    title: ({ title }) => ({ title: `${title}x` }),
    isrc: ({ isrc }) => ({ isrc: isrc.slice(0, -1) + (isrc.endsWith('9') ? '8' : '9') }),
    position: ({ position }) => ({ position: position + 50 }),
    duration_ms: ({ durationMs }) => ({ durationMs: (durationMs ?? 0) + 1_000 }),
    mechanical_licence: ({ mechanicalLicence }) => ({ mechanicalLicence: `${mechanicalLicence}x` }),
    samples: ({ samples }) => ({ samples: samples === 'none' ? 'cleared' : 'none' }),
    iswc: ({ iswc }) => ({ iswc: iswc === 'T0000000010' ? 'T0345246801' : 'T0000000010' }),
    recording_country: ({ recordingCountry }) => ({
      recordingCountry: recordingCountry === 'FR' ? 'DE' : 'FR',
    }),
    preview_start_ms: ({ previewStartMs }) => ({ previewStartMs: (previewStartMs ?? 0) + 1_000 }),
    audio_asset_id: () => ({ audioAssetId: null }),
    ugc_policy: ({ ugcPolicy }) => ({ ugcPolicy: ugcPolicy === 'block' ? 'track' : 'block' }),
    original_release_date: ({ originalReleaseDate }) => ({
      originalReleaseDate: originalReleaseDate === '2001-01-01' ? '2001-01-02' : '2001-01-01',
    }),
  };

  test('the same is true of the values of a track', () => {
    const seen = new Map<string, Set<boolean>>();
    fc.assert(
      fc.property(
        offeredRelease(1),
        // Few stores are sent a policy for it, so it is drawn more often.
        fc.constantFrom(...Object.keys(trackChanges), ...Array<string>(12).fill('ugc_policy')),
        (offered, field) => {
          const pointer = `/tracks/0/${field}`;
          const [track] = offered.snapshot.tracks;
          const before = convey(offered);
          const { sent, dropped } = before.conveys;
          const isSent = sent.includes(pointer);
          fc.pre(isSent || dropped.some((each) => each.pointer === pointer));
          const changed = { ...track!, ...trackChanges[field]!(track!) };
          const after = convey({
            ...offered,
            snapshot: { ...offered.snapshot, tracks: [changed] },
          });
          assert.equal(before.xml !== after.xml, isSent, pointer);
          seen.set(field, (seen.get(field) ?? new Set()).add(isSent));
        },
      ),
      { numRuns: 400 },
    );
    assert.equal(seen.size, Object.keys(trackChanges).length);
    assert.equal(seen.get('ugc_policy')?.size, 2, 'both were seen');
  });

  test('catalogue §4: ERN 4.3 has no place for AI use, which 4.3.2 carries', () => {
    const reasonsOf = (version: string) => {
      const reasons = new Set<string | undefined>();
      fc.assert(
        fc.property(offeredRelease(1), (offered) => {
          fc.pre(offered.store.capabilities.ernVersion === version);
          const { sent, dropped } = convey(offered).conveys;
          const pointer = '/tracks/0/ai_use/recording';
          const drop = dropped.find((each) => each.pointer === pointer);
          if (drop !== undefined || sent.includes(pointer)) reasons.add(drop?.reason);
        }),
        { numRuns: 100 },
      );
      return [...reasons];
    };
    assert.deepEqual(reasonsOf('4.3'), ['This version of ERN has no element for it.']);
    assert.deepEqual(reasonsOf('4.3.2'), [undefined]);
  });
});
