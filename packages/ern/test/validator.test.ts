import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { createValidator, readXml, SchemaUnavailable } from '../src/index.ts';
import { xpathOf } from '../src/read/xml-tree.ts';
import { listDdexFiles, readDdexFile } from './ddex-files.ts';
import { schemaDirectory } from './schema-directory.ts';

describe('the XSD validator', () => {
  const validator = createValidator(schemaDirectory);
  after(() => validator.dispose());

  const good = readDdexFile('handmade', 'ern432-new-release.xml');

  for (const folder of ['handmade', 'samples/ern43', 'samples/ern432-derived']) {
    for (const name of listDdexFiles(folder)) {
      test(`${folder}/${name} is valid`, () => {
        assert.deepEqual(validator.validate(readDdexFile(folder, name)), []);
      });
    }
  }

  test('an error names the line, the place and what is expected', () => {
    const [error, ...others] = validator.validate(
      readDdexFile('handmade', 'negative', 'no-genre.xml'),
    );
    assert.deepEqual(error, {
      message: "Element 'ReleaseDate': This element is not expected. Expected is ( DisplayGenre ).",
      line: 110,
      xpath: '/ern:NewReleaseMessage/ReleaseList/Release/ReleaseDate',
    });
    assert.equal(others.length, 2);
  });

  test('a wrong value is one error, cut to a readable length', () => {
    const errors = validator.validate(good.replace('>RU<', '>XX<'));
    assert.equal(errors.length, 1);
    assert.match(errors[0]?.message ?? '', /The value 'XX' is not an element of the set/);
    assert.equal(errors[0]?.message.length, 500);
  });

  test('the places of errors are those that the reader gives', () => {
    const broken = good.replaceAll('<Duration>PT4M05S</Duration>', '<Duration>long</Duration>');
    const { root, errors } = validator.read(broken);
    const places: string[] = [];
    const visit = (element: typeof root | (typeof root.children)[number]): void => {
      places.push(xpathOf(element));
      element.children.forEach(visit);
    };
    visit(root);
    assert.ok(places.includes(errors[0]?.xpath ?? ''), errors[0]?.xpath);
  });

  test('an unknown namespace is an error that lists the known ones', () => {
    const [error] = validator.validate('<a xmlns="http://ddex.net/xml/ern/382"/>');
    assert.match(error?.message ?? '', /ern\/382" of a is not supported.*ern\/432/);
  });

  test('a schemaLocation in a message loads nothing', () => {
    const asked = validator.validate(
      good
        .replace(
          'ern/432/release-notification.xsd"',
          'ern/432/release-notification.xsd urn:x file:///etc/passwd"',
        )
        .replace('<PartyList>', '<PartyList xmlns:z="urn:x"><z:a/>'),
    );
    assert.deepEqual(
      asked.map(({ message }) => message),
      ["Element '{urn:x}a': This element is not expected. Expected is ( Party )."],
    );
  });
});

describe('the schema directory', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ern-schemas-'));
  after(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'ern/432'), { recursive: true });
  const write = (schema: string) =>
    writeFileSync(
      join(directory, 'ern/432/release-notification.xsd'),
      `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://ddex.net/xml/ern/432">${schema}</xs:schema>`,
    );
  const message = '<a xmlns="http://ddex.net/xml/ern/432"/>';

  test('a missing schema is named', () => {
    const validator = createValidator(directory);
    assert.throws(
      () => validator.validate('<a xmlns="http://ddex.net/xml/ern/43"/>'),
      (error) =>
        error instanceof SchemaUnavailable &&
        /ern\/43\/release-notification.xsd/.test(error.message),
    );
  });

  test('an include inside of the directory is followed', () => {
    writeFileSync(
      join(directory, 'part.xsd'),
      '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"/></xs:schema>',
    );
    write('<xs:include schemaLocation="../../part.xsd"/>');
    const validator = createValidator(directory);
    assert.deepEqual(validator.validate(message), []);
    validator.dispose();
  });

  test('an include that leads out of the directory is refused', () => {
    const outside = mkdtempSync(join(tmpdir(), 'ern-outside-'));
    after(() => rmSync(outside, { recursive: true }));
    const schema =
      '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"/></xs:schema>';
    writeFileSync(join(outside, 'part.xsd'), schema);
    symlinkSync(join(outside, 'part.xsd'), join(directory, 'link.xsd'));
    for (const location of [
      '../../link.xsd',
      `file://${outside}/part.xsd`,
      `${outside}/part.xsd`,
    ]) {
      write(`<xs:include schemaLocation="${location}"/>`);
      assert.throws(
        () => createValidator(directory).validate(message),
        SchemaUnavailable,
        location,
      );
    }
  });

  test('reading without a validator needs no schemas', () => {
    assert.equal(readXml(message).namespace, 'http://ddex.net/xml/ern/432');
  });
});
