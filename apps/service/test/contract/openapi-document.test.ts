/** The OpenAPI document as generators of clients read it. `tools/codegen` runs two of them. */

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { describeApi } from '../../src/app/describe-api.ts';
import { storedTypes } from '../../src/app/event-catalogue.ts';
import { listOperations, renderOpenApi } from '../../src/app/openapi.ts';
import { eventTypes } from '../../src/kernel/event-type.ts';
import { Problem, problemCodes } from '../../src/kernel/problem.ts';
import { scopes } from '../../src/kernel/scope.ts';
import { compileBody } from '../../src/platform/http/validation.ts';
import {
  actions,
  fieldsOf,
  isPayoutAction,
  requiredOf,
} from '../../src/sandbox/domain/scenario.ts';
import type { Json } from '../delivery-fixture.ts';

/** Types that a browser or TypeScript has without an import, besides those that Node.js has too. */
const foreignNames = new Set(
  `Animation Attr Comment Document Element History Image Location Lock Navigator Node Notification Option Partial Pick
  Plugin Range Readonly Record Required Screen Selection Storage Text Touch Window Worker`.split(
    /\s+/,
  ),
);

describe('the OpenAPI document for generators', () => {
  let document: Json;
  let schemas: Readonly<Record<string, Json>>;
  before(async () => {
    document = JSON.parse(await renderOpenApi());
    ({ schemas } = document.components);
  });

  test('no schema has the name of a global type of JavaScript, TypeScript or the browser', () => {
    const names = Object.keys(schemas);
    assert.ok(names.length > 150);
    assert.deepEqual(
      names.filter((name) => name in globalThis || foreignNames.has(name)),
      [],
    );
  });

  test('contract §6, §7, §5: event types, error codes and scopes are named choices', () => {
    assert.deepEqual(schemas['EventType']?.enum, eventTypes);
    assert.deepEqual(eventTypes.toSorted(), storedTypes.map(({ type }): string => type).toSorted());
    assert.deepEqual(schemas['ErrorCode']?.enum, problemCodes);
    assert.deepEqual(schemas['Scope']?.enum, scopes);
    assert.deepEqual(schemas['ApiError']?.properties.error.properties.code, {
      $ref: '#/components/schemas/ErrorCode',
    });
  });

  test('spec §9.2: a named choice says that it may get new values', () => {
    const choices = Object.values(schemas).filter((schema) => schema.enum !== undefined);
    assert.ok(choices.length >= 5);
    for (const { title, description } of choices)
      assert.match(description, /new ones may be added/, title);
  });

  test('contract §4: a scenario step is one of its actions, with the fields that the action uses', () => {
    const steps = schemas['ScenarioStepInput'];
    assert.deepEqual(Object.keys(steps.discriminator.mapping), actions);
    for (const action of actions) {
      const name = steps.discriminator.mapping[action].split('/').at(-1);
      const { properties, required, additionalProperties } = schemas[name];
      assert.equal(properties.action.const, action);
      assert.deepEqual(
        Object.keys(properties).toSorted(),
        ['action', ...(isPayoutAction(action) ? [] : ['chance']), ...fieldsOf[action]].toSorted(),
      );
      assert.deepEqual(required, ['action', requiredOf[action] ?? []].flat());
      assert.equal(additionalProperties, false);
    }
  });

  test('contract §4: the clock is advanced by a duration or to a time, not both', () => {
    const required = schemas['AdvanceClock'].oneOf.map(
      ({ $ref }: Json) => schemas[$ref.split('/').at(-1)].required,
    );
    assert.deepEqual(required, [['by'], ['to']]);
  });

  test('a keyword of validation does not reach the document', () => {
    const found = new Set(JSON.stringify(document).match(/"x-[a-z-]+":/g));
    assert.deepEqual(
      found,
      new Set(['"x-scopes":', '"x-tier":', '"x-disabled":', '"x-effect":', '"x-effect-if":']),
    );
  });
  const fieldsIn = (schema: Json): string[] => {
    const target = schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)];
    const { properties = {}, items = [], oneOf = [] } = target;
    const nested = [...Object.values(properties), ...[items].flat(), ...oneOf];
    return [...Object.keys(properties), ...nested.flatMap(fieldsIn)];
  };
  const describedOperations = () =>
    Object.values<Json>(document.paths).flatMap((methods) =>
      Object.entries<Json>(methods).map(([method, operation]) => {
        const { schema = {} } = operation.requestBody?.content['application/json'] ?? {};
        return { ...operation, method, effect: operation['x-effect'], fields: fieldsIn(schema) };
      }),
    );

  test('contract §1: created_at and updated_at are read_only_field in every body', async () => {
    const withBody = (await listOperations()).filter(({ body }) => body !== undefined);
    assert.ok(withBody.length > 30);
    for (const { id, body, examples } of withBody) {
      for (const field of ['created_at', 'updated_at']) {
        const result = compileBody(body)({ ...examples?.body, [field]: '2026-11-16T09:00:00Z' });
        assert.ok('error' in result && result.error instanceof Problem, id);
        assert.deepEqual([result.error.code, id], ['read_only_field', id]);
        assert.ok(result.error.details?.some((each) => each.field === field));
      }
    }
  });

  test('contract §1: If-Match is offered where a changed resource is 412, and nowhere else', () => {
    for (const { operationId, parameters = [], responses } of describedOperations()) {
      const isOffered = parameters.some(({ $ref = '' }: Json) => $ref.endsWith('/If-Match'));
      assert.equal(isOffered, '412' in responses, operationId);
    }
  });

  test('every operation states what it does to what exists: a GET reads, and every DELETE takes something away', async () => {
    const operations = describedOperations();
    assert.ok(operations.length > 100);
    for (const { operationId, method, effect } of operations) {
      assert.equal(typeof effect, 'string', operationId);
      if (method === 'get') assert.equal(effect, 'reads', operationId);
      if (method === 'delete') assert.match(effect, /^(deletes|revokes_access)$/, operationId);
    }
    const unstated = (await listOperations())
      .filter(({ id }) => id === 'getRelease')
      .map((operation) => ({ ...operation, method: 'POST' as const }));
    assert.throws(() => describeApi(unstated, new Date()), /getRelease states no effect/);
  });

  test('an operation that sets stores, territories or use types withdraws, unless it only reads or creates', () => {
    const rights = /^(stores|territor(y|ies|y_codes)|excluded_territories|use_types)$/;
    const setting = describedOperations().filter(
      ({ effect, fields }) =>
        !['reads', 'creates'].includes(effect) &&
        fields.some((field: string) => rights.test(field)),
    );
    assert.ok(setting.length >= 7, setting.map(({ operationId }) => operationId).join());
    for (const operation of setting) {
      const { operationId, effect, fields, 'x-effect-if': condition } = operation;
      assert.equal(effect, 'withdraws', operationId);
      if (condition === undefined) continue;
      const missing = fields.filter((field: string) => rights.test(field) && !(field in condition));
      assert.deepEqual(missing, [], operationId);
    }
  });

  test('the fields and values on which an effect depends are those of the body', () => {
    const conditional = describedOperations().filter((each) => each['x-effect-if'] !== undefined);
    assert.ok(conditional.length >= 4);
    for (const { operationId, requestBody, fields, 'x-effect-if': condition } of conditional) {
      for (const [field, values] of Object.entries<Json>(condition)) {
        assert.ok(fields.includes(field), `${operationId} ${field}`);
        if (values === 'any') continue;
        const { $ref } = requestBody.content['application/json'].schema;
        const known = schemas[$ref.split('/').at(-1)].properties[field].enum;
        assert.ok(
          values.every((value: string) => known.includes(value)),
          operationId,
        );
      }
    }
  });
});
