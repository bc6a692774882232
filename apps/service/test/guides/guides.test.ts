/**
 * Runs every snippet of the guides and the README as a partner would copy it, against a whole service. All pages use one
 * organization, and the order is random: no page may depend on another or disturb it.
 * `GUIDES_SEED=7` repeats an order; `GUIDES_ONLY=webhooks` runs one page.
 */

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { root } from '../../../../scripts/servers/server.ts';
import { openFullStack } from '../full-stack.ts';
import { kill, startRail } from '../processes.ts';
import { assertHasKeys, assertPrinted, missingPaths } from './compare-output.ts';
import { openRecordingProxy } from './recording-proxy.ts';
import { openShell } from './shell.ts';
import { pagePaths, parseSnippets, readPage, type Snippet, snippetIssue } from './snippets.ts';
import { testReceivers } from './webhook-receivers.ts';

const seed = Number(process.env['GUIDES_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const only = process.env['GUIDES_ONLY'];

/** A linear congruential generator: the same seed gives the same order. */
function shuffled<T>(items: readonly T[], start: number): T[] {
  let state = start;
  const next = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648);
  return items
    .map((item) => ({ item, rank: next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

const chosen = pagePaths.filter((path) => only === undefined || path.includes(only));

describe(`the guides, in the order of GUIDES_SEED=${seed}`, () => {
  let stack: Awaited<ReturnType<typeof openFullStack>>;
  let proxy: Awaited<ReturnType<typeof openRecordingProxy>>;
  let env: Record<string, string>;
  let flushing: NodeJS.Timeout;
  let folder: string;
  let rail: Awaited<ReturnType<typeof startRail>>;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'guides-'));
    rail = await startRail(join(folder, 'rail.jsonl'));
    stack = await openFullStack(27_980, { TONEARM_PAYOUT_RAIL_URL: rail.url });
    await stack.service.admin('stores', 'seed');
    const { key, orgId } = await stack.service.givenOrganization({ tier: 'enterprise' });
    await stack.service.admin('isrc', 'add-registrant', '--org', orgId, '--code', 'QZGUI');
    const money = ['--currency', 'EUR', '--amount', '1000', '--reason', 'Money to try payouts'];
    await stack.service.admin(
      'adjustments',
      'create',
      '--org',
      orgId,
      '--type',
      'manual',
      ...money,
    );
    // As the api process does; the test service leaves it to its tests.
    flushing = setInterval(() => void stack.service.flushRequests(), 500);
    proxy = await openRecordingProxy(stack.service.url);
    env = {
      TONEARM_URL: proxy.url,
      TONEARM_API_KEY: key,
      PORT: String(27_990 + Number(process.env['TONEARM_PORT_OFFSET'] ?? 0)),
    };
  });
  after(async () => {
    clearInterval(flushing);
    await proxy.close();
    await stack.close();
    await kill(rail);
    rmSync(folder, { recursive: true });
  });

  const assertAnswers = ({ expect }: Snippet): void => {
    const refused = proxy.takeAnswers().filter(({ status }) => status >= 400);
    const unexpected = refused.filter(({ status }) => status !== expect);
    assert.deepEqual(unexpected, []);
    assert.ok(expect === undefined || refused.length > 0, `nothing was answered ${expect}`);
  };

  async function runPage(path: string): Promise<void> {
    const shell = openShell(env);
    let printed = '';
    try {
      for (const snippet of parseSnippets(path, readPage(path))) {
        const { language, file, text, isOutput, skip, line } = snippet;
        try {
          if (skip !== undefined || language === 'mermaid') continue;
          if (file !== undefined) shell.writeFile(file, text);
          else if (language === 'bash') {
            printed = await shell.run(text);
            assertAnswers(snippet);
          } else if (isOutput && language === 'json') assertHasKeys(text, printed);
          else assertPrinted(text, printed);
        } catch (error) {
          throw new Error(`${path}:${line}`, { cause: error });
        }
      }
      await assertNothingLeft();
    } finally {
      shell.close();
    }
  }

  /** A page must leave nothing behind that changes how another page, or the same page, runs. */
  async function assertNothingLeft(): Promise<void> {
    const get = async (resource: string) => {
      const headers = { authorization: `Bearer ${env['TONEARM_API_KEY']}` };
      return (await (await fetch(`${stack.service.url}/v1${resource}`, { headers })).json()) as {
        mode?: string;
        data?: { status?: string }[];
        verification?: { status: string };
      };
    };
    assert.equal((await get('/sandbox/clock')).mode, 'running', 'the clock is left manual');
    assert.deepEqual((await get('/sandbox/scenarios')).data, [], 'a scenario is left');
    assert.deepEqual((await get('/webhooks')).data, [], 'a webhook is left');
    assert.deepEqual((await get('/labels')).data?.length, 1, 'a label is left');
    assert.equal((await get('/organization')).verification?.status, 'verified');
  }

  describe('the receivers of the guide about webhooks', () => {
    testReceivers(() => stack.service);
  });

  for (const path of shuffled(chosen, seed)) test(path, () => runPage(path));
});

describe('the snippets of guides, README and examples', () => {
  test('each is run, or says why not', () => {
    const snippets = pagePaths.flatMap((path) => parseSnippets(path, readPage(path)));
    assert.ok(snippets.length > 60, `only ${snippets.length} snippets seen`);
    const issues = snippets.flatMap((snippet) => {
      const issue = snippetIssue(snippet);
      return issue === undefined ? [] : [`${snippet.page}:${snippet.line}: ${issue}`];
    });
    assert.deepEqual(issues, []);
  });

  test('every example is run by a page, or by a test in test/examples if it has its own folder', () => {
    const run = pagePaths
      .flatMap((path) => parseSnippets(path, readPage(path)))
      .filter(({ language, skip }) => language === 'bash' && skip === undefined);
    const examples = readdirSync(join(root, 'examples'));
    const unused = examples.filter(
      (name) =>
        name.endsWith('.ts') && !run.some(({ text }) => text.includes(`node examples/${name}`)),
    );
    assert.deepEqual(unused, []);
  });

  test('every fence of a page is seen', () => {
    for (const path of pagePaths) {
      const fences = readPage(path).match(/^ *```/gm)?.length ?? 0;
      assert.equal(parseSnippets(path, readPage(path)).length * 2, fences, path);
    }
  });

  test('every link to a file or a heading of another page leads somewhere', () => {
    const slugsOf = (path: string) =>
      [...readPage(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w\- ]/g, '')
          .replaceAll(' ', '-'),
      );
    const broken = pagePaths.flatMap((path) =>
      [...readPage(path).matchAll(/\]\((?!https?:|#)([^)\s#]+)(?:#([^)\s]+))?\)/g)].flatMap(
        ([, target = '', anchor]) => {
          const file = join(dirname(path), target);
          // Served by GitHub.
          if (target.startsWith('../../actions')) return [];
          if (!existsSync(join(root, file))) return [`${path} → ${target}`];
          const isGenerated = anchor !== undefined && readPage(file).includes(`<!-- include: `);
          if (anchor === undefined || isGenerated) return [];
          return slugsOf(file).includes(anchor) ? [] : [`${path} → ${target}#${anchor}`];
        },
      ),
    );
    assert.deepEqual(broken, []);
  });

  test('a key or a line that reality does not have is noticed', () => {
    const real = { id: 'rel_1', stores: [{ status: 'pending', url: null }] };
    assert.deepEqual(missingPaths({ id: 'x', stores: [{ status: 'x', url: 'x' }] }, real), []);
    assert.deepEqual(missingPaths({ stores: [{ state: 'x' }] }, real), ['.stores[0].state']);
    assert.deepEqual(missingPaths({ id: 7 }, real), ['.id']);
    assertPrinted('intact up to 12', 'x\nintact up to 7\n');
    assert.throws(() => assertPrinted('intact', 'broken'));
  });
});
