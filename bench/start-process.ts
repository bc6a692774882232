/** Starts a server of a bench as a process. Its log goes to a file, so that the bench spends no time on reading it. */

import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import type { Lab } from '../scripts/experiments/experiment.ts';
import { until } from '../scripts/servers/server.ts';

export type BenchProcess = { readonly pid: number | undefined; readonly stop: () => void };

export function startProcess(
  { fleet }: Lab,
  name: string,
  args: readonly string[],
  env: Record<string, string>,
): BenchProcess {
  const log = openSync(join(fleet.folder, `${name}.log`), 'w');
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
  });
  const stop = () => void child.kill('SIGKILL');
  process.once('exit', stop);
  return { pid: child.pid, stop };
}

export const untilAnswering = (port: number, path: string) =>
  until(`port ${port} answers`, () =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
