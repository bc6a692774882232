import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { buildCatalogue, cataloguePath, readDocument } from '../../scripts/mcp-catalogue.ts';
import { absentOperations, repeatableOperations, warnings } from '../../src/mcp/exposure.ts';
import { readCatalogue } from '../../src/mcp/server.ts';

const document = readDocument();
const documented = Object.values(document.paths).flatMap((methods) =>
  Object.entries(methods).map(([method, described]) => ({ method, ...described })),
);

describe('the catalogue of MCP tools', () => {
  test('is what `npm run mcp:catalogue` makes of the OpenAPI document, and small', () => {
    const text = readFileSync(cataloguePath, 'utf8');
    assert.equal(text, buildCatalogue(document), 'run `npm run mcp:catalogue`');
    assert.ok(text.length < 150_000, `${text.length} characters`);
  });

  test('every operation is a tool, or says why not', () => {
    const tools = new Set(readCatalogue().map(({ operationId }) => operationId));
    assert.ok(documented.length > 100);
    for (const { operationId } of documented) {
      assert.notEqual(tools.has(operationId), operationId in absentOperations, operationId);
    }
    assert.ok(Object.values(absentOperations).every((reason) => reason.length > 20));
  });

  test('the lists of operations name only operations that exist', () => {
    const known = new Set(documented.map(({ operationId }) => operationId));
    for (const id of [...Object.keys(absentOperations), ...repeatableOperations]) {
      assert.ok(known.has(id), id);
    }
  });

  test('every operation states its effect; without one, or with an unknown one, there is no catalogue', () => {
    for (const { operationId, 'x-effect': effect = '' } of documented) {
      assert.ok(Object.hasOwn(warnings, effect), operationId);
    }
    const text = JSON.stringify(document);
    for (const effect of ['', '"x-effect":"toString",', '"x-effect":"destroys",']) {
      const edited = JSON.parse(text.replace('"x-effect":"deletes",', effect));
      assert.throws(() => buildCatalogue(edited), /deleteRelease has the effect/);
    }
  });

  test('every DELETE, takedown, payout, reset and revocation needs a confirmation', () => {
    const dangerous = documented.filter(
      ({ method, operationId }) =>
        method === 'delete' ||
        (method !== 'get' && /takeDown|Payout|reset|revoke|merge|Ern$/i.test(operationId)),
    );
    assert.ok(dangerous.length > 20);
    for (const { operationId, 'x-effect': effect, 'x-effect-if': condition } of dangerous) {
      assert.notEqual(warnings[effect as keyof typeof warnings], null, operationId);
      assert.equal(condition, undefined, operationId);
    }
  });

  test('an operation whose answer has a secret is no tool', () => {
    const revealing = documented.filter(({ 'x-effect': effect }) => effect === 'reveals_secret');
    assert.ok(revealing.length >= 6);
    for (const { operationId } of revealing)
      assert.ok(operationId in absentOperations, operationId);
  });

  test('names are in the convention of MCP, unique, and short enough for every client', () => {
    const names = readCatalogue().map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    for (const name of names) assert.match(name, /^[a-z]+(_[a-z]+)+$/);
    assert.ok(names.every((name) => name.length <= 50));
    for (const name of ['list_releases', 'get_delivery', 'create_release', 'list_oauth_clients']) {
      assert.ok(names.includes(name), name);
    }
  });

  test('schemas stand alone: every argument is described, and no reference is left', () => {
    for (const { name, schema } of readCatalogue()) {
      assert.doesNotMatch(JSON.stringify(schema), /\$ref|x-expects/, name);
      for (const [argument, { description }] of Object.entries(schema.properties ?? {})) {
        assert.ok(description !== undefined && description !== '', `${name}.${argument}`);
      }
    }
  });
});
