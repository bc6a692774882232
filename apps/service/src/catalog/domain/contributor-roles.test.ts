/**
 * The allowed value sets of DDEX are licensed and not part of this repository: the comparison with them runs where
 * `DDEX_SCHEMA_DIR` names a folder that has them.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import {
  contributorRoleEntries,
  contributorRoles,
  groupOf,
  roleGroups,
} from './contributor-roles.ts';
import { instruments } from './instruments.ts';

const folder = process.env['DDEX_SCHEMA_DIR'];

/** The enumeration of an allowed value set. */
function allowedValues(version: string, set: string): readonly string[] {
  const file = resolve(folder ?? '', `avs/allowed-value-sets_${version}.xsd`);
  const [, definition = ''] = readFileSync(file, 'utf8').split(`<xs:simpleType name="${set}">`);
  const [restriction = ''] = definition.split('</xs:simpleType>');
  return [...restriction.matchAll(/<xs:enumeration value="([^"]+)"/g)].map(
    ([, value]) => value ?? '',
  );
}

describe('contributor roles', () => {
  test('occur once, each with a name and a group', () => {
    assert.equal(new Set(contributorRoles).size, contributorRoles.length);
    assert.deepEqual(new Set(contributorRoles.map(groupOf)), new Set(roleGroups));
    for (const { role, name } of contributorRoleEntries) {
      assert.match(role, /^[a-z]+(_[a-z]+)*$/);
      assert.match(name, /^[A-Z]/);
    }
  });

  test('catalogue §3: the named ones are among them', () => {
    const named =
      'composer lyricist arranger producer recording_engineer mixing_engineer mastering_engineer vocalist performer';
    const missing = named
      .split(' ')
      .filter((role) => !contributorRoles.some((each) => each === role));
    assert.deepEqual(missing, []);
  });
});

describe('instruments', () => {
  test('occur once, in snake_case', () => {
    const words = instruments.map(({ instrument }) => instrument);
    assert.equal(new Set(words).size, words.length);
    for (const word of words) assert.match(word, /^[a-z0-9]+(_[a-z0-9]+)*$/);
    const named = instruments.filter(({ instrument }) =>
      ['bass_drum_kick', '12_string_guitar', 'viola_d_amore'].includes(instrument),
    );
    assert.deepEqual(
      named.map(({ name, ddexInstrument }) => [name, ddexInstrument]),
      [
        ['12 String Guitar', '12-StringGuitar'],
        ['Bass Drum Kick', 'BassDrum(Kick)'],
        ['Viola D Amore', 'ViolaDAmore'],
      ],
    );
  });
});

describe('DDEX', { skip: folder === undefined ? 'DDEX_SCHEMA_DIR is not set' : false }, () => {
  for (const version of ['009', '003']) {
    test(`every role is a ContributorRole of the allowed value sets ${version}`, () => {
      const allowed = new Set(allowedValues(version, 'ContributorRole'));
      assert.ok(allowed.size > 300, 'the schema was read');
      const unknown = contributorRoleEntries.filter(({ ddexRole }) => !allowed.has(ddexRole));
      assert.deepEqual(unknown, []);
    });
  }

  test('the instruments are every InstrumentType of version 9 but UserDefined', () => {
    const allowed = allowedValues('009', 'InstrumentType').filter(
      (value) => value !== 'UserDefined',
    );
    const own = instruments.map(({ ddexInstrument }) => ddexInstrument);
    assert.deepEqual(own.toSorted(), allowed.toSorted());
  });
});
