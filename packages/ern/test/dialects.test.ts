import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { dialects } from '../src/write/dialects.ts';
import { schemaDirectory, withoutSchemas } from './schema-directory.ts';

/** The values of an allowed value set of DDEX. */
function valuesOf(version: '003' | '009', name: string): readonly string[] {
  const file = join(schemaDirectory, `avs/allowed-value-sets_${version}.xsd`);
  const [, definition = ''] = readFileSync(file, 'utf8').split(`<xs:simpleType name="${name}">`);
  const [restriction = ''] = definition.split('</xs:simpleType>');
  const values = [...restriction.matchAll(/<xs:enumeration value="([^"]+)"/g)];
  assert.ok(values.length > 0, name);
  return values.flatMap(([, value]) => value ?? []);
}

const missingIn43 = (name: string): readonly string[] => {
  const known = new Set(valuesOf('003', name));
  return valuesOf('009', name).filter((value) => !known.has(value));
};

describe('what ERN 4.3 lacks', { skip: withoutSchemas }, () => {
  const { contributorRoles, instruments, useTypes } = dialects['4.3'].missing;
  for (const [name, missing] of [
    ['ContributorRole', contributorRoles],
    ['InstrumentType', instruments],
    ['UseType_ERN', useTypes],
  ] as const) {
    test(`is what DDEX added to ${name} since`, () => {
      assert.deepEqual(missing.toSorted(), missingIn43(name).toSorted());
    });
  }

  test('is nothing of the other values that the builders write', () => {
    for (const name of ['CommercialModelType_ERN', 'ParentalWarningType', 'CurrentTerritoryCode']) {
      assert.deepEqual(missingIn43(name), []);
    }
  });
});
