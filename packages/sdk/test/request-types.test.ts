/** What a program sends is checked when it is compiled: every body of a request, with every value wrong once. What it reads may be new. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { type Json, mistakesIn, type Schema } from './mistakes.ts';

const root = join(import.meta.dirname, '../../..');

/** Values that the API may get (spec §9.2): comparing with one of them compiles. */
const answers = ['Release', 'Delivery', 'Payout', 'Asset'].map(
  (type) => `({} as Sdk.${type}).status === 'a new value';`,
);

type Content = {
  readonly 'application/json'?: { readonly schema: Schema; readonly example: Json };
};
type Document = {
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: { readonly requestBody?: { readonly content: Content } };
    };
  };
  readonly components: { readonly schemas: { readonly [name: string]: Schema } };
};

test('no body of a request compiles with a wrong value', { timeout: 300_000 }, async (t) => {
  const document = JSON.parse(
    await readFile(join(root, 'openapi/openapi.json'), 'utf8'),
  ) as Document;
  const bodies = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap(
      ({ requestBody }) => requestBody?.content['application/json'] ?? [],
    ),
  );
  /** Each mistake is two lines: the compiler reports an expected error that does not happen. */
  const lines = bodies.flatMap(({ schema, example }) => {
    const type = `Sdk.${schema.$ref?.slice(schema.$ref.lastIndexOf('/') + 1)}`;
    const mistakes = mistakesIn(example, schema, document.components.schemas);
    assert.ok(mistakes.length > 0 || type === 'Sdk.EmptyBody', type);
    return [
      `(${JSON.stringify(example)}) satisfies ${type};`,
      ...mistakes.flatMap(({ what, body }) => [
        `// @ts-expect-error ${type}${what}`,
        `(${JSON.stringify(body)}) satisfies ${type};`,
      ]),
    ];
  });
  const folder = await mkdtemp(join(tmpdir(), 'request-types-'));
  t.after(() => rm(folder, { recursive: true }));
  const schema = join(root, 'packages/sdk/src/generated/schema.ts');
  const file = join(folder, 'bodies.ts');
  const text = [`import type * as Sdk from ${JSON.stringify(schema)};`, ...answers, ...lines];
  await writeFile(file, text.join('\n'));
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: true,
        module: 'nodenext',
        target: 'es2024',
        allowImportingTsExtensions: true,
        types: [],
      },
      files: [file],
    }),
  );
  const { stdout } = await promisify(execFile)(
    join(root, 'node_modules/.bin/tsc'),
    ['--project', folder, '--pretty', 'false'],
    { maxBuffer: 64 * 1024 * 1024 },
  ).catch((error: { stdout: string }) => error);
  const accepted = [...stdout.matchAll(/^[^(]*\((\d+),\d+\): error (.*)$/gm)].map(
    ([, line, problem]) => `${text[Number(line) - 1]}: ${problem}`,
  );
  assert.deepEqual(accepted, []);
  assert.equal(stdout, '');
  assert.ok(lines.length > 1_500);
});
