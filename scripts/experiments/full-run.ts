/** The last run of `.ci/full`: its commit, and what each experiment cost. It decides what `.ci/run` runs. */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../servers/server.ts';

const file = join(root, 'docs', 'proofs', 'full-run.json');

export type Duration = { readonly seconds: number; readonly processor_seconds: number };

export type FullRun = {
  readonly commit: string;
  readonly measured_at: string;
  readonly machine: string;
  readonly experiments: Readonly<Record<string, Duration>>;
};

export const readFullRun = (): FullRun => JSON.parse(readFileSync(file, 'utf8')) as FullRun;

export const writeFullRun = (run: FullRun): void =>
  writeFileSync(file, `${JSON.stringify(run, undefined, 2)}\n`);

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** Undefined if this clone does not have the commit: it may be shallow. */
export function filesChangedSince(commit: string): string[] | undefined {
  try {
    // With renames, a file that left a guarded folder would be listed only at its new place.
    const changed = git('diff', '--name-only', '--no-renames', commit);
    const added = git('ls-files', '--others', '--exclude-standard');
    return `${changed}${added}`.split('\n').filter((line) => line !== '');
  } catch {
    return undefined;
  }
}

export const currentCommit = (): string => git('rev-parse', 'HEAD').trim();
