/** Each alert fires when it must, has a section in the manual, and uses metrics that the service exports. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const rules = read('ops/alerts.yml');
const all = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, name]) => name!);
const alerts = all(/- alert: (\w+)/g, rules);

/** The suffixes that Prometheus adds to the name of a counter or a histogram. */
const suffixes = /_(total|count|bucket|sum)$/;

describe('the alerts', () => {
  test('are valid rules', async () => {
    const { stdout } = await run('promtool', ['check', 'rules', join(root, 'ops/alerts.yml')]);
    assert.match(stdout, /SUCCESS: \d+ rules found/);
  });

  test('all fire when they must, and not while the service is healthy', async () => {
    const cases = all(/- name: ([A-Z]\w+) fires/g, read('ops/alerts.test.yml'));
    assert.deepEqual(cases, alerts);
    await run('promtool', ['test', 'rules', join(root, 'ops/alerts.test.yml')]);
  });

  test('each have a section in the manual, and the manual has no other', () => {
    const manual = read('docs/operating.md');
    const sections = manual.slice(manual.indexOf('\n## Alerts\n'));
    assert.deepEqual(all(/^### (\w+)$/gm, sections), alerts);
    const runbooks = all(/runbook: docs\/operating\.md#(\w+)/g, rules);
    assert.deepEqual(
      runbooks,
      alerts.map((name) => name.toLowerCase()),
    );
  });

  test('use only metrics that the service exports', () => {
    const folder = join(root, 'apps/service/src');
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(join(folder, path), 'utf8'))
      .join('\n');
    const used = new Set(all(/(tonearm_\w+)/g, rules).map((name) => name.replace(suffixes, '')));
    const missing = [...used].filter((name) => !sources.includes(`'${name}'`));
    assert.deepEqual(missing, []);
  });
});
