/**
 * Runs a function in a process of its own: heavy work of a native library, whose crash or lack of memory must end
 * nothing else. The module exports `run(input, report)`; the input, progress and result are JSON.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export type TaskOptions = {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onProgress?: (progress: unknown) => void;
};

/** What the module of a task exports as `run`. */
export type Task<Input, Result> = (
  input: Input,
  report: (progress: unknown) => void,
) => Promise<Result>;

/** The function reported that the input is wrong. Another attempt would fail in the same way. */
export class TaskRefused extends Error {
  override readonly name = 'TaskRefused';
  readonly details: unknown;
  constructor(message: string, details: unknown) {
    super(message);
    this.details = details;
  }
}

type Message =
  | { readonly progress: unknown }
  | { readonly result: unknown }
  | { readonly refused: string; readonly details: unknown }
  | { readonly error: string };

const runner = fileURLToPath(new URL('./child-task-runner.ts', import.meta.url));
/** With few processors, requests and short steps come first. */
const lowPriority = 10;
/** Of JavaScript; a native library has limits of its own. */
const heapMegabytesMax = 512;

/**
 * The only variable that a task gets, if this process has such a folder: compiling its modules takes longer than loading
 * them. Node.js returns the folder of its own version, which is in the one that it was given.
 */
const cacheFolder = getCompileCacheDir();
const compileCache = cacheFolder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cacheFolder) };

export async function runTask<Result>(
  module: URL,
  input: unknown,
  { signal, timeoutMs, onProgress }: TaskOptions,
): Promise<Result> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  ended.throwIfAborted();
  const child = fork(runner, [module.href], {
    env: compileCache,
    execArgv: [`--max-old-space-size=${heapMegabytesMax}`],
    signal: ended,
    killSignal: 'SIGKILL',
  });
  if (child.pid !== undefined) setPriority(child.pid, lowPriority);
  let last: Message | undefined;
  child.on('message', (message: Message) => {
    if ('progress' in message) onProgress?.(message.progress);
    else last = message;
  });
  child.send({ input });
  // 'exit' may come before the last message is read; 'disconnect' comes after it.
  const [exit] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  const [code, killedBy] = exit as [number | null, string | null];
  if (last !== undefined && 'result' in last) return last.result as Result;
  if (last !== undefined && 'refused' in last) throw new TaskRefused(last.refused, last.details);
  throw new Error(
    last !== undefined && 'error' in last ? last.error : `the task ended (${killedBy ?? code})`,
  );
}
