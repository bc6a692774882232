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

/** What this test reads and changes of the document. */
type Edited = {
  readonly info: { license?: object };
  readonly components: {
    readonly schemas: Record<string, { enum?: readonly string[]; required?: readonly string[] }>;
  };
};

async function defectiveDocument(): Promise<Edited> {
  const document = JSON.parse(await readFile(join(root, 'openapi/openapi.json'), 'utf8')) as Edited;
  const { schemas } = document.components;
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
