/** Our messages beside DDEX's own samples, part by part: what all of them say, each of ours says too. */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { buildNewRelease, readXml, type XmlElement } from '../src/index.ts';
import { listDdexFiles, readDdexFile } from './ddex-files.ts';
import { sampleReleases } from './random-sample.ts';
import { schemaDirectory } from './schema-directory.ts';

/** Of elements and attributes. */
const pathsIn = ({ name, attributes, children }: XmlElement, path = ''): readonly string[] => [
  `${path}/${name}`,
  ...Array.from(attributes.keys(), (attribute) => `${path}/${name}/@${attribute}`),
  ...children.flatMap((child) => pathsIn(child, `${path}/${name}`)),
];

/** Ours also start deals at an hour, name the territories to leave out, and have groups for discs. */
const inOneForm = (path: string): string =>
  path
    .replace(/StartDateTime$/, 'StartDate')
    .replace(/ExcludedTerritoryCode$/, 'TerritoryCode')
    .replace('ResourceGroup/ResourceGroup/', 'ResourceGroup/');

const partsOf = (xml: string): ReadonlySet<string> => new Set(pathsIn(readXml(xml)).map(inOneForm));

/** As a store gets it from us: with a cover, and offered. */
const messages = sampleReleases(200).filter(
  ({ release }) => release.cover?.file !== undefined && release.deals.length > 0,
);

const skip = existsSync(join(schemaDirectory, '..', 'samples')) ? false : 'DDEX licenses them';

describe('what all samples of DDEX have', { skip }, () => {
  for (const [version, folder] of [
    ['4.3.2', 'ern432-derived'],
    ['4.3', 'ern43'],
  ] as const) {
    test(`each message of ERN ${version} has too`, () => {
      const [first = new Set<string>(), ...others] = listDdexFiles('samples', folder).map((file) =>
        partsOf(readDdexFile('samples', folder, file)),
      );
      assert.ok(others.length >= 7 && messages.length > 20);
      const common = [...first].filter((part) => others.every((sample) => sample.has(part)));
      assert.ok(common.length > 50);
      for (const message of messages) {
        const ours = partsOf(buildNewRelease(message, version).xml);
        assert.deepEqual(
          common.filter((part) => !ours.has(part)),
          [],
        );
      }
    });
  }
});
