/**
 * Checks a response against the OpenAPI document: its status must be documented for the operation, and its body must
 * match the documented schema. Every `OrgClient` of `test-service.ts` does this for every response, so no test can
 * forget it.
 */

import assert from 'node:assert/strict';
import { Compile, type Validator } from 'typebox/compile';
import { describeApi } from '../src/app/describe-api.ts';
import type { AnyOperation } from '../src/platform/http/operation.ts';
import { ErrorBody } from '../src/platform/http/schema.ts';

type ObservedResponse = { readonly method: string; readonly path: string; readonly status: number };

type Paths = Record<string, Record<string, { responses: Record<string, unknown> }>>;

const errorBody = Compile(ErrorBody);
const validators = new WeakMap<object, Validator>();
const pathsByOperations = new Map<string, Paths>();

/** Most test services of a process have the same operations, and to describe them takes a tenth of a second. */
function pathsOf(operations: readonly AnyOperation[]): Paths {
  const key = operations.map(({ method, path }) => `${method} ${path}`).join();
  const paths =
    pathsByOperations.get(key) ?? (describeApi(operations, new Date())['paths'] as Paths);
  pathsByOperations.set(key, paths);
  return paths;
}

export function createResponseCheck(operations: readonly AnyOperation[]) {
  const paths = pathsOf(operations);
  const routes = operations.map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/:\w+/g, '[^/]+')}$`),
    documented: Object.keys(
      paths[operation.path.replaceAll(/:(\w+)/g, '{$1}')]?.[operation.method.toLowerCase()]
        ?.responses ?? {},
    ),
  }));
  const validatorOf = (schema: NonNullable<AnyOperation['answers'][number]>): Validator => {
    const validator = validators.get(schema) ?? Compile(schema);
    validators.set(schema, validator);
    return validator;
  };

  return ({ method, path, status }: ObservedResponse, json: unknown): void => {
    const pathname = path.split('?', 1)[0] ?? '';
    const matching = routes.filter(
      (each) => each.operation.method === method && each.pattern.test(pathname),
    );
    // As the server does: `/v1/tracks/bulk` before `/v1/tracks/{track_id}`.
    const route = matching.find(({ operation }) => operation.path === pathname) ?? matching[0];
    if (status >= 400) {
      // Contract §5: the token endpoint has the errors of RFC 6749.
      const { ownRefusals } = route?.operation ?? {};
      const validator = ownRefusals === undefined ? errorBody : validatorOf(ownRefusals.schema);
      assert.deepEqual(
        validator.Errors(json),
        [],
        `${method} ${pathname} ${status} does not match ${ownRefusals === undefined ? 'the error envelope' : 'its error schema'}`,
      );
    }
    if (route === undefined || status === 304) return;
    assert.ok(
      route.documented.includes(String(status)),
      `${route.operation.id} answered ${status}, which is not documented: ${JSON.stringify(json)}`,
    );
    const schema = route.operation.answers[status];
    // Lines are checked by the test of their route.
    if (schema === undefined || schema === null || route.operation.mediaType !== undefined) return;
    assert.deepEqual(validatorOf(schema).Errors(json), [], `${route.operation.id} ${status}`);
  };
}
