import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { runTask, TaskRefused } from './child-task.ts';

const folder = mkdtempSync(join(tmpdir(), 'tonearm-task-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const childTaskUrl = new URL('./child-task.ts', import.meta.url).href;
let count = 0;

/** A module whose `run` has this body. */
function taskOf(body: string): URL {
  const path = join(folder, `task-${count++}.mjs`);
  writeFileSync(
    path,
    `import { TaskRefused } from ${JSON.stringify(childTaskUrl)};\nexport const run = async (input, report) => { ${body} };\n`,
  );
  return pathToFileURL(path);
}

const never = () => new AbortController().signal;
const options = { signal: never(), timeoutMs: 60_000 };
const forever = 'await new Promise((resolve) => setTimeout(resolve, 600_000));';

describe('a task in a process of its own', () => {
  test('returns its result and reports its progress', async () => {
    const progress: unknown[] = [];
    const task = taskOf(
      'report({ step: 1 }); report({ step: 2 }); return { doubled: input.n * 2 };',
    );
    const result = await runTask(
      task,
      { n: 21 },
      { ...options, onProgress: (step) => progress.push(step) },
    );
    assert.deepEqual(result, { doubled: 42 });
    assert.deepEqual(progress, [{ step: 1 }, { step: 2 }]);
  });

  test('refuses wrong input with details', async () => {
    const task = taskOf(`throw new TaskRefused('wrong', { line: 7 });`);
    await assert.rejects(runTask(task, {}, options), (error) => {
      assert.ok(error instanceof TaskRefused);
      assert.deepEqual([error.message, error.details], ['wrong', { line: 7 }]);
      return true;
    });
  });

  test('an error of the task is not a refusal', async () => {
    const task = taskOf(`throw new Error('a bug');`);
    await assert.rejects(runTask(task, {}, options), (error) => {
      assert.ok(error instanceof Error && !(error instanceof TaskRefused));
      assert.match(error.message, /a bug/);
      return true;
    });
  });

  test('a crash ends the task, not this process', async () => {
    await assert.rejects(
      runTask(taskOf('process.abort();'), {}, options),
      /the task ended \(SIGABRT\)/,
    );
    await assert.rejects(runTask(taskOf('process.exit(3);'), {}, options), /the task ended \(3\)/);
  });

  test('it ends with its result, whatever waits for the end of its process', async () => {
    const task = taskOf(`process.once('exit', () => { for (;;); }); return 'done';`);
    assert.equal(await runTask(task, {}, options), 'done');
  });

  test('kill -9 ends the task', async () => {
    const task = taskOf(`process.kill(process.pid, 'SIGKILL'); ${forever}`);
    await assert.rejects(runTask(task, {}, options), /the task ended \(SIGKILL\)/);
  });

  test('a lack of memory ends the task', async () => {
    const task = taskOf(
      'const all = []; for (;;) all.push(new Array(1_000_000).fill(all.length));',
    );
    await assert.rejects(runTask(task, {}, options), /the task ended \(SIG/);
  });

  test('an abort kills the process', async () => {
    const stop = new AbortController();
    const task = taskOf(`report(process.pid); ${forever}`);
    let pid = 0;
    const running = runTask(
      task,
      {},
      {
        signal: stop.signal,
        timeoutMs: 60_000,
        onProgress: (found) => {
          pid = Number(found);
          stop.abort();
        },
      },
    );
    await assert.rejects(running);
    assert.ok(pid > 0);
    await assert.rejects(async () => {
      for (;;) {
        process.kill(pid, 0);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }, /ESRCH/);
  });

  test('a task that takes too long is killed', async () => {
    await assert.rejects(runTask(taskOf(forever), {}, { signal: never(), timeoutMs: 300 }));
  });

  test('an aborted signal starts no process', async () => {
    await assert.rejects(
      runTask(taskOf('return 1;'), {}, { signal: AbortSignal.abort(), timeoutMs: 1_000 }),
      /abort/i,
    );
  });

  test('the task sees no variable of the environment but the folder of compiled modules', async () => {
    const seen = await runTask(taskOf('return Object.keys(process.env);'), {}, options);
    const { NODE_COMPILE_CACHE } = process.env;
    assert.deepEqual(seen, NODE_COMPILE_CACHE === undefined ? [] : ['NODE_COMPILE_CACHE']);
  });
});
