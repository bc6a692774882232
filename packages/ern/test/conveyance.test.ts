import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  buildNewRelease,
  type DropReason,
  ernVersions,
  type NewReleaseMessage,
  takeDown,
} from '../src/index.ts';
import { leafPointersOf } from '../src/write/field.ts';
import { sampleReleases } from './random-sample.ts';

/** Messages without deals leave out more than others. */
const releases = sampleReleases(250).flatMap((release, i) =>
  i % 5 === 0 ? [release, takeDown(release, new Date('2027-06-01T12:00:00Z'))] : [release],
);

/** Another value in one place of the model. */
function withChange(model: NewReleaseMessage, pointer: string): NewReleaseMessage {
  const copy = structuredClone(model);
  const keys = pointer.split('/').slice(1);
  const last = keys.pop() ?? '';
  // The pointers come from the model itself.
  const place = keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], copy);
  const members = place as Record<string, unknown>;
  members[last] = changed(members[last]);
  return copy;
}

function changed(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  return typeof value === 'number' ? value + 1 : `${String(value)}x`;
}

/** Each takes one more message. The name of the root element says the kind, which has no other value. */
const sampleOf = (pointers: readonly string[]): readonly string[] =>
  pointers.filter((pointer, i) => i % 7 === 0 && pointer !== '/kind');

/** Whatever its value. */
const isNeverSent = ({ reason }: { readonly reason: DropReason }): boolean =>
  reason === 'not_in_version' || reason === 'no_deals';

for (const version of ernVersions) {
  describe(`conveyance in ERN ${version}`, () => {
    test('every value of a release is either sent or dropped, with a reason', () => {
      for (const release of releases) {
        const { sent, dropped } = buildNewRelease(release, version).conveyance();
        const pointers = [...sent, ...dropped.map(({ pointer }) => pointer)];
        assert.deepEqual(pointers.toSorted(), leafPointersOf(release).toSorted());
        assert.deepEqual(
          dropped.filter(({ reason }) => reason === 'unknown_field'),
          [],
        );
      }
    });

    test('a change of a sent value changes the message, a change of a dropped one does not', () => {
      for (const release of releases.filter(({ tracks }) => tracks.length <= 2).slice(0, 20)) {
        const { xml, conveyance } = buildNewRelease(release, version);
        const { sent, dropped } = conveyance();
        for (const pointer of sampleOf(sent)) {
          const other = withChange(release, pointer);
          assert.notEqual(buildNewRelease(other, version).xml, xml, pointer);
        }
        for (const pointer of sampleOf(dropped.filter(isNeverSent).map((entry) => entry.pointer))) {
          assert.equal(buildNewRelease(withChange(release, pointer), version).xml, xml, pointer);
        }
      }
    });
  });
}
