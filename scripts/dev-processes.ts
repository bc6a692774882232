/** The processes of `npm run dev`: each writes to its own log, and all end together. */

import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { until } from './servers/server.ts';

export const tailOf = (file: string): string =>
  readFileSync(file, 'utf8').split('\n').slice(-15).join('\n');

type NewProcess = {
  readonly name: string;
  /** For Node. */
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  /** Answers 200 when the process can be used. */
  readonly readyUrl: string;
};

export function openProcesses() {
  const children: ChildProcess[] = [];
  return {
    start: async ({ name, command, env, logFile, readyUrl }: NewProcess): Promise<ChildProcess> => {
      const log = openSync(logFile, 'a');
      const child = spawn(process.execPath, [...command], { env, stdio: ['ignore', log, log] });
      children.push(child);
      let hasEnded = false;
      child.once('exit', () => (hasEnded = true));
      await until(`${name} is ready`, async () => {
        if (hasEnded) throw new Error(`${name} ended:\n${tailOf(logFile)}`);
        return (await fetch(readyUrl).catch(() => undefined))?.ok === true;
      });
      return child;
    },
    stop: (): void => {
      for (const child of children) child.kill('SIGTERM');
    },
  };
}
