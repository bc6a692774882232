import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordRun } from './trend.ts';

test('a run continues the history of the runs, and the summary shows it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'trend-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [file, summary] = ['.data/history.csv', 'summary.md'].map((name) => join(folder, name));
  const env = { TONEARM_CI_HISTORY: file, GITHUB_STEP_SUMMARY: summary };
  recordRun({ seconds: 900, processorSeconds: 1_700 }, ['first'], env);
  recordRun({ seconds: 600, processorSeconds: 1_200 }, ['second'], env);
  const shown = readFileSync(summary ?? '', 'utf8');
  assert.match(
    shown,
    / {2}bar \[15\.0, 10\.0\]\n {2}line \[28\.3, 20\.0\]\n```\n\n```text\nsecond/,
  );
  recordRun({ seconds: 1, processorSeconds: 1 }, [], {});
  assert.equal(
    readFileSync(file ?? '', 'utf8')
      .trim()
      .split('\n').length,
    2,
  );
});
