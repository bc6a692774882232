/** `npm run codegen` refuses a document with known defects. The real document is checked by `.ci/run`. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { root } from '../servers/server.ts';
import { toolsFolder } from './tools.ts';

type Schema = { enum?: readonly string[]; required?: readonly string[] };

/** What this test reads and changes of the document. */
type Edited = {
  readonly info: { license?: object };
  paths: Record<string, Record<string, { readonly operationId?: string }>>;
  webhooks?: object;
  readonly components: Record<string, Record<string, Schema>>;
};

/**
 * The document with the operations and schemas that `usage` names, and all that these refer to: the tools need half a
 * minute for the whole one.
 */
async function usedPart(): Promise<Edited> {
  const document = JSON.parse(await readFile(join(root, 'openapi/openapi.json'), 'utf8')) as Edited;
  const usage = await Promise.all(
    ['hey-api', 'openapi-typescript'].map((name) =>
      readFile(join(toolsFolder, 'usage', `${name}.ts`), 'utf8'),
    ),
  );
  const words = new Set(usage.join().match(/[\w./{}-]+/g));
  const operations = Object.entries(document.paths).filter(
    ([path, item]) =>
      words.has(path) || Object.values(item).some(({ operationId = '' }) => words.has(operationId)),
  );
  document.paths = Object.fromEntries(operations);
  const kept = new Set<string>();
  const named = Object.keys(document.components['schemas'] ?? {}).filter((name) => words.has(name));
  const keepReferences = (value: unknown): void => {
    for (const [, group = '', name = ''] of JSON.stringify(value).matchAll(
      /"#\/components\/(\w+)\/([\w.-]+)"/g,
    )) {
      if (kept.has(`${group}/${name}`)) continue;
      kept.add(`${group}/${name}`);
      keepReferences(document.components[group]?.[name]);
    }
  };
  keepReferences(named.map((name) => `#/components/schemas/${name}`));
  keepReferences(document.paths);
  keepReferences(document.webhooks ?? {});
  for (const [group, items] of Object.entries(document.components)) {
    if (group === 'securitySchemes') continue;
    document.components[group] = Object.fromEntries(
      Object.entries(items).filter(([name]) => kept.has(`${group}/${name}`)),
    );
  }
  return document;
}

async function defectiveDocument(): Promise<Edited> {
  const document = await usedPart();
  const schemas = document.components['schemas'] ?? {};
  schemas['Unused'] = {};
  delete document.info.license;
  delete schemas['EventType']?.enum;
  delete schemas['ErrorCode']?.enum;
  const reject = schemas['ScenarioStepReject'];
  assert.deepEqual(reject?.required, ['action', 'code']);
  reject.required = ['action'];
  return document;
}

const isInstalled = existsSync(join(toolsFolder, 'node_modules'));
const skip = !isInstalled && process.env['CI'] === undefined && 'npm ci --prefix tools/codegen';

test(
  'npm run codegen names a lint problem and each mistake that types no longer refuse',
  { skip },
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'codegen-test-'));
    t.after(() => rm(folder, { recursive: true }));
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(await defectiveDocument()));
    const command = [join(root, 'scripts/codegen.ts'), file];
    const failure = await promisify(execFile)(process.execPath, command).then(
      () => assert.fail('the document was accepted'),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
    assert.equal(failure.code, 1, failure.stderr);
    const { missed, figures } = JSON.parse(failure.stdout);
    assert.deepEqual(missed, [
      'redocly_problems',
      'spectral_problems',
      'openapi_typescript_errors',
      'hey_api_errors',
      // The SDK is that of the right document.
      'sdk_stale_files',
    ]);
    // The event type, the error code and `reject` without its code.
    assert.equal(figures.openapi_typescript_errors, 3);
    assert.equal(figures.hey_api_errors, 3);
    assert.match(failure.stderr, /redocly: warn info-license/);
    assert.match(failure.stderr, /spectral: oas3-unused-component/);
    assert.match(failure.stderr, /hey-api: .*TS2578: Unused '@ts-expect-error' directive/);
  },
);
