/** Runs the command line as a person's shell does: a process of its own, with a home of its own. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export const mainPath = join(import.meta.dirname, '..', 'src', 'main.ts');

export type Ended = {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads the fields it expects
  readonly json: any;
};

export type Home = {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Ended>;
  readonly start: (args: readonly string[], options?: RunOptions) => ReturnType<typeof spawn>;
  readonly remove: () => void;
};

type RunOptions = { readonly input?: string; readonly env?: Record<string, string> };

const parsed = (stdout: string): unknown => {
  try {
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
};

/** `given` is added to an environment that has nothing of the person who runs the tests. */
export function openHome(given: Record<string, string> = {}): Home {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-cli-'));
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'tonearm-cli-cache'),
    TZ: 'UTC',
    ...given,
  };
  const start = (args: readonly string[], options: RunOptions = {}) =>
    spawn(process.execPath, [mainPath, ...args], {
      cwd: folder,
      env: { ...env, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  const run = async (args: readonly string[], options: RunOptions = {}): Promise<Ended> => {
    const child = start(args, options);
    child.stdin.end(options.input ?? '');
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number | null]>,
    ]);
    return { status, stdout, stderr, json: parsed(stdout) };
  };
  return {
    folder,
    env,
    run,
    start,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
