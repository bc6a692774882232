/** The package as a partner installs it: packed, and installed into an empty folder without a network. */

import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../scripts/servers/server.ts';

export const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');

export type Example = { readonly file: string; readonly code: string; readonly output: string };

/** The examples of the README, each with what it prints. */
export const examples: readonly Example[] = [
  ...readme.matchAll(/^```ts file=(\S+)\n(.*?)^```$(?:\n\n```output\n(.*?)^```$)?/gms),
].map(([, file = '', code = '', output = '']) => ({ file, code, output }));

/** The programs say what is wrong in their output, which belongs into the message of a failed test. */
function run(folder: string, program: string, ...parameters: string[]): string {
  try {
    return execFileSync(program, parameters, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${program} ${parameters.join(' ')}: ${stdout}${stderr}`, { cause: error });
  }
}

export function installPacked() {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-installed-'));
  const packed = join(folder, 'packed');
  run(folder, process.execPath, join(root, 'scripts/pack.ts'), 'sdk', packed);
  const archive = run(packed, 'npm', 'pack', '--silent').trim();
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  run(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', join(packed, archive));
  for (const { file, code } of examples) writeFileSync(join(folder, file), code);
  return {
    folder,
    dist: join(folder, 'node_modules/@tonearm/sdk/dist'),
    /** Runs a program with the package. Resolves with what it prints. */
    run: async (env: Record<string, string>, program: string, ...parameters: string[]) => {
      const options = { cwd: folder, env: { ...process.env, ...env } };
      const { stdout } = await promisify(execFile)(program, parameters, options);
      return stdout;
    },
    /** Compiles as a partner with strict settings would. Throws what the compiler says. */
    compile: (...files: string[]) =>
      run(
        folder,
        join(root, 'node_modules/.bin/tsc'),
        ...'--ignoreConfig --noEmit --strict --module nodenext --target es2024'.split(' '),
        '--typeRoots',
        join(root, 'node_modules/@types'),
        '--types',
        'node',
        ...files,
      ),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
