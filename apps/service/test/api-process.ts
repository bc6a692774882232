/** Real api processes of a test database, to be stopped or killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { databaseUrl } from './world.ts';

const main = join(import.meta.dirname, '..', 'src', 'main.ts');

export type ApiProcess = {
  readonly url: string;
  readonly child: ChildProcess;
  readonly log: () => string;
};

/** Resolves once it listens; its address is in its log. */
export async function startApi(
  database: string,
  env: Record<string, string> = {},
): Promise<ApiProcess> {
  const child = spawn(process.execPath, [main, 'api'], {
    env: {
      ...process.env,
      TONEARM_ENVIRONMENT: 'sandbox',
      TONEARM_PORT: '0',
      TONEARM_DRAIN_SECONDS: '0',
      TONEARM_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      TONEARM_DATABASE_URL: databaseUrl(database, 'tonearm_app'),
      TONEARM_DIRECTORY_DATABASE_URL: databaseUrl(database, 'tonearm_directory'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  const listening = Promise.withResolvers<string>();
  const read = (chunk: Buffer) => {
    log += chunk.toString();
    const [, url] = /Server listening at (http:\/\/[\d.:]+)/.exec(log) ?? [];
    if (url !== undefined) listening.resolve(url);
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.once('exit', (code) => listening.reject(new Error(`the api ended with ${code}\n${log}`)));
  return { url: await listening.promise, child, log: () => log };
}

export async function killApi({ child }: ApiProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
