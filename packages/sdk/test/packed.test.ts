/** The packed package in the runtimes that it is for, against a real service with its engine and its fictional stores. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { launchBrowser } from '../../../apps/service/test/browser.ts';
import { openFullStack } from '../../../apps/service/test/full-stack.ts';
import { chordWave, coverPng } from '../../../examples/make-files.ts';
import { root } from '../../../scripts/servers/server.ts';
import { Tonearm, UploadError, type UploadProgress } from '../src/index.ts';
import { openLossyProxy } from './lossy-proxy.ts';
import { examples, installPacked } from './packed-install.ts';

/** That of the tests, and an older one if the machine has it. */
const nodes = [process.execPath, '/usr/bin/node'].filter((path) => existsSync(path));

describe('the packed package', () => {
  let stack: Awaited<ReturnType<typeof openFullStack>>;
  let installed: ReturnType<typeof installPacked>;
  let accounts = 0;
  before(async () => {
    installed = installPacked();
    writeFileSync(join(installed.folder, '01.wav'), chordWave());
    writeFileSync(join(installed.folder, 'cover.png'), coverPng());
    stack = await openFullStack(28_280);
    await stack.service.admin('stores', 'seed');
  });
  after(async () => {
    await stack.close();
    installed.remove();
  });

  /** The environment of a partner's program, with an account of its own. */
  async function givenEnvironment(): Promise<Record<string, string>> {
    const { key, orgId } = await stack.service.givenOrganization({ label: 'Northern Lights' });
    const code = `QZSD${accounts++}`;
    await stack.service.admin('isrc', 'add-registrant', '--org', orgId, '--code', code);
    return { TONEARM_API_KEY: key, TONEARM_BASE_URL: stack.service.url };
  }

  test('has no dependencies, and a strict project compiles with it', () => {
    assert.deepEqual(
      readdirSync(join(installed.folder, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['@tonearm'],
    );
    installed.compile(...examples.map(({ file }) => file));
  });

  for (const node of nodes) {
    test(`the examples of the README print what it says (${node})`, async () => {
      const env = await givenEnvironment();
      const runnable = examples.filter(({ output }) => output !== '');
      const runs = runnable.map(async ({ file, code, output }) => {
        const script = file.replace(/\.ts$/, '.mjs');
        writeFileSync(join(installed.folder, script), stripTypeScriptTypes(code));
        assert.equal(await installed.run(env, node, '--no-warnings', script), output, file);
      });
      await Promise.all(runs);
    });
  }

  test('works in a context with nothing but web globals', async () => {
    const env = { ...(await givenEnvironment()), SDK_DIST: installed.dist };
    const script = join(root, 'packages/sdk/test/web-globals.ts');
    const flags = ['--experimental-vm-modules', '--no-warnings'];
    const output = await installed.run(env, process.execPath, ...flags, script);
    assert.deepEqual(JSON.parse(output), {
      leaked: [],
      created: 'draft',
      uploaded: 'ready',
      verified: 'ping',
      refused: 'WebhookVerificationError',
      path: 'This runtime has no files. Upload a Blob, bytes or a stream.',
    });
  });

  test('works in Chromium, for a page of the same origin', async (t) => {
    const { TONEARM_API_KEY: apiKey = '' } = await givenEnvironment();
    const proxy = await openLossyProxy(stack.service.url, installed.dist);
    const browser = await launchBrowser();
    t.after(async () => {
      await browser.close();
      proxy.close();
    });
    const page = await browser.newPage();
    await page.goto(proxy.url);
    proxy.lose(1);
    const seen = await page.evaluate(
      async (options) => {
        const { Tonearm: Client } = (await import(options.module)) as {
          Tonearm: typeof Tonearm;
        };
        const tonearm = new Client(options);
        await tonearm.labels.create({ name: 'Chromium' });
        const found = await tonearm.labels.list({ name: 'Chromium' }).toArray();
        const stores = await tonearm.stores.list({ limit: 2 }).toArray();
        const code = await tonearm.releases.get('rel_1').catch((error) => error.code as string);
        return { found: found.length, stores: stores.length > 2, code };
      },
      { apiKey, baseUrl: proxy.url, module: '/sdk/index.js' },
    );
    assert.deepEqual(seen, { found: 1, stores: true, code: 'resource_not_found' });
    // Chromium itself, or the SDK, has sent the request again: the idempotency key made one label of both.
    assert.equal(proxy.lost(), 1);
  });

  test('a file of several parts, cut between two of them, arrives as it is', async () => {
    const { TONEARM_API_KEY: apiKey } = await givenEnvironment();
    const wave = chordWave(600);
    let puts = 0;
    let isAway = true;
    const tonearm = new Tonearm({
      apiKey,
      baseUrl: stack.service.url,
      fetch: (url, init) => {
        const isCut = init.method === 'PUT' && ++puts > 2 && isAway;
        return isCut ? Promise.resolve(new Response('', { status: 400 })) : fetch(url, init);
      },
    });
    const seen: UploadProgress[] = [];
    const options = {
      type: 'audio' as const,
      fileName: 'long.wav',
      contentType: 'audio/wav' as const,
      // The service compares it with the bytes of the file that the parts became.
      sha256: createHash('sha256').update(wave).digest('hex'),
      concurrency: 1,
      onProgress: (progress: UploadProgress) => void seen.push(progress),
    };
    const source = new Blob([new Uint8Array(wave)]);
    const failure = await tonearm.assets.upload(source, options).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(failure instanceof UploadError);
    assert.equal(failure.resume.parts.length, 2);
    isAway = false;
    const asset = await tonearm.assets.upload(source, { ...options, resume: failure.resume });
    assert.deepEqual([asset.status, asset.sha256, puts], ['ready', options.sha256, 5]);
    assert.equal(seen.at(-1)?.sentBytes, wave.length);
  });
});
