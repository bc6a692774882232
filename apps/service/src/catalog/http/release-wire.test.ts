import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { base } from '../../../test/proofs/preflight-base.ts';
import { toSnakeCase } from '../../kernel/snake-case.ts';
import { presentRelease } from '../domain/present-release.ts';
import { presentTrack } from '../domain/present-track.ts';
import { releaseContentFields } from '../domain/release.ts';
import { trackContentFields } from '../domain/track.ts';
import { CreateReleaseBody, PatchReleaseBody, ReleaseBody } from './release-schemas.ts';
import { toNewRelease, toReleaseEdit } from './release-wire.ts';
import { PatchTrackBody, TrackBody } from './track-schemas.ts';

const namesOf = (schema: { readonly properties: object }) => Object.keys(schema.properties);
const [track] = base.tracks;

describe('fields on the wire', () => {
  test('an answer has the fields of its schema, in that order', () => {
    assert.ok(track);
    assert.deepEqual(Object.keys(presentRelease(base.release)), namesOf(ReleaseBody));
    assert.deepEqual(Object.keys(presentTrack(track, base.release)), namesOf(TrackBody));
  });

  test('PATCH takes every field that a partner can set, and the deprecated status', () => {
    const release = releaseContentFields.map(toSnakeCase);
    assert.deepEqual(namesOf(PatchReleaseBody).toSorted(), [...release, 'status'].toSorted());
    const trackNames = trackContentFields.map(toSnakeCase);
    assert.deepEqual(namesOf(PatchTrackBody).toSorted(), trackNames.toSorted());
  });

  test('creation takes the same fields but the artwork, and a UPC', () => {
    const names = releaseContentFields.map(toSnakeCase).filter((it) => it !== 'artwork_asset_id');
    assert.deepEqual(namesOf(CreateReleaseBody).toSorted(), [...names, 'upc'].toSorted());
  });
});

describe('a body', () => {
  const artist = { name: 'Ida', role: 'main', store_profiles: { apex: '1' } } as const;

  test('to create a release keeps what it includes, under the names of the domain', () => {
    const body = { title: 'A', artists: [artist], release_date: '2027-01-15', p_line: null };
    assert.deepEqual(toNewRelease(body), {
      title: 'A',
      artists: [{ name: 'Ida', role: 'main', storeProfiles: { apex: '1' } }],
      releaseDate: '2027-01-15',
      pLine: null,
      metadata: {},
    });
  });

  test('of a PATCH edits only what it includes; null empties metadata', () => {
    const body = { catalog_number: null, metadata: null, status: 'submitted' } as const;
    assert.deepEqual(toReleaseEdit(body), { catalogNumber: null, metadata: {} });
  });
});
