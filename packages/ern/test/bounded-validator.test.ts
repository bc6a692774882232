import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createBoundedValidator, SchemaUnavailable, XmlRefused } from '../src/index.ts';
import { readDdexFile } from './ddex-files.ts';
import { schemaDirectory } from './schema-directory.ts';

const good = readDdexFile('handmade', 'ern432-new-release.xml');

describe('the bounded validator', () => {
  const validator = createBoundedValidator(schemaDirectory, { deadlineMs: 2000 });
  after(() => validator.close());

  test('finds what the validator finds, for text and bytes', async () => {
    assert.deepEqual(await validator.validate(good), []);
    const wrong = good.replace('<ReleaseType>Album</ReleaseType>', '');
    const [error] = await validator.validate(Buffer.from(wrong));
    assert.match(error?.message ?? '', /Expected is \( ReleaseType \)/);
  });

  test('ends with a document of 20,000 wrong values, and takes the next one', async () => {
    const code = '<ExcludedTerritoryCode>RU</ExcludedTerritoryCode>';
    const hostile = good.replace(code, code.replace('RU', 'X').repeat(20_000));
    const [error, ...others] = await validator.validate(hostile);
    assert.match(error?.message ?? '', /within 2000 ms: it has too many errors/);
    assert.deepEqual(others, []);
    assert.deepEqual(await validator.validate(good), []);
  });

  test('refuses hostile XML by name', async () => {
    const refused = validator.validate('<!DOCTYPE a><a/>');
    await assert.rejects(
      refused,
      (error) => error instanceof XmlRefused && error.code === 'xml_has_dtd',
    );
  });

  test('says which schema is missing', async () => {
    const without = createBoundedValidator('/nowhere');
    await assert.rejects(without.validate(good), SchemaUnavailable);
    await without.close();
  });
});
