/** One bash process for the blocks of a page, so that a block can use the variables of the blocks before it. */

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../../../../scripts/servers/server.ts';

const blockTimeoutMs = 60_000;
const endOfBlock = '--end-of-block--';

/** Works in a new folder that has the examples and the packages, as a clone of the repository has, and the command line. */
export function openShell(env: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-guide-'));
  symlinkSync(join(root, 'examples'), join(folder, 'examples'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  symlinkSync(join(root, 'packages/cli/src/main.ts'), join(folder, 'tonearm'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const shell = spawn('bash', ['--norc', '-euo', 'pipefail'], {
    cwd: folder,
    env: {
      ...process.env,
      // Nothing of the person who runs the tests.
      XDG_CONFIG_HOME: join(folder, '.config'),
      XDG_STATE_HOME: join(folder, '.state'),
      ...env,
      PATH: `${folder}:${process.env['PATH']}`,
    },
    // A group of its own, so that receivers that a page leaves running end with it.
    detached: true,
  });
  let stdout = '';
  let stderr = '';
  let onOutput: () => void = () => {};
  shell.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    onOutput();
  });
  shell.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  shell.stdin.on('error', () => {});
  let blockCount = 0;

  /** Returns what the block printed. Rejects if a command fails or the block takes longer than a minute. */
  const run = (text: string): Promise<string> => {
    const script = join(folder, `.block-${blockCount++}.sh`);
    writeFileSync(script, text);
    [stdout, stderr] = ['', ''];
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const fail = (why: string) => reject(new Error(`${why}\n${text}\n${stdout}\n${stderr}`));
    const timer = setTimeout(() => fail(`after ${blockTimeoutMs} ms not done`), blockTimeoutMs);
    const onExit = (code: number | null) => fail(`ended with ${code}`);
    shell.once('exit', onExit);
    onOutput = () => {
      const end = stdout.indexOf(endOfBlock);
      if (end !== -1) resolve(stdout.slice(0, end));
    };
    shell.stdin.write(`. ${script} </dev/null\necho '${endOfBlock}'\n`);
    return promise.finally(() => {
      clearTimeout(timer);
      shell.removeListener('exit', onExit);
    });
  };

  const kill = () => {
    try {
      process.kill(-(shell.pid ?? 0), 'SIGKILL');
    } catch {
      // The shell and its children have ended already.
    }
  };
  // A test run that is stopped closes no shell.
  process.once('exit', kill);

  return {
    run,
    writeFile: (name: string, text: string) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    },
    close: () => {
      process.removeListener('exit', kill);
      kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
