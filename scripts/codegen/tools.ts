/** The linters and generators of `tools/codegen`, which have their own packages and TypeScript 5.9. */

import { execFile } from 'node:child_process';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../servers/server.ts';

export const toolsFolder = join(root, 'tools/codegen');

const outputBytesMax = 64 * 1024 * 1024;
const timeoutMs = 240_000;
/** No tool sends anything home or looks for a newer version of itself. */
const silence = {
  CI: 'true',
  DO_NOT_TRACK: '1',
  NO_COLOR: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  SCARF_ANALYTICS: 'false',
};

type Output = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** A tool that finds problems ends with a code other than 0. */
export async function runTool(name: string, args: readonly string[]): Promise<Output> {
  const binary = join(toolsFolder, 'node_modules/.bin', name);
  return promisify(execFile)(binary, args, {
    cwd: toolsFolder,
    env: { ...process.env, ...silence },
    maxBuffer: outputBytesMax,
    timeout: timeoutMs,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Partial<Output> & Error) => {
      if (typeof error.code !== 'number') throw error;
      return { code: error.code, stdout: error.stdout ?? '', stderr: error.stderr ?? '' };
    },
  );
}

/** One line for each problem. */
export type Problems = readonly string[];

type RedoclyReport = {
  readonly problems: readonly { severity: string; ruleId: string; message: string }[];
};

export async function lintWithRedocly(document: string): Promise<Problems> {
  const { stdout, stderr } = await runTool('redocly', [
    'lint',
    '--config=redocly.yaml',
    '--format=json',
    '--max-problems=1000',
    document,
  ]);
  const { problems } = parseReport(stdout, '{', stderr) as RedoclyReport;
  return problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`);
}

type SpectralReport = readonly { code: string; message: string; path: readonly string[] }[];

export async function lintWithSpectral(document: string): Promise<Problems> {
  const { stdout, stderr } = await runTool('spectral', [
    'lint',
    '--ruleset=spectral.yaml',
    '--format=json',
    '--fail-severity=hint',
    '--quiet',
    document,
  ]);
  const problems = parseReport(stdout, '[', stderr) as SpectralReport;
  return problems.map(({ code, message, path }) => `${code}: ${message} (${path.join('.')})`);
}

/** The report begins in a line of its own, after what the tool has to say. Without a report, the tool failed. */
function parseReport(stdout: string, opening: string, stderr: string): unknown {
  const begin = stdout.startsWith(opening) ? 0 : stdout.indexOf(`\n${opening}`);
  if (begin === -1) throw new Error(`no report: ${stdout}${stderr}`);
  const closing = opening === '{' ? '}' : ']';
  return JSON.parse(stdout.slice(begin, stdout.lastIndexOf(closing) + 1));
}

export type Generator = 'openapi-typescript' | 'hey-api';

/** Generates TypeScript into `folder/generated`. Returns how many lines; throws if the generator refuses the document. */
export async function generate(
  generator: Generator,
  document: string,
  folder: string,
): Promise<number> {
  const output = join(folder, 'generated', generator);
  const { code, stdout, stderr } =
    generator === 'openapi-typescript'
      ? await runTool('openapi-typescript', [document, `--output=${join(output, 'schema.ts')}`])
      : await runTool('openapi-ts', [
          `--input=${document}`,
          `--output=${output}`,
          '--client=@hey-api/client-fetch',
          '--no-log-file',
        ]);
  if (code !== 0) throw new Error(`${generator} failed: ${stdout}${stderr}`);
  return countLines(output);
}

async function countLines(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true });
  const texts = await Promise.all(
    files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFile(join(folder, file), 'utf8')),
  );
  return texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
}

const compilerOptions = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'preserve',
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  types: [],
};

/** Compiles what a partner would write. Returns the errors of the compiler, one line each. */
export async function compileUsage(generator: Generator, folder: string): Promise<Problems> {
  const file = `${generator}.ts`;
  await cp(join(toolsFolder, 'usage', file), join(folder, file));
  const project = join(folder, `tsconfig.${generator}.json`);
  await writeFile(project, JSON.stringify({ compilerOptions, files: [file] }));
  const { stdout } = await runTool('tsc', ['--project', project, '--pretty', 'false']);
  return stdout.split('\n').filter((line) => line.includes('error TS'));
}
