import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { base, withRelease, withTrack } from '../../../test/proofs/preflight-base.ts';
import type { PreflightInput } from './preflight/preflight-input.ts';
import { diffSnapshots, type SnapshotChange } from './snapshot-changes.ts';
import type { Snapshot } from './snapshot.ts';

const snapshotOf = ({ release, tracks, artists }: PreflightInput): Snapshot => ({
  release,
  tracks,
  artists,
  assets: [],
});
const changes = (before: PreflightInput, after: PreflightInput): readonly SnapshotChange[] =>
  diffSnapshots(snapshotOf(before), snapshotOf(after));

describe('what stores get differently of rights', () => {
  test('is the whole list of territories, in any order, and once for tracks without their own', () => {
    const [first, reordered, other] = [
      ['DE', 'AT'],
      ['AT', 'DE'],
      ['DE', 'CH'],
    ];
    const released = withRelease({ territories: first });
    assert.deepEqual(changes(released, withRelease({ territories: reordered })), []);
    assert.deepEqual(changes(released, withRelease({ territories: other })), [
      { pointer: '/territories', before: first, after: other },
    ]);
    assert.deepEqual(changes(released, withTrack({ territory: reordered }, 0, released)), []);
    assert.deepEqual(changes(released, withTrack({ territory: ['DE'] }, 0, released)), [
      { pointer: '/tracks/0/territory', before: first, after: ['DE'] },
    ]);
  });

  test('is the whole list of exclusions, in any order, and once for tracks without their own', () => {
    const [first, reordered, other] = [
      ['RU', 'BY'],
      ['BY', 'RU'],
      ['RU', 'CN'],
    ];
    const released = withRelease({ excludedTerritories: first });
    assert.deepEqual(changes(released, withRelease({ excludedTerritories: reordered })), []);
    assert.deepEqual(changes(base, released), [
      { pointer: '/excluded_territories', before: null, after: first },
    ]);
    assert.deepEqual(changes(released, withRelease({ excludedTerritories: other })), [
      { pointer: '/excluded_territories', before: first, after: other },
    ]);
    const narrowed = withTrack({ excludedTerritories: ['JP'] }, 0, released);
    assert.deepEqual(changes(released, narrowed), [
      { pointer: '/tracks/0/excluded_territories', before: null, after: ['JP'] },
    ]);
    const both = withRelease({ excludedTerritories: other }, narrowed);
    assert.deepEqual(changes(narrowed, both), [
      { pointer: '/excluded_territories', before: first, after: other },
    ]);
    // Its own list, which says the same as that of the release.
    const own = withTrack({ territory: ['WORLD'], excludedTerritories: reordered }, 0, released);
    assert.deepEqual(changes(released, own), []);
  });

  test('is the whole list of use types; withdrawn is not the same as unset', () => {
    const streams = withRelease({ useTypes: ['ad_supported_stream', 'subscription_stream'] });
    const reordered = withRelease({ useTypes: ['subscription_stream', 'ad_supported_stream'] });
    assert.deepEqual(changes(streams, reordered), []);
    assert.deepEqual(changes(base, withRelease({ useTypes: ['ugc'] })), [
      { pointer: '/use_types', before: null, after: ['ugc'] },
    ]);
    const withdrawn = withTrack({ useTypes: [] });
    assert.deepEqual(changes(base, withdrawn), [
      { pointer: '/tracks/0/use_types', before: null, after: [] },
    ]);
    assert.deepEqual(changes(withdrawn, base), [
      { pointer: '/tracks/0/use_types', before: [], after: null },
    ]);
  });
});
