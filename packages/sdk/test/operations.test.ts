/** Every operation of the API is a method of the SDK, and sends what the document says. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type Document,
  operationsOf,
  parametersOf,
} from '../../../scripts/codegen/sdk/document.ts';
import { methodNames } from '../../../scripts/codegen/sdk/names.ts';
import { root } from '../../../scripts/servers/server.ts';
import { LineStream } from '../src/core/line-stream.ts';
import { Pager } from '../src/core/pager.ts';
import type { Tonearm } from '../src/index.ts';
import { givenClient } from './scripted-server.ts';

const document = JSON.parse(readFileSync(join(root, 'openapi/openapi.json'), 'utf8')) as Document;

type Method = (...parameters: unknown[]) => unknown;

/** `sandbox.clock.get` of a client. */
function methodOf(tonearm: Tonearm, name: string): Method {
  const path = name.split('.');
  const method = path.pop() ?? '';
  const resource = path.reduce<unknown>(
    (value, part) => (value as Record<string, unknown>)[part],
    tonearm,
  ) as Record<string, Method>;
  assert.equal(typeof resource?.[method], 'function', `${name} is missing`);
  return (...parameters) => resource[method]?.(...parameters);
}

async function finish(call: unknown): Promise<void> {
  if (call instanceof Pager) await call.page();
  else if (call instanceof LineStream) await call.response();
  else await call;
}

test('every operation has a method, which sends its method, path, body and key', async (t) => {
  const { tonearm, received } = await givenClient(t, [(response) => response.end('{}')]);
  const operations = operationsOf(document);
  assert.ok(operations.length >= 130);
  for (const { method, path, operation } of operations) {
    const parameters = parametersOf(document, operation);
    const ids = parameters.filter((each) => each.in === 'path').map((each) => `${each.name}-1`);
    const name = methodNames[operation.operationId];
    assert.ok(name !== undefined, `${operation.operationId} has no name`);
    const hasBody = operation.requestBody?.required ?? false;
    await finish(methodOf(tonearm, name)(...ids, ...(hasBody ? [{}] : [])));
    const sent = received.at(-1);
    assert.equal(sent?.method, method, name);
    assert.equal(sent?.path, path.replaceAll(/\{(\w+)\}/g, '$1-1'), name);
    const takesKey = parameters.some((each) => each.name === 'Idempotency-Key');
    assert.equal(sent?.headers['idempotency-key'] !== undefined, takesKey, name);
  }
  assert.equal(received.length, operations.length);
});

test('no name in the SDK is left over', () => {
  const ids = new Set(operationsOf(document).map(({ operation }) => operation.operationId));
  assert.deepEqual(
    Object.keys(methodNames).filter((id) => !ids.has(id)),
    [],
  );
  const names = Object.values(methodNames);
  assert.equal(new Set(names).size, names.length);
});
