import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  createValidator,
  type FileStatus,
  parseManifest,
  readMessage,
  readXml,
} from '../src/index.ts';
import { listDdexFiles, readDdexFile } from './ddex-files.ts';
import { schemaDirectory } from './schema-directory.ts';

describe('the negative cases', () => {
  const validator = createValidator(schemaDirectory);
  after(() => validator.dispose());

  const expected: Readonly<Record<string, FileStatus>> = {
    'bad-upc-checkdigit.xml': 'IdentifierInvalid',
    'both-territory-kinds.xml': 'NewReleaseMessageInvalid',
    'dangling-deal-ref.xml': 'NewReleaseMessageInvalid',
    'enddate-only.xml': 'NewReleaseMessageInvalid',
    'isrc-hyphens.xml': 'IdentifierSyntaxInvalid',
    'no-deallist.xml': 'NoDealInNewReleaseMessage',
    'no-genre.xml': 'MetadataMissing',
    'takedown-element.xml': 'NewReleaseMessageInvalid',
  };

  test('each of them is expected here', () => {
    const names = listDdexFiles('handmade', 'negative');
    assert.deepEqual(names.toSorted(), [...Object.keys(expected), 'manifest-purge.xml'].toSorted());
  });

  for (const [name, code] of Object.entries(expected)) {
    test(`${name} is refused as ${code}, with and without the XSD`, () => {
      const xml = readDdexFile('handmade', 'negative', name);
      for (const options of [{}, { validator }]) {
        const { findings } = readMessage(xml, options);
        assert.ok(
          findings.some((finding) => finding.code === code),
          JSON.stringify(findings),
        );
        assert.ok(findings.every(({ xpath }) => xpath.startsWith('/ern:NewReleaseMessage')));
      }
      assert.deepEqual(
        [...new Set(readMessage(xml).findings.map((finding) => finding.code))],
        [code],
      );
    });
  }

  test('manifest-purge.xml is refused', () => {
    const { findings } = parseManifest(
      readXml(readDdexFile('handmade', 'negative', 'manifest-purge.xml')),
    );
    assert.deepEqual(
      findings.map(({ code, xpath }) => [code, xpath]),
      [['NewReleaseMessageInvalid', '/ern-c-sftp:ManifestMessage/MessageInBatch']],
    );
  });

  for (const name of ['new-release', 'takedown', 'purge']) {
    for (const version of ['ern432', 'ern43']) {
      test(`${version}-${name}.xml is accepted`, () => {
        const xml = readDdexFile('handmade', `${version}-${name}.xml`);
        assert.deepEqual(readMessage(xml, { validator }).findings, []);
      });
    }
  }

  test('a message without deals is a takedown of a known release', () => {
    const xml = readDdexFile('handmade', 'negative', 'no-deallist.xml');
    assert.deepEqual(readMessage(xml, { validator, isKnownRelease: true }).findings, []);
  });
});
